"""The tools of all operations, made by as many processes as there are.

What becomes of one operation depends on it, on the schemas it leads to and on the choices, never on
what became of another; only tools whose arguments share settings are made one after the other, here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mcpgen.config import Config
from mcpgen.crew import Crew
from mcpgen.diagnostics import Diagnostic, Diagnostics
from mcpgen.ir.api import Api, Operation
from mcpgen.ir.server import Tool
from mcpgen.ir.source import Json
from mcpgen.lower.flatten import Refusal
from mcpgen.lower.flatten.view import PREFIX
from mcpgen.lower.flatten.walk import SAME_VALUE
from mcpgen.lower.policy.endpoint import Bound
from mcpgen.lower.tool import Workshop, workshop

Order = tuple[Operation, str, str]
"""An operation with the name and the module of its tool."""


@dataclass(frozen=True, slots=True)
class Common:
    """What the tools of one server are made with."""

    api: Api
    config: Config
    operations: int
    bound: Bound
    scenarios: bool


@dataclass(frozen=True, slots=True)
class Crafted:
    """What became of some operations, and what was found about them all."""

    made: Tool | Refusal
    findings: tuple[Diagnostic, ...]


def crafted(
    common: Common, shop: Workshop, orders: Sequence[Order], diagnostics: Diagnostics, crew: Crew
) -> list[Tool | Refusal]:
    """The tools, or why there are none, in the order of the operations."""
    if not _are_apart(common.api, orders):
        return [shop.tool(*order) for order in orders]
    done = crew.divided(craft, common, orders)
    for each in done:
        diagnostics.adopt(each.findings)
    return [each.made for each in done]


def craft(common: Common, orders: Sequence[Order]) -> list[Crafted]:
    """What becomes of some of the operations; for `Crew.divided`."""
    found = Diagnostics()
    shop = workshop(
        common.api,
        common.config,
        common.operations,
        found,
        common.bound,
        scenarios=common.scenarios,
    )
    done: list[Crafted] = []
    told = 0
    for order in orders:
        made = shop.tool(*order)
        findings = tuple(found)[told:]
        told += len(findings)
        done.append(Crafted(made, findings))
    return done


def _are_apart(api: Api, orders: Iterable[Order]) -> bool:
    """Whether no tool depends on those before it: none shares a setting, and no schema is made of
    itself, of which the first look decides how it looks."""
    if any(operation.extension.arguments for operation, _, _ in orders):
        return False
    parts = {name: set(_parts(schema.json)) for name, schema in api.definitions.items()}
    return not _has_circle(parts)


def _parts(schema: Json) -> Iterable[str]:
    """The definitions that speak of the same value as a schema."""
    if not isinstance(schema, dict):
        return
    if isinstance(reference := schema.get("$ref"), str):
        yield reference.removeprefix(PREFIX)
    for keyword in SAME_VALUE & schema.keys():
        part = schema[keyword]
        for each in part if isinstance(part, list) else [part]:
            yield from _parts(each)


def _has_circle(steps: Mapping[str, set[str]]) -> bool:
    """Whether some name leads back to itself."""
    left = {name: {each for each in of if each in steps} for name, of in steps.items()}
    waiting = [name for name, of in left.items() if not of]
    leading: dict[str, list[str]] = {}
    for name, of in left.items():
        for each in of:
            leading.setdefault(each, []).append(name)
    while waiting:
        name = waiting.pop()
        del left[name]
        for above in leading.get(name, ()):
            left[above].discard(name)
            if not left[above]:
                waiting.append(above)
    return bool(left)
