"""Arguments put back into the places of a request, for the expectation of a scenario."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from mcpgen.ir.api import Place
from mcpgen.ir.server import ArgumentSpec, BodyPlan, ConstantSpec, TextForm
from mcpgen.ir.source import Json

ABSENT: Json = object()
"""Marks a missing value, since None is JSON null."""

Placed = dict[Place, dict[str, Json]]
"""Values by place and wire name; the body is the value under the name `""`."""


def place_arguments(
    arguments: Sequence[ArgumentSpec],
    constants: Iterable[ConstantSpec],
    body: BodyPlan | None,
    values: Mapping[str, Json],
) -> Placed:
    """Returns the request tree of arguments and constants. Base64 text stays text."""
    tree: Placed = {place: {} for place in Place}
    for argument in arguments:
        if argument.name not in values:
            continue
        if argument.fills:
            for name in values[argument.name]:
                empty: Json = None if argument.nulls else {}
                _put(tree[Place.BODY], ("", *argument.fills[name]), empty)
            continue
        value = values[argument.name]
        if argument.text is TextForm.JSON:
            value = json.loads(value)
        if argument.spread:
            for key, member in value.items():
                _put(tree[Place.BODY], ("", *argument.target, key), member)
            continue
        _put(tree[argument.place], _steps(argument.place, argument.target), value)
    if body is not None and body.required:
        tree[Place.BODY].setdefault("", {})
    for constant in constants:
        steps = _steps(constant.place, constant.target)
        owner = value_at(tree[constant.place], steps[:-1])
        if constant.place is Place.BODY and not isinstance(owner, dict):
            continue
        if constant.value != {}:
            _put(tree[constant.place], steps, constant.value)
        elif value_at(tree[constant.place], steps) is ABSENT:
            # A copy: later arguments add members.
            _put(tree[constant.place], steps, {})
    whole = tree[Place.BODY].get("")
    if isinstance(whole, dict) and any(argument.target for argument in arguments):
        tree[Place.BODY][""] = _in_order(arguments, whole)
    return tree


def _in_order(arguments: Sequence[ArgumentSpec], whole: dict[str, Json]) -> dict[str, Json]:
    """Returns the body in order of its arguments."""
    rank: dict[str, int] = {}
    for position, argument in enumerate(arguments):
        if argument.place is Place.BODY and argument.target:
            rank.setdefault(argument.target[0], position)
    return {key: whole[key] for key in sorted(whole, key=lambda k: rank.get(k, len(arguments)))}


def split_request(arguments: Iterable[ArgumentSpec], tree: Placed) -> dict[str, Json]:
    """Returns the arguments that produce a request: the inverse of `place_arguments`."""
    values: dict[str, Json] = {}
    for argument in arguments:
        value = value_at(tree[argument.place], _steps(argument.place, argument.target))
        if value is not ABSENT:
            values[argument.name] = value
    return values


def value_at(tree: Json, steps: Sequence[str]) -> Json:
    """Returns the value at a path, `ABSENT` if missing."""
    for step in steps:
        if not isinstance(tree, dict) or step not in tree:
            return ABSENT
        tree = tree[step]
    return tree


def _steps(place: Place, target: tuple[str, ...]) -> tuple[str, ...]:
    return ("", *target) if place is Place.BODY else target


def _put(tree: dict[str, Json], steps: Sequence[str], value: Json) -> None:
    for step in steps[:-1]:
        inner = tree.setdefault(step, {})
        tree = cast(dict[str, Json], inner) if isinstance(inner, dict) else {}
    tree[steps[-1]] = value
