"""Answers plain requests with the SDK's own bytes, without the SDK."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from mcp.shared.inbound import x_mcp_header_map
from mcp_types.methods import SERVER_RESULTS, serialize_server_result
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from opentelemetry import trace
from pydantic import ValidationError

from ..caller import Caller, caller_of
from ..result import Result, is_plain_text, text_block
from ..server.app import Accelerate
from ..server.asgi import INFLIGHT_KEY, Asgi, Receive, Scope, Send, ascii_json, body_of
from ..server.client_channel import ClientChannel, ClientChannels
from ..server.tool_registry import ListPage, ToolRegistry, tool_entry
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

SLOW_CALL_SECONDS = 0.5
"""Seconds after which a running call is handed to the SDK, at most twice as long. The SDK detects
disconnected clients and keeps connections alive."""

_TEXTS = ("one – of a mould", "two – of a mould")
_SAMPLES: tuple[dict[str, Any], ...] = tuple(
    {"name": text, "inputSchema": {"type": "object"}} for text in _TEXTS
)
_Kind = tuple[bool, bool] | str | None
"""Key of a template: for results, failure and structured content; for list pages, the next cursor,
None for the last page."""

_VALUE = {"value": "– of a mould"}


class ListCache:
    """The encoded list entry of every tool, once per form of `tools/list`."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        entries = [*_SAMPLES, *map(tool_entry, tools)]
        self._forms: dict[Any, Mapping[str, bytes]] = {}
        for revision in KNOWN_PROTOCOL_VERSIONS:
            form = SERVER_RESULTS[LIST, revision]
            if form not in self._forms:
                self._forms[form] = _encoded(revision, entries)

    def of(self, revision: str) -> Mapping[str, bytes]:
        """The encoded tools by name; empty if a tool does not fit the list of this revision."""
        return self._forms[SERVER_RESULTS[LIST, revision]]


def _encoded(revision: str, tools: Sequence[dict[str, Any]]) -> dict[str, bytes]:
    envelope = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    try:
        serialized = serialize_server_result(LIST, revision, {**envelope, "tools": tools})["tools"]
    except ValidationError:
        return {}
    return {tool["name"]: _encoder(revision)(tool) for tool in serialized}


def _encoder(revision: str) -> Encode:
    """The SDK's JSON encoding of a revision; with a wrong encoding no template can be captured."""
    return ascii_json if revision in MODERN_PROTOCOL_VERSIONS else utf8_json


def open_fast_path(registry: ToolRegistry, channels: ClientChannels) -> Accelerate | None:
    """The fast path of a server, to be placed before the SDK's applications; None where spans are
    exported, because only the SDK makes them."""
    if is_traced():
        return None
    lists = ListCache(registry.tools.values())

    def accelerate(app: Asgi, events: bool) -> Asgi:
        return FastPath(
            app, lists, registry.tools, registry.page, registry.result, channels, events=events
        )

    return accelerate


