"""The public API of `hooks.py`: `Hooks`, `Call` and requests that a handler makes itself."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote

import aiohttp

from .caller import ANYBODY, Caller
from .elicitation.client_channel import ClientChannel, Level, NoAnswer
from .elicitation.forms import Question, Reply
from .result import HandlerResponse, Result
from .tool import Json, Tool
from .upstream.request import InvalidArguments, UpstreamRequest
from .upstream.response import UpstreamError
from .upstream.value_text import climbs, compact_json, for_header, for_path, for_query, header_name

__all__ = [
    "Call",
    "Caller",
    "Handler",
    "HandlerResponse",
    "Hooks",
    "InvalidArguments",
    "Json",
    "NoAnswer",
    "Question",
    "Reply",
    "Result",
    "Tool",
    "UpstreamError",
]

_LITERAL = "/:@!$&'()*+,;=-._~%"
_VARIABLE = re.compile(r"\{([^{}]*)\}")
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
    """The request on the wire, below the base URL of the API; see `Call.request` for what is given.

    Raises `InvalidArguments` for what would reach another place than it says, or what HTTP cannot carry.
    """
    if not _METHOD.fullmatch(method) or method == "CONNECT":
        raise InvalidArguments(f"`{method[:20]}` is not a method of HTTP in capital letters")
    if json is not None and body is not None:
        raise ValueError("a request has `json` or `body`, not both")
    try:
        return _request(method, path, values, query, json, body, headers)
    except UnicodeEncodeError:
        raise InvalidArguments("a text holds half of a surrogate pair") from None


def _request(
    method: str,
    path: str,
    values: Mapping[str, Json],
    query: Mapping[str, Json],
    json: Json,
    body: bytes | None,
    headers: Mapping[str, str],
) -> UpstreamRequest:
    named = {name.lower(): value for name, value in headers.items()}
    sent = [("Accept", for_header(named.pop("accept", "application/json")))]
    kind = named.pop("content-type", "application/json" if json is not None else "")
    if kind:
        sent.append(("Content-Type", for_header(kind)))
    sent += [(header_name(name), for_header(value)) for name, value in named.items()]
    return UpstreamRequest(
        method,
        _path(path, values),
        "&".join(_pairs(query)),
        tuple(sent),
        body=compact_json(json).encode() if json is not None else body,
        template=path,
    )


def _path(template: str, values: Mapping[str, Json]) -> str:
    """The path with a value in the place of each `{name}`."""
    if not template.startswith("/") or any(mark in template for mark in "?#\\"):
        raise InvalidArguments(
            "a path begins with `/` and has no `?`, `#` or backslash; see `query`"
        )
    pieces = _VARIABLE.split(template)
    pieces[::2] = [quote(literal, safe=_LITERAL) for literal in pieces[::2]]
    for index in range(1, len(pieces), 2):
        name = pieces[index]
        if values.get(name) in (None, ""):
            raise InvalidArguments(f"the path has no value for `{name}`")
        pieces[index] = for_path(values[name])
    path = "".join(pieces)
    if climbs(path):
        raise InvalidArguments("a path must not have a segment `.` or `..`")
    if "//" in path:
        raise InvalidArguments("a path must not have an empty segment")
    return path


def _pairs(query: Mapping[str, Json]) -> Iterator[str]:
    """The encoded pairs; None is left out, and a list has a pair for each of its values."""
    for name, value in query.items():
        for each in value if isinstance(value, list | tuple) else (value,):
            if each is not None:
                yield f"{for_query(name)}={for_query(each)}"


__all__ = [
    "Call",
    "Caller",
    "Handler",
    "HandlerResponse",
    "Hooks",
    "InvalidArguments",
    "NoAnswer",
    "Question",
    "Reply",
    "Result",
    "UpstreamError",
]


# Made for each call; a frozen one would take five times as long to make.
@dataclass(slots=True)
class Call:
    """One call of a tool, with arguments that meet its announced schema, and who makes it. `state` is
    what the lifespan of the hooks has opened, None without one; `resources` are those it has changed.
    """

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
        """Says that the call changes the resource of a URI: clients that subscribed to it are told
        once the call is done."""
        self.resources.append(uri)

    async def upstream(self, arguments: Mapping[str, Json] | None = None) -> Result:
        """What the tool gives back without a hook, for these arguments or others; `answered` of it
        is what the API said."""
        if self.tool.answer:
            told = self if arguments is None else replace(self, arguments=arguments)
            result: Result = await self.tool.answer(told)
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
        """What the API answers to a request of the handler's own, whatever its status is.

        `path` stands below the base URL; each `{name}` in it is one segment, filled from `values`. Of
        the `query`, None is left out and a list repeats its name. The request goes the way of every
        other: through the rules of the policy, with the credentials of the tool's own request, or of
        the schemes whose ids `security` lists. Raises `InvalidArguments` for one that must not be sent,
        and `UpstreamError` if no answer comes; what a handler does not catch becomes an error result.
        """
        return await self.ask(outgoing(method, path, values, query, json, body, headers), security)

    async def elicit(
        self, message: str, schema: Mapping[str, Json], *, key: str = "", early: bool = False
    ) -> Reply:
        """What the user does with a form: one object of flat fields, as MCP restricts them.

        With revision 2026-07-28 the call is made anew once the answer is there, so a handler asks before it
        sends a request that changes something, and asks the same again. Earlier revisions need a
        session. Raises `NoAnswer` where there is no answer, which, not caught, becomes an error result;
        `ValueError` for a schema that cannot be asked. For `key` and `early` see `Question`.
        """
        (answer,) = await self.inquire(Question.form(message, schema, key=key, early=early))
        return _reply(answer)

    async def elicit_visit(self, message: str, url: str, id: str, *, key: str = "") -> Reply:
        """Whether the user agrees to open a URL, where what is not for the client's eyes is entered.

        Agreeing is not having done it: `id` is what the server knows the visit by. Errors as for
        `elicit`; `ValueError` for a URL that is not `https`.
        """
        (answer,) = await self.inquire(Question.visit(message, url, id, key=key))
        return _reply(answer)

    async def sample(
        self, messages: Sequence[Mapping[str, Json]], max_tokens: int, **more: Json
    ) -> Mapping[str, Json]:
        """What the client's model says to messages: `role`, `content`, `model`. Deprecated since
        revision 2026-07-28. Errors as for `elicit`."""
        (answer,) = await self.inquire(Question.sampling(messages, max_tokens, **more))
        return answer

    async def inquire(self, *questions: Question) -> Sequence[Mapping[str, Json]]:
        """The answers to several questions, in their order and as MCP writes them: with revision
        2026-07-28 all are asked at once. Errors as for `elicit`."""
        return await self.client.ask(*questions)

    async def hears(self, question: Question) -> bool:
        """Whether the client has declared that it can be asked a question."""
        return await self.client.hears(question)

    async def close_stream(self) -> None:
        """Closes the event stream of the call, so that no connection is held while it lasts: a client
        of 2025-11-25 takes the stream up again in its session, if these can be resumed. Others notice
        nothing."""
        await self.client.close_stream()

    async def progress(
        self, done: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Tells the client how far the call is; each time further than before. Clients that did not
        ask for it, or read no events, are not told."""
        await self.client.progress(done, total, message)

    async def log(self, level: Level, message: Json, logger: str | None = None) -> None:
        """Sends the client a message of the log, any JSON value, without secrets. Deprecated since
        revision 2026-07-28, in which only clients get it that ask."""
        await self.client.log(level, message, logger)


def _reply(answer: Mapping[str, Any]) -> Reply:
    # What comes with a refusal was compared with no schema.
    accepted = answer["action"] == "accept"
    return Reply(answer["action"], answer.get("content", {}) if accepted else {})


Handler = Callable[[Call], Awaitable[Result]]
"""Answers a call instead of the generated request, or around it."""


@dataclass(frozen=True)
class Hooks:
    """Handlers by tool name, what they need to be open, and how to make the client that reaches the
    API.

    `lifespan` makes, of the server's settings, what is entered before the first call and left after
    the last one; what it gives is `Call.state`. `client` is called once, when the server starts; it may
    return a session with a proxy, other trust or tracing, whose connector has `limit=0`, since
    `calls_at_once` bounds the connections. Time limits, redirects, decompression, and that no request is
    repeated but by the policy, stay as they are.
    """

    tools: Mapping[str, Handler] = field(default_factory=dict)
    client: Callable[[], aiohttp.ClientSession] | None = None
    lifespan: Callable[[Any], AbstractAsyncContextManager[Any]] | None = None

    def answering(self, handlers: Mapping[str, Handler]) -> Hooks:
        """The same, with handlers of the server's own."""
        return replace(self, tools={**self.tools, **handlers}) if handlers else self
