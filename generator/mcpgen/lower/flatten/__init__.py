"""Flattening: the parameters and the body of an operation as one flat list of arguments."""

from __future__ import annotations

import re

from mcpgen.frozen import frozen
from mcpgen.ir.api import Operation, Place
from mcpgen.ir.server import Argument, BodyPlan, Constant
from mcpgen.lower.flatten.body import body
from mcpgen.lower.flatten.context import Context
from mcpgen.lower.flatten.draft import Drafted, Refusal
from mcpgen.lower.flatten.naming import named
from mcpgen.lower.flatten.parameters import parameters

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


@frozen
class Flattened:
    """An operation's request as a tool takes it."""

    arguments: tuple[Argument, ...]
    constants: tuple[Constant, ...]
    body: BodyPlan | None


def flatten(context: Context, operation: Operation) -> Flattened | Refusal:
    """The request of an operation as flat arguments, or why that is impossible."""
    outside = parameters(context, operation)
    if isinstance(outside, Refusal):
        return outside
    known = {p.name for p in operation.parameters if p.place is Place.PATH}
    for name in _PLACEHOLDER.findall(operation.path):
        if name not in known:
            return Refusal(f"nothing describes `{{{name}}}` in its path", operation.at)
    room = context.limits.max_arguments - len(outside.drafts)
    inside = body(context, operation, room)
    if isinstance(inside, Refusal):
        return inside
    drafts = list(outside.drafts)
    constants = outside.constants
    filled = inside.drafted if inside else Drafted()
    if inside is not None:
        drafts += inside.drafted.drafts
        constants += inside.drafted.constants
    arguments = named(
        drafts, filled.nulls, filled.empties, context.operation, operation.at, context.diagnostics
    )
    return Flattened(arguments, constants, inside.plan if inside else None)


__all__ = ["Context", "Flattened", "Refusal", "flatten"]
