"""The fast path answers plain requests before the SDK, with the SDK's answers."""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from tests.runtime.apps import create_app
from tests.runtime.conftest import CanarySettings
from tests.runtime.fast_path_equivalence import CASES, agreement, watching
from tests.thorough import keep

from mcpgen_runtime.fast_path import fast_path
from mcpgen_runtime.fast_path.rules import (
    MAX_BODY_BYTES,
    FastPathRequest,
    _accepted_keys,
    parse_request,
)
from mcpgen_runtime.hooks import Call, Hooks
from mcpgen_runtime.result import Result
from mcpgen_runtime.server.app import App, ServerInfo
from mcpgen_runtime.server.asgi import Message, with_body
from mcpgen_runtime.tool import Argument, Hints, Route, Tool

pytestmark = pytest.mark.anyio

MODERN = "2026-07-28"
BOTH = "application/json, text/event-stream"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}
TEXT = {"type": "string"}
TOOL = Tool(
    "greet",
    "Greet",
    "Says hello.",
    Route("GET", "/hello"),
    Hints(read_only=True, destructive=False, idempotent=True),
    (Argument("name", "query", TEXT),),
)
CALL = {"name": "greet", "arguments": {"name": "Ada"}}

Headers = dict[str, str]


AT_LENGTH = pytest.mark.thorough("repeats the first seed with other messages, three times as many")


@pytest.mark.parametrize(
    ("seed", "messages"),
    [(0, 1300), *(pytest.param(seed, 3800, marks=AT_LENGTH) for seed in (1, 2))],
)
@pytest.mark.parametrize(
    "case",
    keep(CASES, {*CASES}, "repeats the proof with one more feature", {"discovery", "guarded"}),
)
async def test_the_answers_are_those_of_the_sdk_alone(
    case: str,
    seed: int,
    messages: int,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    watching(monkeypatch.setattr)
    caplog.set_level("CRITICAL")

    outcome = await agreement(case, seed, messages)

    assert outcome.differences == []
    assert outcome.taken > messages / 13


def headers_of(revision: str | None = MODERN, **more: str) -> Headers:
    """Returns valid headers of a call; an underscore stands for a hyphen."""
    headers = {"host": "localhost:8000", "content-type": "application/json", "accept": BOTH}
    if revision:
        headers["mcp-protocol-version"] = revision
    if revision == MODERN:
        headers |= {"mcp-method": "tools/call", "mcp-name": "greet"}
    return headers | {name.replace("_", "-"): value for name, value in more.items()}


def call_of(revision: str | None = MODERN, **more: Any) -> dict[str, Any]:
    """Returns a valid message of a call."""
    params = {**CALL, "_meta": META} if revision == MODERN else CALL
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params, **more}


def parse_message(message: Any, headers: Headers, *repeated_names: str) -> FastPathRequest | str:
    """Parses a message on the fast path; the headers in `repeated_names` are sent twice."""
    pairs = [*headers.items(), *((name, headers[name]) for name in repeated_names)]
    raw = message if isinstance(message, bytes) else json.dumps(message).encode()
    scope = with_body({"headers": [(n.encode(), v.encode("latin-1")) for n, v in pairs]}, raw)
    return parse_request(scope, scope["body"], events=True)


def test_what_was_found_good_does_not_stand_for_what_is_not() -> None:
    def progressing(token: Any) -> dict[str, Any]:
        return call_of(params={**CALL, "_meta": {**META, "progressToken": token}})

    assert isinstance(parse_message(progressing(1), headers_of()), FastPathRequest)
    assert isinstance(parse_message(progressing(1.5), headers_of()), str)
    assert isinstance(parse_message(progressing("\ud800"), headers_of()), str)


def test_what_was_found_good_is_not_kept_with_long_headers() -> None:
    listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": META}}
    headers = headers_of() | {"mcp-method": "tools/list", "mcp-name": "x" * 2000}

    assert isinstance(parse_message(listing, headers), FastPathRequest)
    assert not any("x" * 2000 in str(key) for key in _accepted_keys)


@pytest.mark.parametrize("revision", [None, "2024-11-05", "2025-03-26", "2025-11-25", MODERN])
def test_a_call_as_it_should_be_is_plain(revision: str | None) -> None:
    request = parse_message(call_of(revision), headers_of(revision))

    assert isinstance(request, FastPathRequest)
    assert (request.name, request.arguments) == ("greet", {"name": "Ada"})


@pytest.mark.parametrize("revision", [None, MODERN])
@pytest.mark.parametrize("more", [{"mcp_session_id": "1"}, {"origin": "http://localhost:8000"}])
def test_what_says_nothing_to_the_sdk_changes_nothing(revision: str | None, more: Headers) -> None:
    assert isinstance(
        parse_message(call_of(revision), headers_of(revision, **more)), FastPathRequest
    )


