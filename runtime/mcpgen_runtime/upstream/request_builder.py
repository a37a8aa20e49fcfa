"""Maps flat arguments to the API's shape and builds the HTTP request."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from ..tool import Argument, Json, Route, Tool
from ..tool_parts import Constant
from ..validation.validate import format_place
from .body import Write, body_writer
from .exchange import InvalidArguments, UpstreamRequest
from .media_encoding import UnencodableValue
from .operation import NO_PATH_VALUES, RoutePath
from .parameters import WHOLE_QUERY, encode_parameters, group_parameters

Placed = dict[str, dict[str, Json]]
"""Values by place and wire name. `body` has at most the key `""`; `part` has the headers of
multipart parts."""


def map_arguments(
    tool: Tool, values: Mapping[str, Json], bound: Mapping[str, str] = NO_PATH_VALUES
) -> Placed:
    """Puts arguments, endpoint path values and constants in their places.

    Raises `InvalidArguments` for a field listed as null or empty that also has a value.
    """
    placed: Placed = {"path": {}, "query": {}, "header": {}, "cookie": {}, "body": {}, "part": {}}
    needs_sorting = False
    for argument in tool.arguments:
        if argument.name not in values:
            continue
        if argument.fills:
            _fill(placed["body"], argument, values[argument.name])
            needs_sorting = True
        elif argument.spread:
            _spread(placed["body"], argument, values[argument.name])
        else:
            _set_value(placed[argument.place], _steps(argument), values[argument.name])
    for argument in tool.bound:
        _set_value(placed[argument.place], argument.target, bound[argument.target[0]])
    if tool.route and tool.route.body and tool.route.body.required:
        placed["body"].setdefault("", {})
    for constant in tool.constants:
        if constant.place != "body":
            _set_value(placed[constant.place], constant.to, constant.value)
        elif (owner := _owner(placed["body"], constant.to)) is not None:
            if constant.value != {}:
                owner[constant.to[-1]] = constant.value
            elif constant.to[-1] not in owner:
                owner[constant.to[-1]] = {}
                needs_sorting = True
    if needs_sorting and isinstance(placed["body"].get(""), dict):
        placed["body"][""] = _in_order(tool, placed["body"][""])
    if placed["part"]:
        _refuse_unsent_parts(tool, values, placed)
    return placed


def _refuse_unsent_parts(tool: Tool, values: Mapping[str, Json], placed: Placed) -> None:
    """Raises `InvalidArguments` for headers of a part that is not sent."""
    unsent = [
        argument
        for argument in tool.arguments
        if argument.place == "part"
        and argument.name in values
        and not _is_sent(placed["body"], tuple(filter(None, argument.target[:1])))
    ]
    if unsent:
        raise InvalidArguments(
            *(
                f"{argument.name}: given without `{argument.target[0] or 'body'}`"
                for argument in unsent
            )
        )


def _steps(argument: Argument) -> tuple[str, ...]:
    return ("", *argument.target) if argument.place == "body" else argument.target


def _fill(body: dict[str, Json], argument: Argument, names: list[str]) -> None:
    """Sets the listed fields to null, or to an empty object."""
    duplicates = [name for name in dict.fromkeys(names) if not _is_free(body, argument.fills[name])]
    if duplicates:
        raise InvalidArguments(
            *(f"{argument.name}: `{name}` has a value as well" for name in duplicates)
        )
    for name in dict.fromkeys(names):
        if not _is_free(body, argument.fills[name]):
            raise InvalidArguments(
                f"{argument.name}: `{name}` is part of another field that is listed"
            )
        _set_value(body, ("", *argument.fills[name]), None if argument.nulls else {})


def _is_free(tree: Json, target: tuple[str, ...]) -> bool:
    """True if neither the place in the body nor a parent has a value."""
    for step in ("", *target):
        if not isinstance(tree, dict):
            return False
        if step not in tree:
            return True
        tree = tree[step]
    return False


def _is_sent(tree: Json, target: tuple[str, ...]) -> bool:
    """True if the place in the body has a value."""
    for step in ("", *target):
        if not isinstance(tree, dict) or step not in tree:
            return False
        tree = tree[step]
    return True


def _spread(body: dict[str, Json], argument: Argument, members: Mapping[str, Json]) -> None:
    """Adds the members beside the named properties; the argument's own check prevents
    collisions."""
    if not isinstance(members, dict):
        raise InvalidArguments(f"{argument.name}: must be an object")
    for key, member in members.items():
        _set_value(body, ("", *argument.target, key), member)


def _set_value(tree: dict[str, Json], steps: tuple[str, ...], value: Json) -> None:
    """Sets the value at a path; creates objects on the way."""
    for step in steps[:-1]:
        tree = tree.setdefault(step, {})
    tree[steps[-1]] = value


def _owner(body: dict[str, Json], target: tuple[str, ...]) -> dict[str, Json] | None:
    """The parent object of a place in the body, None if absent."""
    tree: Any = body
    for step in ("", *target[:-1]):
        if not isinstance(tree, dict) or step not in tree:
            return None
        tree = tree[step]
    return tree if isinstance(tree, dict) else None


def _in_order(tool: Tool, body: dict[str, Json]) -> dict[str, Json]:
    """The body's members in the order of the tool's arguments."""
    last = len(tool.arguments)
    rank: dict[str, int] = {}
    for position, argument in enumerate(tool.arguments):
        if argument.place == "body" and argument.target:
            rank.setdefault(argument.target[0], position)
    return {key: body[key] for key in sorted(body, key=lambda key: rank.get(key, last))}


def owners(tool: Tool) -> Iterator[tuple[tuple[str, ...], str]]:
    """Paths in the body with the argument of each path."""
    for argument in tool.arguments:
        if argument.place == "body" and not argument.fills and not argument.spread:
            yield argument.target, argument.name


class RequestBuilder:
    """Data of a tool's requests, prepared before the first call."""

    def __init__(self, tool: Tool, route: Route) -> None:
        self._route = route
        path, _, self._query = route.path.partition("?")
        parts: tuple[Argument | Constant, ...] = (*tool.arguments, *tool.bound, *tool.constants)
        self._parameters = {
            place: group_parameters(place, parts) for place in ("path", "query", "header", "cookie")
        }
        self._path = RoutePath(path, [parameter.argument for parameter in self._parameters["path"]])
        fields = {field.wire_name: field for field in group_parameters("body", parts)}
        self._write = body_writer(route.body, fields) if route.body else None
        self._part_arguments = [
            (argument.target, argument.name)
            for argument in tool.arguments
            if argument.place == "part"
        ]
        self._owners = sorted(owners(tool), key=lambda owner: -len(owner[0]))

    def request(self, placed: Placed) -> UpstreamRequest:
        """Builds the request. Raises `InvalidArguments` for invalid values."""
        route = self._route
        pairs = self._encode("query", placed)
        query = [text if name == WHOLE_QUERY else f"{name}={text}" for name, text in pairs]
        headers = [("Accept", route.accept), *self._encode("header", placed)]
        body = None
        if self._write and "" in placed["body"]:
            media_type, body = self._body(self._write, placed)
            headers.append(("Content-Type", media_type))
        return UpstreamRequest(
            route.method,
            self._path.fill(dict(self._encode("path", placed))),
            "&".join([self._query, *query] if self._query else query),
            tuple(headers),
            tuple(f"{name}={text}" for name, text in self._encode("cookie", placed)),
            body,
            route.base_url,
        )

    def faults(self, placed: Placed, skipped: Collection[str] = ()) -> list[str]:
        """All problems with values, except in the skipped places."""
        problems: list[str] = []
        attempts: list[Callable[[], object]] = [
            partial(tuple, encode_parameters(place, [parameter], placed[place]))
            for place, parameters in self._parameters.items()
            for parameter in parameters
            if place not in skipped
        ]
        if self._write and "body" not in skipped and "" in placed["body"]:
            attempts.append(partial(self._body, self._write, placed))
        for attempt in attempts:
            try:
                attempt()
            except InvalidArguments as error:
                problems += error.problems
            except UnicodeEncodeError:
                problems.append("a text holds half of a surrogate pair")
        if "path" not in skipped and not problems:
            try:
                self._path.fill(dict(self._encode("path", placed)))
            except InvalidArguments as error:
                problems += error.problems
        return problems

    def _body(self, write: Write, placed: Placed) -> tuple[str, bytes]:
        """Content type and bytes of the body; errors name the argument."""
        try:
            return write(placed["body"][""], placed["part"])
        except UnencodableValue as fault:
            head = (*fault.path[:1], *fault.head)
            for target, name in self._part_arguments if fault.head else ():
                if target == head:
                    raise InvalidArguments(f"{name}: {fault.why}") from None
            for target, name in self._owners:
                if fault.path[: len(target)] == target:
                    where = format_place((name, *fault.path[len(target) :]))
                    raise InvalidArguments(f"{where}: {fault.why}") from None
            raise

    def _encode(self, place: str, placed: Placed) -> Iterable[tuple[str, str]]:
        return (
            encode_parameters(place, self._parameters[place], placed[place])
            if placed[place]
            else ()
        )
