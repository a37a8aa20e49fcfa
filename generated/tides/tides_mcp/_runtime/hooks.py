# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""The public API of `hooks.py`: `Hooks`, `Call`, and requests made by a handler."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import aiohttp

from .caller import ANYBODY, Caller
from .result import HandlerResponse, Result
from .server.client_channel import ClientChannel, Level, NoAnswer
from .tool import Json, Tool
from .upstream.exchange import InvalidArguments, UpstreamError, UpstreamRequest
from .upstream.operation import RoutePath
from .upstream.value_text import compact_json, for_header, for_path, for_query, header_name

__all__ = [
    "Call",
    "Caller",
    "Handler",
    "HandlerResponse",
    "Hooks",
    "InvalidArguments",
    "Json",
    "NoAnswer",
    "Reply",
    "Result",
    "Tool",
    "UpstreamError",
]

_METHOD = re.compile(r"[A-Z]{1,20}")


def outgoing(
    method: str,
    path: str,
    values: Mapping[str, Json],
    query: Mapping[str, Json],
    json: Json,
    body: bytes | None,
    headers: Mapping[str, str],
) -> UpstreamRequest:
    """The request of a handler, relative to the API's base URL; for the parameters see
    `Call.request`. Raises `InvalidArguments` for a path that leads elsewhere, and for values not
    allowed in HTTP."""
    if not _METHOD.fullmatch(method) or method == "CONNECT":
        raise InvalidArguments(f"`{method[:20]}` is not a method of HTTP in capital letters")
    if json is not None and body is not None:
        raise ValueError("a request has `json` or `body`, not both")
    by_name = {name.lower(): value for name, value in headers.items()}
    try:
        pairs = [("Accept", for_header(by_name.pop("accept", "application/json")))]
        if kind := by_name.pop("content-type", "application/json" if json is not None else ""):
            pairs.append(("Content-Type", for_header(kind)))
        pairs += [(header_name(name), for_header(value)) for name, value in by_name.items()]
        content = body if json is None else compact_json(json).encode()
        query_text, target = "&".join(_query_pairs(query)), _path(path, values)
    except UnicodeEncodeError:
        raise InvalidArguments("a text holds half of a surrogate pair") from None
    return UpstreamRequest(method, target, query_text, tuple(pairs), body=content, template=path)


def _path(template: str, values: Mapping[str, Json]) -> str:
    """The path with values in place of `{name}`."""
    if not template.startswith("/") or any(mark in template for mark in ("//", *"?#\\")):
        raise InvalidArguments(
            "a path begins with `/` and has no `//`, `?`, `#` or backslash; see `query`"
        )
    path = RoutePath(template, ["path"])
    for name in path.names:
        if values.get(name) in (None, ""):
            raise InvalidArguments(f"the path has no value for `{name}`")
    return path.fill({name: for_path(values[name]) for name in path.names})


def _query_pairs(query: Mapping[str, Json]) -> Iterator[str]:
    """The encoded pairs; None is omitted, and a list repeats the name."""
    for name, value in query.items():
        for item in value if isinstance(value, list | tuple) else (value,):
            if item is not None:
                yield f"{for_query(name)}={for_query(item)}"


@dataclass(frozen=True)
class Reply:
    """The user's reply: `accept` with the form's `content`, `decline` or `cancel`."""

    action: Literal["accept", "decline", "cancel"]
    content: Mapping[str, Json] = field(default_factory=dict)

    @property
    def accepted(self) -> bool:
        """True if the user accepted."""
        return self.action == "accept"