NO_JSON = "the body may be something else than JSON"
UNREAD = "the client would not read the answer"
NO_REQUEST = "the body is not a request, or is more than that"
RULES = "headers and parameters do not meet the rules"
MORE = "the parameters say more, such as a cursor"
REPLAYED: list[tuple[str, dict[str, Any], Headers]] = [
    (NO_JSON, {}, {"content_type": "text/plain"}),
    (UNREAD, {}, {"accept": "text/event-stream"}),
    (UNREAD, {}, {"accept": "application/json"}),
    ("the revision is not known", {}, {"mcp_protocol_version": "1999-01-01"}),
    (NO_REQUEST, {"id": None}, {}),
    (NO_REQUEST, {"id": True}, {}),
    (NO_REQUEST, {"id": 2**53}, {}),
    (NO_REQUEST, {"id": "é"}, {}),
    (NO_REQUEST, {"jsonrpc": "1.0"}, {}),
    (NO_REQUEST, {"result": {}}, {}),
    (NO_REQUEST, {"method": ["tools/call"]}, {}),
    (RULES, {}, {"mcp_method": "tools/list"}),
    (RULES, {}, {"mcp_name": "other"}),
    (RULES, {"params": CALL}, {}),
    ("the method is another", {"method": "prompts/list"}, {"mcp_method": "prompts/list"}),
    (MORE, {"params": {**CALL, "_meta": META, "requestState": "x"}}, {}),
    (RULES, {"params": {**CALL, "_meta": META, "arguments": [1]}}, {}),
    (RULES, {"params": {**CALL, "_meta": {**META, "progressToken": 1.5}}}, {}),
]


@pytest.mark.parametrize(("reason", "body", "headers"), REPLAYED)
def test_what_is_in_doubt_is_replayed(reason: str, body: dict[str, Any], headers: Headers) -> None:
    assert parse_message(call_of(**body), headers_of(**headers)) == reason


def test_what_stands_twice_is_replayed() -> None:
    assert parse_message(call_of(), headers_of(), "mcp-name") == "a header stands twice"


def test_what_is_large_is_replayed() -> None:
    assert parse_message(b" " * MAX_BODY_BYTES + json.dumps(call_of()).encode(), headers_of()) == (
        "the body is large"
    )


def test_what_only_one_reader_takes_for_json_is_replayed() -> None:
    utf16 = json.dumps(call_of(None)).encode("utf-16")

    assert parse_message(utf16, headers_of(None)) == NO_REQUEST


class Exchange:
    """Sends requests to an app, and counts the requests that reach the SDK."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached = 0
        self.gone = asyncio.Event()
        handle_request = StreamableHTTPSessionManager.handle_request

        async def count_request(manager: StreamableHTTPSessionManager, *arguments: Any) -> None:
            self.reached += 1
            await handle_request(manager, *arguments)

        monkeypatch.setattr(StreamableHTTPSessionManager, "handle_request", count_request)

    async def ask(self, app: App, message: dict[str, Any], headers: Headers) -> Any:
        """Returns the app's JSON answer, from an event if needed; None for an empty answer."""
        body = [json.dumps(message).encode()]
        parts: list[Message] = []

        async def receive() -> Message:
            if body:
                return {"type": "http.request", "body": body.pop(), "more_body": False}
            await self.gone.wait()
            return {"type": "http.disconnect"}

        async def send(part: Message) -> None:
            parts.append(part)

        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": pairs}
        await app(scope, receive, send)
        text = b"".join(part.get("body", b"") for part in parts).decode()
        return json.loads(text[text.index("{") :]) if text else None


@pytest.fixture
def exchange(monkeypatch: pytest.MonkeyPatch) -> Exchange:
    """Requests to an app."""
    return Exchange(monkeypatch)


def serving(*tools: Tool, hooks: Hooks | None = None, **setting_values: Any) -> App:
    """Returns a server of tools."""
    settings = CanarySettings(upstream="http://127.0.0.1:9", **setting_values)
    return create_app(
        ServerInfo("canary", "C", "1"), tools, (), settings, hooks or Hooks({"greet": hello})
    )


async def hello(call: Call) -> Result:
    """Says hello."""
    return Result.text(f"hello {call.arguments['name']}")


@pytest.mark.parametrize("revision", ["2025-11-25", MODERN])
async def test_the_sdk_is_asked_for_the_first_answer_of_a_kind_alone(
    exchange: Exchange, revision: str
) -> None:
    async with serving(TOOL).running() as app:
        answers = [
            await exchange.ask(app, call_of(revision, id=id), headers_of(revision)) for id in "abc"
        ]

    assert exchange.reached == 1
    assert [answer["id"] for answer in answers] == ["a", "b", "c"]
    assert answers[2]["result"]["content"] == [{"type": "text", "text": "hello Ada"}]


