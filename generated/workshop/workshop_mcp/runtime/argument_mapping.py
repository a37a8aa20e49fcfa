"""Flat arguments put back into the shape that the API describes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .request import InvalidArguments
from .tool import Argument, Json, Tool

Placed = dict[str, dict[str, Json]]
"""Values by place and wire name; in `body` there is at most one, under the name `""`, and in `part`
the heads of parts."""


UNBOUND: Mapping[str, str] = {}
"""The values of an endpoint without parameters in its path."""


def map_arguments(
    tool: Tool, values: Mapping[str, Json], bound: Mapping[str, str] = UNBOUND
) -> Placed:
    """The values, those of the endpoint's path and the constants that go with them, in their places.

    Raises `InvalidArguments` for a field that is to be null or empty and has a value as well.
    """
    placed: Placed = {"path": {}, "query": {}, "header": {}, "cookie": {}, "body": {}, "part": {}}
    filled = False
    for argument in tool.arguments:
        if argument.name not in values:
            continue
        if argument.fills:
            _fill(placed["body"], argument, values[argument.name])
            filled = True
        elif argument.spread:
            _spread(placed["body"], argument, values[argument.name])
        else:
            _put(placed[argument.place], _steps(argument), values[argument.name])
    for argument in tool.bound:
        _put(placed[argument.place], argument.target, bound[argument.target[0]])
    if tool.route and tool.route.body and tool.route.body.required:
        placed["body"].setdefault("", {})
    for constant in tool.constants:
        if constant.place != "body":
            _put(placed[constant.place], constant.to, constant.value)
        elif (owner := _owner(placed["body"], constant.to)) is not None:
            if constant.value != {}:
                owner[constant.to[-1]] = constant.value
            elif constant.to[-1] not in owner:
                owner[constant.to[-1]] = {}
                filled = True
    if filled and isinstance(placed["body"].get(""), dict):
        placed["body"][""] = _in_order(tool, placed["body"][""])
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
        and not _is_sent(placed["body"], tuple(filter(None, argument.target[:1])))
    ]
    if alone:
        raise InvalidArguments(
            *(f"{each.name}: given without `{each.target[0] or 'body'}`" for each in alone)
        )


def _steps(argument: Argument) -> tuple[str, ...]:
    return ("", *argument.target) if argument.place == "body" else argument.target


def _fill(body: dict[str, Json], argument: Argument, names: list[str]) -> None:
    """Sets fields to null, or to an empty object, that have nothing else."""
    taken = [name for name in dict.fromkeys(names) if not _is_free(body, argument.fills[name])]
    if taken:
        raise InvalidArguments(
            *(f"{argument.name}: `{name}` has a value as well" for name in taken)
        )
    for name in dict.fromkeys(names):
        if not _is_free(body, argument.fills[name]):
            raise InvalidArguments(
                f"{argument.name}: `{name}` is part of another field that is listed"
            )
        _put(body, ("", *argument.fills[name]), None if argument.nulls else {})


def _is_free(tree: Json, target: tuple[str, ...]) -> bool:
    """Whether nothing stands at a place of the body, nor in its way."""
    for step in ("", *target):
        if not isinstance(tree, dict):
            return False
        if step not in tree:
            return True
        tree = tree[step]
    return False


def _is_sent(tree: Json, target: tuple[str, ...]) -> bool:
    """Whether something stands at a place of the body."""
    for step in ("", *target):
        if not isinstance(tree, dict) or step not in tree:
            return False
        tree = tree[step]
    return True


def _spread(body: dict[str, Json], argument: Argument, members: Mapping[str, Json]) -> None:
    """Puts the members beside the named properties, which their own check keeps them from."""
    if not isinstance(members, dict):
        raise InvalidArguments(f"{argument.name}: must be an object")
    for key, member in members.items():
        _put(body, ("", *argument.target, key), member)


def _put(tree: dict[str, Json], steps: tuple[str, ...], value: Json) -> None:
    """Sets the value at the end of the steps and makes the objects on the way."""
    for step in steps[:-1]:
        tree = tree.setdefault(step, {})
    tree[steps[-1]] = value


def _owner(body: dict[str, Json], target: tuple[str, ...]) -> dict[str, Json] | None:
    """The object that a place of the body lies in, None if it is not sent."""
    tree: Any = body
    for step in ("", *target[:-1]):
        if not isinstance(tree, dict) or step not in tree:
            return None
        tree = tree[step]
    return tree if isinstance(tree, dict) else None


def _in_order(tool: Tool, whole: dict[str, Json]) -> dict[str, Json]:
    """The body in the order of its arguments, whichever of them was filled in."""
    last = len(tool.arguments)
    rank: dict[str, int] = {}
    for position, argument in enumerate(tool.arguments):
        if argument.place == "body" and argument.target:
            rank.setdefault(argument.target[0], position)
    return {key: whole[key] for key in sorted(whole, key=lambda key: rank.get(key, last))}


def owners(tool: Tool) -> Iterator[tuple[tuple[str, ...], str]]:
    """Places in the body and the argument that fills each."""
    for argument in tool.arguments:
        if argument.place == "body" and not argument.fills and not argument.spread:
            yield argument.target, argument.name
