"""Arguments put back into the places of a request, for the expectation of a scenario."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from mcpgen.ir.api import Place
from mcpgen.ir.server import Argument, BodyPlan, Constant, TextForm
from mcpgen.ir.source import Json

Placed = dict[Place, dict[str, Json]]
"""Values by place and wire name; the body is the value under the name `""`."""


def placed(
    arguments: Sequence[Argument],
    constants: Iterable[Constant],
    body: BodyPlan | None,
    values: Mapping[str, Json],
) -> Placed:
    """The values and the constants that go with them. Base64 text stays text."""
    tree: Placed = {place: {} for place in Place}
    for argument in arguments:
        if argument.name not in values:
            continue
        if argument.nulls:
            for name in values[argument.name]:
                _put(tree[Place.BODY], ("", *argument.nulls[name]), None)
            continue
        value = values[argument.name]
        if argument.text is TextForm.JSON:
            value = json.loads(value)
        _put(tree[argument.place], _steps(argument.place, argument.target), value)
    if body is not None and body.required:
        tree[Place.BODY].setdefault("", {})
    for constant in constants:
        steps = _steps(constant.place, constant.target)
        if constant.place is not Place.BODY or found(tree[Place.BODY], steps[:-1]) is not None:
            _put(tree[constant.place], steps, constant.value)
    return tree


def found(tree: Json, steps: Sequence[str]) -> Json:
    """The value at the end of the steps, None where there is none."""
    for step in steps:
        if not isinstance(tree, dict) or step not in tree:
            return None
        tree = tree[step]
    return tree


def _steps(place: Place, target: tuple[str, ...]) -> tuple[str, ...]:
    return ("", *target) if place is Place.BODY else target


def _put(tree: dict[str, Json], steps: Sequence[str], value: Json) -> None:
    for step in steps[:-1]:
        inner = tree.setdefault(step, {})
        tree = cast(dict[str, Json], inner) if isinstance(inner, dict) else {}
    tree[steps[-1]] = value
