"""An MCP endpoint at a path with parameters, such as `/api/v1/workspaces/{workspaceId}/mcp`.

The values of the parameters become part of every request to the API.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import quote, unquote

from ..caller import caller_of, scope_with_caller
from ..upstream.exchange import InvalidArguments
from ..upstream.value_text import for_path
from .asgi import Asgi, Receive, Scope, Send, respond
from .middleware import Middleware

MAX_VALUE_LENGTH = 256
"""Maximum characters of a parameter's value."""


@dataclass(frozen=True)
class PathTemplate:
    """A path of literal segments and parameters in braces."""

    text: str

    @cached_property
    def _segments(self) -> list[str]:
        return _segments(self.text)

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters, in order."""
        return tuple(segment[1:-1] for segment in self._segments if segment.startswith("{"))

    def values(self, path: str) -> Mapping[str, str] | None:
        """The values in a percent-encoded path at or below the template; None if the path does not
        match.

        A value that could be read as another path does not match.
        """
        pieces = _segments(path)[: len(self._segments)]
        if len(pieces) < len(self._segments):
            return None
        values: dict[str, str] = {}
        for segment, text in zip(self._segments, pieces, strict=True):
            if not segment.startswith("{"):
                if segment != text:
                    return None
            elif (value := _segment_value(text)) is None:
                return None
            else:
                values[segment[1:-1]] = value
        return values

    def path_below(self, path: str) -> str:
        """The part of a path below the template: `""` or a path."""
        pieces = _segments(path)[len(self._segments) :]
        return "".join(f"/{piece}" for piece in pieces)

    def fill(self, values: Mapping[str, str]) -> str:
        """The path with percent-encoded values; `""` for the root."""
        return "".join(
            (
                f"/{quote(values.get(segment[1:-1], ''), safe='')}"
                if segment.startswith("{")
                else f"/{segment}"
            )
            for segment in self._segments
        )


def _segments(path: str) -> list[str]:
    """The segments of a path, empty for the root."""
    bare = path.strip("/")
    return bare.split("/") if bare else []


def _segment_value(text: str) -> str | None:
    """The decoded value of a segment, None if invalid."""
    try:
        value = unquote(text, errors="strict")
        for_path(value)
    except (UnicodeDecodeError, InvalidArguments):
        return None
    return value if 0 < len(value) <= MAX_VALUE_LENGTH and "/" not in value else None


INNER = "/mcp"
"""The internal path of the endpoint."""

_UNMOVED_PATHS = ("/healthz", "/readyz", "/metrics")
"""Paths that are not moved."""


class Endpoint(Middleware):
    """Serves MCP below a path and nowhere else."""

    def __init__(self, path: str) -> None:
        self._template = PathTemplate(path)

    def address(self, path: str) -> str:
        """The public path of an internal path."""
        return f"{self._template.text}{path.removeprefix(INNER)}"

    def http_only(self) -> str:
        """Names `endpoint.path`, if calls need the values of parameters in the path."""
        if not self._template.parameters:
            return ""
        return f"`endpoint.path` is {self._template.text}: calls need the values of its parameters"

    def gate(self, app: Asgi) -> Asgi:
        """Maps the public path to the internal path; 404 for other paths."""

        async def gated(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["path"] in _UNMOVED_PATHS or scope["path"].startswith("/.well-known/"):
                await app(scope, receive, send)
                return
            raw = scope.get("raw_path") or quote(scope["path"]).encode()
            path = raw.partition(b"?")[0].decode("latin-1")
            values = self._template.values(path)
            if values is None:
                await respond(send, 404, {"error": "not_found"})
                return
            inner = {**scope, "path": f"{INNER}{self._template.path_below(path)}"}
            caller = replace(caller_of(scope), path=values)
            await app(scope_with_caller(inner, caller), receive, send)

        return gated
