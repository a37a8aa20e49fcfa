"""Answers plain requests with the SDK's own bytes, without the SDK."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

from mcp.shared.inbound import x_mcp_header_map
from mcp_types.methods import SERVER_RESULTS, serialize_server_result
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from opentelemetry import trace
from pydantic import ValidationError

from ..caller import Caller, caller_of
from ..elicitation.client_channel import ClientChannel, QuestionLimits
from ..result import Result, is_plain_text, text_block
from ..server.app import Accelerate
from ..server.asgi import CLIENT, INFLIGHT_KEY, Asgi, Receive, Scope, Send, ascii_json, body_of
from ..server.tool_list import ListPage, tool_entry
from ..server.tool_registry import ToolRegistry
from ..server.transport_guard import EVENT_BYTES
from ..tool import Json, Tool
from .inflight_call import InflightCall, SlowCallTimer
from .response_templates import (
    Encode,
    ResponseTemplate,
    capture_template,
    utf8_json,
)
from .rules import CALL, LIST, FastPathRequest, parse_request

PATIENCE_SECONDS = 0.5
"""How long a call may last, and at most twice as long, before it is left to the SDK, which sees to
clients that hang up, and keeps connections alive."""

_TEXTS = ("one – of a mould", "two – of a mould")
_SAMPLES: tuple[dict[str, Any], ...] = tuple(
    {"name": text, "inputSchema": {"type": "object"}} for text in _TEXTS
)
_Kind = tuple[bool, bool] | str | None
"""What a mould is of: results that are failures, and have a value; a page of the list with the cursor of
the next one, None the last."""

_VALUE = {"value": "– of a mould"}


class ListCache:
    """Every tool as it stands in the list, encoded once for each form that the list has had."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        shown = [*_SAMPLES, *map(tool_entry, tools)]
        self._forms: dict[Any, Mapping[str, bytes]] = {}
        for revision in KNOWN_PROTOCOL_VERSIONS:
            form = SERVER_RESULTS[LIST, revision]
            if form not in self._forms:
                self._forms[form] = _encoded(revision, shown)

    def of(self, revision: str) -> Mapping[str, bytes]:
        """The tools by name; none if some of them cannot stand in a list of this revision."""
        return self._forms[SERVER_RESULTS[LIST, revision]]


def _encoded(revision: str, tools: Sequence[dict[str, Any]]) -> dict[str, bytes]:
    fixed = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    try:
        shaped = serialize_server_result(LIST, revision, {**fixed, "tools": tools})["tools"]
    except ValidationError:
        return {}
    return {tool["name"]: _encoder(revision)(tool) for tool in shaped}


def _encoder(revision: str) -> Encode:
    """How the SDK writes JSON in a revision; where it does not, no mould can be cast."""
    return ascii_json if revision in MODERN_PROTOCOL_VERSIONS else utf8_json


def open_fast_path(registry: ToolRegistry, limits: QuestionLimits) -> Accelerate | None:
    """The fast path of a server, to be placed before the SDK's applications; None where spans are
    exported, because only the SDK makes them."""
    if is_traced():
        return None
    lists = ListCache(registry.tools.values())

    def accelerate(app: Asgi, events: bool) -> Asgi:
        return FastPath(
            app, lists, registry.tools, registry.page, registry.result, limits, events=events
        )

    return accelerate