class FastPath:
    """Wraps an application of the SDK and answers plain requests itself.

    `tools` are all tools by name, `page` gives a page of the list for a caller, and `result` makes
    a call.
    """

    def __init__(
        self,
        app: Asgi,
        lists: ListCache,
        tools: Mapping[str, Tool],
        page: Callable[[Caller, str | None], ListPage],
        result: Callable[[Caller, str, Mapping[str, Json], ClientChannel], Awaitable[Result]],
        channels: ClientChannels,
        *,
        events: bool,
    ) -> None:
        self._app = app
        self._lists = lists
        self._tools = tools
        self._page = page
        self._result = result
        self._channels = channels
        self._events = events
        self._timer = SlowCallTimer(SLOW_CALL_SECONDS)
        self._templates: dict[tuple[str, _Kind], ResponseTemplate | None] = {}
        self._list_contents: dict[str, tuple[Sequence[Tool], bytes]] = {}
        self._mirrored: dict[str, bool] = {}

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answers a request, or passes the request to the SDK."""
        request = parse_request(scope, body_of(scope), events=self._events)
        if isinstance(request, str):
            return self._app(scope, receive, send)
        if request.name is None:
            return self._list(request, scope, receive, send)
        if request.name in self._tools and not self._is_mirrored(request.name):
            return self._call(request.name, request, scope, receive, send)
        return self._app(scope, receive, send)

    async def _list(
        self, request: FastPathRequest, scope: Scope, receive: Receive, send: Send
    ) -> None:
        encode, encoded = _encoder(request.revision), self._lists.of(request.revision)
        page = self._page(caller_of(scope), None)
        key = request.revision, page.next_cursor
        if key not in self._templates:
            marks = [encoded.get(sample["name"], b"?") for sample in _SAMPLES]
            next_cursor = {"nextCursor": page.next_cursor} if page.next_cursor else {}
            result = {"tools": _SAMPLES, **next_cursor}
            self._templates[key] = await capture_template(
                self._app, scope, request.message, result, encode, marks
            )
        template = self._templates[key]
        if template is None:
            await self._app(scope, receive, send)
            return
        tools = page.tools
        cached_tools, contents = self._list_contents.get(request.revision, (None, b""))
        if cached_tools is not tools:
            contents = template.between.join([encoded[tool.name] for tool in tools])
            self._list_contents[request.revision] = tools, contents
        await template.send(send, encode(request.message["id"]), (contents,))

    async def _call(
        self, name: str, request: FastPathRequest, scope: Scope, receive: Receive, send: Send
    ) -> None:
        async def wait(result: asyncio.Future[Result]) -> None:
            await self._app(
                {**scope, INFLIGHT_KEY: partial(inflight.hand_over, result)}, receive, send
            )

        inflight = InflightCall(wait)
        meta = request.message["params"].get("_meta")
        client = self._channels.open(inflight.context, meta)
        call = self._result(caller_of(scope), name, request.arguments, client)
        result = await inflight.run(call, self._timer)
        if result is not None and not await self._send_plain(result, request, scope, send):
            outcome: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
            outcome.set_result(result)
            await wait(outcome)

    async def _send_plain(
        self, result: Result, request: FastPathRequest, scope: Scope, send: Send
    ) -> bool:
        """Sends a plain result; returns False for other results."""
        encode = _encoder(request.revision)
        contents = _contents(result, request.revision, encode) if _is_plain(result) else []
        if not contents:
            return False
        if self._events and sum(map(len, contents)) > EVENT_BYTES:
            return False
        *texts, value = contents
        kind = result.failed, bool(value)
        key = request.revision, kind
        if key not in self._templates:
            self._templates[key] = await self._capture(kind, request, scope, encode)
        template = self._templates[key]
        if template:
            await template.send(send, encode(request.message["id"]), texts, value)
        return template is not None

    async def _capture(
        self, kind: tuple[bool, bool], request: FastPathRequest, scope: Scope, encode: Encode
    ) -> ResponseTemplate | None:
        """Captures the template for results of a kind."""
        failed, valued = kind
        sample = Result(tuple(map(text_block, _TEXTS)), _VALUE if valued else None, failed)
        marks = [encode(text) for text in (*_TEXTS, *([_VALUE] if valued else []))]
        return await capture_template(self._app, scope, request.message, sample, encode, marks)

    def _is_mirrored(self, name: str) -> bool:
        """True if a tool has arguments that are also sent as headers."""
        if name not in self._mirrored:
            self._mirrored[name] = bool(x_mcp_header_map(self._tools[name].input_schema))
        return self._mirrored[name]


def _is_plain(result: Result) -> bool:
    """True for a result of text blocks with optional structured content; handlers may return
    anything."""
    return (
        isinstance(result, Result)
        and isinstance(result.failed, bool)
        and result.needs is None
        and all(map(is_plain_text, result.content))
    )


def _contents(result: Result, revision: str, encode: Encode) -> list[bytes]:
    """The texts and the structured value as JSON, `b""` without a value; empty without texts or for
    invalid values, which the SDK reports."""
    value = b""
    try:
        if result.structured is not None:
            serialized = serialize_server_result(CALL, revision, result.wire())
            value = encode(serialized["structuredContent"])
        texts = [encode(block["text"]) for block in result.content]
    except (ValueError, TypeError):
        return []
    return [*texts, value] if texts else []


def is_traced() -> bool:
    """True if spans are exported: the SDK creates a span per message. Called after all lifespans
    that may set a provider."""
    silent_providers = (trace.ProxyTracerProvider, trace.NoOpTracerProvider)
    return not isinstance(trace.get_tracer_provider(), silent_providers)
