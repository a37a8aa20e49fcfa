"""A tool's request: values in their places become the bytes on the wire."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from urllib.parse import quote, unquote

from .argument_mapping import Placed, owners
from .body import Write, body_writer
from .parameters import WHOLE, encode_parameters, group_parameters
from .request import InvalidArguments, UnencodableValue, UpstreamRequest
from .tool import Argument, Constant, Route, Tool
from .validation_error import format_place as spoken
from .value_text import climbs

_LITERAL = "/:@!$&'()*+,;=-._~%"
_VARIABLE = re.compile(r"\{([^{}]*)\}")


class RequestBuilder:
    """All that can be known of a tool's requests before the first call."""

    def __init__(self, tool: Tool, route: Route) -> None:
        self._route = route
        path, _, self._query = route.path.partition("?")
        self._path = _VARIABLE.split(path)
        self._path[::2] = [quote(literal, safe=_LITERAL) for literal in self._path[::2]]
        parts: tuple[Argument | Constant, ...] = (*tool.arguments, *tool.bound, *tool.constants)
        self._parameters = {
            place: group_parameters(place, parts) for place in ("path", "query", "header", "cookie")
        }
        fields = {field.wire: field for field in group_parameters("body", parts)}
        self._write = body_writer(route.body, fields) if route.body else None
        self._heads = [(each.target, each.name) for each in tool.arguments if each.place == "part"]
        self._owners = sorted(owners(tool), key=lambda owner: -len(owner[0]))

    def request(self, placed: Placed) -> UpstreamRequest:
        """The request on the wire. Raises `InvalidArguments` for values that may not stand in their place."""
        route = self._route
        pairs = self._written("query", placed)
        query = [text if name == WHOLE else f"{name}={text}" for name, text in pairs]
        headers = [("Accept", route.accept), *self._written("header", placed)]
        body = None
        if self._write and "" in placed["body"]:
            media_type, body = self._body(self._write, placed)
            headers.append(("Content-Type", media_type))
        return UpstreamRequest(
            route.method,
            self._filled_path(dict(self._written("path", placed))),
            "&".join([self._query, *query] if self._query else query),
            tuple(headers),
            tuple(f"{name}={text}" for name, text in self._written("cookie", placed)),
            body,
            route.base_url,
        )

    def faults(self, placed: Placed, skipped: Collection[str] = ()) -> list[str]:
        """All values that may not stand in their places, of those that are not skipped."""
        found: list[str] = []
        tried: list[Callable[[], object]] = [
            partial(tuple, encode_parameters(place, [each], placed[place]))
            for place, known in self._parameters.items()
            for each in known
            if place not in skipped
        ]
        if self._write and "body" not in skipped and "" in placed["body"]:
            tried.append(partial(self._body, self._write, placed))
        for attempt in tried:
            try:
                attempt()
            except InvalidArguments as refused:
                found += refused.problems
        if "path" not in skipped and not found:
            try:
                self._filled_path(dict(self._written("path", placed)))
            except InvalidArguments as refused:
                found += refused.problems
        return found

    def _body(self, write: Write, placed: Placed) -> tuple[str, bytes]:
        """The content type and the bytes of the body; what is wrong in it, by the argument's name."""
        try:
            return write(placed["body"][""], placed["part"])
        except UnencodableValue as fault:
            head = (*fault.path[:1], *fault.head)
            for target, name in self._heads if fault.head else ():
                if target == head:
                    raise InvalidArguments(f"{name}: {fault.why}") from None
            for target, name in self._owners:
                if fault.path[: len(target)] == target:
                    at = spoken((name, *fault.path[len(target) :]))
                    raise InvalidArguments(f"{at}: {fault.why}") from None
            raise

    def _written(self, place: str, placed: Placed) -> Iterable[tuple[str, str]]:
        return (
            encode_parameters(place, self._parameters[place], placed[place])
            if placed[place]
            else ()
        )

    def _filled_path(self, texts: Mapping[str, str]) -> str:
        pieces = list(self._path)
        for index in range(1, len(pieces), 2):
            pieces[index] = texts.get(pieces[index], "")
        path = "".join(pieces)
        if not path.startswith("/"):
            path = f"/{path}"
        if len(pieces) > 1 or "." in path:
            self._refuse_other_paths(path)
        return path

    def _refuse_other_paths(self, path: str) -> None:
        """An empty segment vanishes and a dot segment climbs: both would reach another operation."""
        empty_before = sum(not segment for segment in self._route.path.partition("?")[0].split("/"))
        segments = path.split("/")
        # Each value was looked at by itself, but styles and neighbours put them together.
        if any(climbs(unquote(segment)) for segment in segments):
            raise InvalidArguments(
                f"{self._path_arguments()}: must not be a path segment `.` or `..`"
            )
        if sum(not segment for segment in segments) > empty_before:
            raise InvalidArguments(f"{self._path_arguments()}: must not be empty")

    def _path_arguments(self) -> str:
        return ", ".join(parameter.blame for parameter in self._parameters["path"])