class FastPath:
    """One of the SDK's applications, behind an entrance for what is plain.

    `tools` are all by name, `page` is a page of those that a caller sees; `result` is that of a call.
    """

    def __init__(
        self,
        app: Asgi,
        lists: ListCache,
        tools: Mapping[str, Tool],
        page: Callable[[Caller, str | None], ListPage],
        result: Callable[[Caller, str, Mapping[str, Json], ClientChannel], Awaitable[Result]],
        limits: QuestionLimits,
        *,
        events: bool,
    ) -> None:
        self._app = app
        self._lists = lists
        self._tools = tools
        self._page = page
        self._result = result
        self._limits = limits
        self._events = events
        self._patience = SlowCallTimer(PATIENCE_SECONDS)
        self._moulds: dict[tuple[str, _Kind], ResponseTemplate | None] = {}
        self._shown: dict[str, tuple[Sequence[Tool], bytes]] = {}
        self._mirrored: dict[str, bool] = {}

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answers one request."""
        asked = parse_request(scope, body_of(scope), events=self._events)
        if isinstance(asked, str):
            return self._app(scope, receive, send)
        if asked.name is None:
            return self._list(asked, scope, receive, send)
        if asked.name in self._tools and not self._is_mirrored(asked.name):
            return self._call(asked.name, asked, scope, receive, send)
        return self._app(scope, receive, send)

    async def _list(
        self, asked: FastPathRequest, scope: Scope, receive: Receive, send: Send
    ) -> None:
        encode, encoded = _encoder(asked.revision), self._lists.of(asked.revision)
        page = self._page(caller_of(scope), None)
        key = asked.revision, page.following
        if key not in self._moulds:
            marks = [encoded.get(sample["name"], b"?") for sample in _SAMPLES]
            following = {"nextCursor": page.following} if page.following else {}
            result = {"tools": _SAMPLES, **following}
            self._moulds[key] = await capture_template(
                self._app, scope, asked.message, result, encode, marks
            )
        mould = self._moulds[key]
        if mould is None:
            await self._app(scope, receive, send)
            return
        tools = page.tools
        shown, contents = self._shown.get(asked.revision, (None, b""))
        if shown is not tools:
            contents = mould.between.join([encoded[tool.name] for tool in tools])
            self._shown[asked.revision] = tools, contents
        await mould.send(send, encode(asked.message["id"]), (contents,))

    async def _call(
        self, name: str, asked: FastPathRequest, scope: Scope, receive: Receive, send: Send
    ) -> None:
        async def wait(result: asyncio.Future[Result]) -> None:
            await self._app({**scope, INFLIGHT_KEY: result, CLIENT: client}, receive, send)

        begun = InflightCall(wait)
        meta = asked.message["params"].get("_meta")
        client = ClientChannel(self._limits, meta=meta, want=begun.leave)
        call = self._result(caller_of(scope), name, asked.arguments, client)
        result = await begun.answered(call, self._patience)
        if result is not None and not await self._told(result, asked, scope, send):
            ended: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
            ended.set_result(result)
            await wait(ended)

    async def _told(self, result: Result, asked: FastPathRequest, scope: Scope, send: Send) -> bool:
        """Whether a result is plain, and sent."""
        encode = _encoder(asked.revision)
        contents = _contents(result, asked.revision, encode) if _is_plain(result) else []
        if not contents:
            return False
        if self._events and sum(map(len, contents)) > EVENT_BYTES:
            return False
        *texts, value = contents
        kind = result.failed, bool(value)
        key = asked.revision, kind
        if key not in self._moulds:
            self._moulds[key] = await self._cast(kind, asked, scope, encode)
        mould = self._moulds[key]
        if mould:
            await mould.send(send, encode(asked.message["id"]), texts, value)
        return mould is not None

    async def _cast(
        self, kind: tuple[bool, bool], asked: FastPathRequest, scope: Scope, encode: Encode
    ) -> ResponseTemplate | None:
        """The mould of results of a kind."""
        failed, valued = kind
        sample = Result(tuple(map(text_block, _TEXTS)), _VALUE if valued else None, failed)
        marks = [encode(each) for each in (*_TEXTS, *([_VALUE] if valued else []))]
        return await capture_template(self._app, scope, asked.message, sample, encode, marks)

    def _is_mirrored(self, name: str) -> bool:
        """Whether arguments of a tool must stand in headers, too."""
        if name not in self._mirrored:
            self._mirrored[name] = bool(x_mcp_header_map(self._tools[name].input_schema))
        return self._mirrored[name]


def _is_plain(result: Result) -> bool:
    """Whether a result is texts, and perhaps a value; handlers may return what they like."""
    return (
        isinstance(result, Result)
        and isinstance(result.failed, bool)
        and result.needs is None
        and all(map(is_plain_text, result.content))
    )


def _contents(result: Result, revision: str, encode: Encode) -> list[bytes]:
    """The texts of a plain result and its value, `b""` for none, as JSON; nothing if there is no text,
    or what cannot be written, which is for the SDK to refuse."""
    value = b""
    try:
        if result.structured is not None:
            shaped = serialize_server_result(CALL, revision, result.wire())
            value = encode(shaped["structuredContent"])
        texts = [encode(block["text"]) for block in result.content]
    except (ValueError, TypeError):
        return []
    return [*texts, value] if texts else []


def is_traced() -> bool:
    """Whether spans go anywhere: the SDK makes one of each message. Asked at the start, after all that
    may set a provider was entered."""
    unheard = (trace.ProxyTracerProvider, trace.NoOpTracerProvider)
    return not isinstance(trace.get_tracer_provider(), unheard)