# Not frozen: created for each call, and a frozen dataclass takes five times as long to create.
@dataclass(slots=True)
class Call:
    """One call of a tool with valid arguments. `state` is the value of the hooks' lifespan, and
    `resources` are the URIs of changed resources."""

    tool: Tool
    arguments: Mapping[str, Json]
    send: Callable[[Mapping[str, Json]], Awaitable[Result]] = field(repr=False)
    ask: Callable[[UpstreamRequest, Sequence[str] | None], Awaitable[HandlerResponse]] = field(
        repr=False
    )
    caller: Caller = ANYBODY
    state: Any = field(default=None, repr=False)
    client: ClientChannel = field(default_factory=ClientChannel, repr=False)
    resources: list[str] = field(default_factory=list, repr=False)

    def changed(self, uri: str) -> None:
        """Declares that the call changes a resource; subscribers are notified after the call."""
        self.resources.append(uri)

    async def upstream(self, arguments: Mapping[str, Json] | None = None) -> Result:
        """Runs the tool without its hook, with these arguments or others; the result's `answered`
        is the API's response."""
        if self.tool.answer:
            call = self if arguments is None else replace(self, arguments=arguments)
            result: Result = await self.tool.answer(call)
            return result
        return await self.send(self.arguments if arguments is None else arguments)

    async def request(
        self,
        method: str,
        path: str,
        *,
        values: Mapping[str, Json] = {},
        query: Mapping[str, Json] = {},
        json: Json = None,
        body: bytes | None = None,
        headers: Mapping[str, str] = {},
        security: Sequence[str] | None = None,
    ) -> HandlerResponse:
        """Sends a request of the handler to the API; returns the response, whatever the status.
        `path` is relative to the base URL; each `{name}` is one segment, filled from `values`. In
        `query`, None is omitted and a list repeats the name. The request passes all policy rules,
        with the credentials of the tool's own request, or of the schemes listed in `security`.
        Raises `InvalidArguments` for a request that must not be sent, and `UpstreamError` without a
        response; uncaught, both become error results."""
        return await self.ask(outgoing(method, path, values, query, json, body, headers), security)

    async def elicit(
        self, message: str, schema: Mapping[str, Json], *, key: str = "", early: bool = False
    ) -> Reply:
        """Asks the user to fill in a form: one object of flat fields, as restricted by MCP. With
        revision 2026-07-28 the call is repeated with the answer, so a handler must ask before a
        request that changes something, and must ask the same question again. Earlier revisions need
        a session. Raises `NoAnswer` without an answer (uncaught: an error result), and `ValueError`
        for an invalid schema. `key` names the question within a call; with `early`, an answer sent
        before the question was asked is used."""
        answer = await self.client.ask_for("form", message, schema, key=key, early=early)
        return _reply(answer)

    async def elicit_visit(self, message: str, url: str, id: str, *, key: str = "") -> Reply:
        """Asks the user to open a URL, for input that the client must not see. Acceptance does not
        mean completion: `id` identifies the visit to the server. Errors as for `elicit`;
        `ValueError` for a URL that is not `https`."""
        answer = await self.client.ask_for("visit", message, url, id, key=key)
        return _reply(answer)

    async def sample(
        self, messages: Sequence[Mapping[str, Json]], max_tokens: int, **more: Json
    ) -> Mapping[str, Json]:
        """Asks the client's model to continue messages; returns `role`, `content`, `model`.
        Deprecated since revision 2026-07-28. Errors as for `elicit`."""
        return await self.client.ask_for("sampling", messages, max_tokens, **more)

    async def inquire(self, *questions: Any) -> Sequence[Mapping[str, Json]]:
        """The answers to several `Question`s, in order and in MCP format; with revision 2026-07-28
        all questions are asked in one round. Errors as for `elicit`."""
        return await self.client.ask(*questions)

    async def hears(self, question: Any) -> bool:
        """True if the client has declared the capability for a question."""
        return await self.client.hears(question)

    async def close_stream(self) -> None:
        """Closes the event stream of a long call. A client of 2025-11-25 resumes the stream in the
        session, if streams are resumable. No effect for other clients."""
        await self.client.close_stream()

    async def progress(
        self, done: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Reports progress to a client with a progress token; `done` must increase."""
        await self.client.progress(done, total, message)

    async def log(self, level: Level, message: Json, logger: str | None = None) -> None:
        """Sends a log message to the client: any JSON value, without secrets. Deprecated since
        revision 2026-07-28, in which clients must opt in."""
        await self.client.log(level, message, logger)


def _reply(answer: Mapping[str, Any]) -> Reply:
    # The content of a refusal was not validated.
    accepted = answer["action"] == "accept"
    return Reply(answer["action"], answer.get("content", {}) if accepted else {})


Handler = Callable[[Call], Awaitable[Result]]
"""Answers a call, instead of the generated request or around the request."""


@dataclass(frozen=True)
class Hooks:
    """Handlers by tool name, a lifespan, and a factory of the HTTP client. `lifespan` gets the
    settings and returns a context manager around all calls; the entered value is `Call.state`.
    `client` is called once at start and may return a session with a proxy, other trust or tracing;
    the connector needs `limit=0`, since `calls_at_once` limits the connections."""

    tools: Mapping[str, Handler] = field(default_factory=dict)
    client: Callable[[], aiohttp.ClientSession] | None = None
    lifespan: Callable[[Any], AbstractAsyncContextManager[Any]] | None = None

    def answering(self, handlers: Mapping[str, Handler]) -> Hooks:
        """A copy with additional handlers of the server."""
        return replace(self, tools={**self.tools, **handlers}) if handlers else self
