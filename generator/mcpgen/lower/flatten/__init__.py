"""Flattening: the parameters and the body of an operation as one flat list of arguments."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mcpgen.ir.api import Operation, Place
from mcpgen.ir.server import ArgumentSpec, BodyPlan, ConstantSpec
from mcpgen.lower.flatten.argument_draft import PlaceDraft, Unsupported
from mcpgen.lower.flatten.body import flatten_body
from mcpgen.lower.flatten.context import FlattenContext
from mcpgen.lower.flatten.naming import name_arguments
from mcpgen.lower.flatten.parameters import flatten_parameters

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Flattened:
    """An operation's request as a tool takes it."""

    arguments: tuple[ArgumentSpec, ...]
    constants: tuple[ConstantSpec, ...]
    body: BodyPlan | None


def flatten(context: FlattenContext, operation: Operation) -> Flattened | Unsupported:
    """The request of an operation as flat arguments, or why that is impossible."""
    outside = flatten_parameters(context, operation)
    if isinstance(outside, Unsupported):
        return outside
    described = {p.name for p in operation.parameters if p.place is Place.PATH}
    for name in _PLACEHOLDER.findall(operation.path):
        if name not in described:
            return Unsupported(f"nothing describes `{{{name}}}` in its path", operation.at)
    room = context.limits.max_arguments - len(outside.drafts)
    inside = flatten_body(context, operation, room)
    if isinstance(inside, Unsupported):
        return inside
    drafts = list(outside.drafts)
    constants = outside.constants
    filled = inside.drafted if inside else PlaceDraft()
    if inside is not None:
        drafts += inside.drafted.drafts
        constants += inside.drafted.constants
    arguments = name_arguments(
        drafts, filled.nulls, filled.empties, context.operation, operation.at, context.diagnostics
    )
    return Flattened(arguments, constants, inside.plan if inside else None)


__all__ = ["FlattenContext", "Flattened", "Unsupported", "flatten"]