async def test_without_the_setting_all_is_the_sdk_s(exchange: Exchange) -> None:
    async with serving(TOOL, fast_path=False).running() as app:
        for id in "abc":
            await exchange.ask(app, call_of(id=id), headers_of())

    assert exchange.reached == 3


async def test_while_spans_are_kept_all_is_the_sdk_s(
    exchange: Exchange, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider = TracerProvider()
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)

    async with serving(TOOL).running() as app:
        for id in "abc":
            await exchange.ask(app, call_of(id=id), headers_of())

    assert exchange.reached == 3


async def test_a_provider_that_the_lifespan_sets_is_noticed(
    exchange: Exchange, monkeypatch: pytest.MonkeyPatch
) -> None:
    @asynccontextmanager
    async def open_traces(_: Any) -> AsyncIterator[None]:
        provider = TracerProvider()
        monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
        yield

    async with serving(TOOL, hooks=Hooks({"greet": hello}, lifespan=open_traces)).running() as app:
        for id in "abc":
            await exchange.ask(app, call_of(id=id), headers_of())

    assert exchange.reached == 3


@pytest.mark.parametrize("revision", ["2025-11-25", MODERN])
async def test_a_call_that_lasts_is_left_to_the_sdk_and_made_once(
    exchange: Exchange, revision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fast_path, "SLOW_CALL_SECONDS", 0.01)
    calls = 0

    async def greet_slowly(call: Call) -> Result:
        nonlocal calls
        calls += 1
        await asyncio.sleep(0.1)
        return await hello(call)

    async with serving(TOOL, hooks=Hooks({"greet": greet_slowly})).running() as app:
        answer = await exchange.ask(app, call_of(revision), headers_of(revision))

    assert answer["result"]["content"][0]["text"] == "hello Ada"
    assert (exchange.reached, calls) == (1, 1)


@pytest.mark.parametrize("revision", ["2025-11-25", MODERN])
async def test_a_call_that_lasts_ends_with_its_client(
    exchange: Exchange, revision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fast_path, "SLOW_CALL_SECONDS", 0.01)
    start_event, end_event = asyncio.Event(), asyncio.Event()

    async def wait_forever(call: Call) -> Result:
        start_event.set()
        try:
            await asyncio.sleep(60)
        finally:
            end_event.set()
        return await hello(call)

    async with serving(TOOL, hooks=Hooks({"greet": wait_forever})).running() as app:
        exchange_task = asyncio.ensure_future(
            exchange.ask(app, call_of(revision), headers_of(revision))
        )
        await asyncio.wait_for(start_event.wait(), 120)
        exchange.gone.set()
        await asyncio.wait_for(asyncio.wait((exchange_task,)), 120)

    assert end_event.is_set()


async def test_arguments_that_must_stand_in_headers_are_for_the_sdk_to_compare(
    exchange: Exchange,
) -> None:
    mirrored_tool = replace(
        TOOL, arguments=(Argument("name", "query", {**TEXT, "x-mcp-header": "Name"}),)
    )
    named_headers = headers_of(mcp_param_name="Ada")

    async with serving(mirrored_tool).running() as app:
        refusal = await exchange.ask(app, call_of(), headers_of())
        answer = await exchange.ask(app, call_of(), named_headers)

    assert refusal["error"]["code"] == -32020
    assert answer["result"]["content"][0]["text"] == "hello Ada"
    assert exchange.reached == 2


async def test_a_list_that_a_revision_cannot_have_is_refused_in_that_one_alone(
    exchange: Exchange,
) -> None:
    odd_tool = replace(TOOL, name="odd", output={"type": "array"})
    listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": META}}
    legacy = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}

    async with serving(TOOL, odd_tool).running() as app:
        modern_headers = {**headers_of(), "mcp-method": "tools/list"}
        modern_answer = await exchange.ask(app, listing, modern_headers)
        refusal = await exchange.ask(app, legacy, headers_of(None))

    assert [tool["name"] for tool in modern_answer["result"]["tools"]] == ["greet", "odd"]
    assert refusal["error"]["code"] == -32603


async def test_what_is_left_of_a_call_needs_no_collector_of_garbage(exchange: Exchange) -> None:
    async with serving(TOOL).running() as app:
        await exchange.ask(app, call_of(), headers_of())
        gc.collect()
        gc.disable()
        try:
            for _ in range(100):
                await exchange.ask(app, call_of(), headers_of())
            count = gc.collect()
        finally:
            gc.enable()

    assert count < 100
