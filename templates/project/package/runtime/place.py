"""Flat arguments put back into the shape that the API describes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .request import Refused
from .tool import Argument, Json, Tool

Placed = dict[str, dict[str, Json]]
"""Values by place and wire name; in `body` there is at most one, under the name `""`, and in `part`
the heads of parts."""


def place(tool: Tool, values: Mapping[str, Json]) -> Placed:
    """The values, and the constants that go with them, in their places.

    Raises `Refused` for a field that is to be null and has a value as well.
    """
    placed: Placed = {"path": {}, "query": {}, "header": {}, "cookie": {}, "body": {}, "part": {}}
    for argument in tool.arguments:
        if argument.name not in values:
            continue
        if argument.nulls:
            _place_nulls(placed, argument, values)
        else:
            _put(placed[argument.place], _steps(argument), values[argument.name])
    if tool.route.body and tool.route.body.required:
        placed["body"].setdefault("", {})
    for constant in tool.constants:
        if constant.place != "body":
            _put(placed[constant.place], constant.to, constant.value)
        elif _exists(placed["body"], ("", *constant.to[:-1])):
            _put(placed["body"], ("", *constant.to), constant.value)
    if placed["part"]:
        _refuse_heads_alone(tool, values, placed)
    return placed


def _refuse_heads_alone(tool: Tool, values: Mapping[str, Json], placed: Placed) -> None:
    """What is said of a part would be lost without the part itself."""
    alone = [
        argument
        for argument in tool.arguments
        if argument.place == "part"
        and argument.name in values
        and not _exists(placed["body"], ("", *filter(None, argument.target[:1])), of=object)
    ]
    if alone:
        raise Refused(
            *(f"{each.name}: given without `{each.target[0] or 'body'}`" for each in alone)
        )


def _steps(argument: Argument) -> tuple[str, ...]:
    return ("", *argument.target) if argument.place == "body" else argument.target


def _place_nulls(placed: Placed, argument: Argument, values: Mapping[str, Json]) -> None:
    both = [name for name in values[argument.name] if name in values]
    if both:
        raise Refused(*(f"{argument.name}: `{name}` has a value as well" for name in both))
    for name in values[argument.name]:
        _put(placed["body"], ("", *argument.nulls[name]), None)


def _put(tree: dict[str, Json], steps: tuple[str, ...], value: Json) -> None:
    """Sets the value at the end of the steps and makes the objects on the way."""
    for step in steps[:-1]:
        tree = tree.setdefault(step, {})
    tree[steps[-1]] = value


def _exists(tree: Any, steps: tuple[str, ...], of: type = dict) -> bool:
    for step in steps:
        if not isinstance(tree, dict) or step not in tree:
            return False
        tree = tree[step]
    return isinstance(tree, of)


def owners(tool: Tool) -> Iterator[tuple[tuple[str, ...], str]]:
    """Places in the body and the argument that fills each."""
    for argument in tool.arguments:
        if argument.place == "body" and not argument.nulls:
            yield argument.target, argument.name
