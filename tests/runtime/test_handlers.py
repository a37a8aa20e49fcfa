"""Tools without a request, and handlers that call the API themselves."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from tests.runtime.apps import create_app
from tests.runtime.conftest import Serving, WireUpstream

from mcpgen_runtime.hooks import (
    Call,
    Handler,
    HandlerResponse,
    Hooks,
    InvalidArguments,
    Result,
    UpstreamError,
)
from mcpgen_runtime.limits.circuit_breaker import CircuitBreaker, CircuitBreakerSettings
from mcpgen_runtime.server.app import ServerInfo, StartupError
from mcpgen_runtime.server.cli import load_app
from mcpgen_runtime.settings import ServerSettings
from mcpgen_runtime.tool import Argument, Hints, Route, Tool
from mcpgen_runtime.upstream.credentials import SecurityScheme

pytestmark = pytest.mark.anyio

HINTS = Hints(read_only=True, destructive=False, idempotent=True)
ASK = Tool(
    "ask",
    "Ask",
    "",
    None,
    HINTS,
    (
        Argument("question", "handler", {"type": "string"}, required=True),
        Argument("most", "handler", {"type": "integer", "minimum": 1, "default": 5}),
    ),
    filled={"most": 5},
)
KEYED = Tool("keyed", "Keyed", "", Route("GET", "/keyed", security=(("key",),)), HINTS)
KEY = SecurityScheme("key", "apiKey", place="header", name="X-Key", setting="key")


def make_handler(
    *request_arguments: Any, responses: list[HandlerResponse] | None = None, **request_options: Any
) -> Handler:
    """Returns a handler that makes one request and returns the status of the response."""

    async def handler(call: Call) -> Result:
        response = await call.request(*request_arguments, **request_options)
        if responses is not None:
            responses.append(response)
        return Result.text(str(response.status))

    return handler


def answer(status: bytes, body: bytes, *headers: bytes) -> bytes:
    """Returns the bytes of a response."""
    head = b"".join(header + b"\r\n" for header in headers)
    return b"HTTP/1.1 %s\r\nContent-Length: %d\r\n%s\r\n%s" % (status, len(body), head, body)


async def test_tool_without_a_handler_says_where_to_write_it(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with serving(ASK, upstream=upstream.url) as client:
        message = await client.error("ask", question="why")

    assert "canary_mcp/hooks.py" in message
    assert 'HOOKS = Hooks(tools={"ask": ...})' in message
    assert upstream.requests == []


async def test_tool_without_a_handler_judges_arguments_first(serving: Serving) -> None:
    async with serving(ASK, upstream="") as client:
        message = await client.error("ask", most=0)

    assert "question: required" in message
    assert "most" in message
    assert "hooks.py" not in message


async def test_handler_of_a_tool_without_a_request_gets_what_is_left_out(serving: Serving) -> None:
    async def ask(call: Call) -> Result:
        return Result.of(call.arguments)

    async with serving(ASK, upstream="", hooks=Hooks({"ask": ask})) as client:
        result = await client.call("ask", question="why")

    assert result["structuredContent"] == {"most": 5, "question": "why"}


async def test_handler_that_wants_the_request_of_a_tool_without_one_is_told_so(
    serving: Serving,
) -> None:
    async def ask(call: Call) -> Result:
        return await call.upstream()

    async with serving(ASK, upstream="", hooks=Hooks({"ask": ask})) as client:
        assert "nothing was sent" in await client.error("ask", question="why")


async def test_result_of_an_object_is_structured_and_text(serving: Serving) -> None:
    async def ask(call: Call) -> Result:
        return Result.of({"code": "none"}, "There is none.", failed=True)

    async with serving(ASK, upstream="", hooks=Hooks({"ask": ask})) as client:
        result = await client.call("ask", question="why")

    assert result["structuredContent"] == {"code": "none"}
    assert result["content"] == [{"type": "text", "text": "There is none."}]
    assert result["isError"] is True


async def test_request_of_a_handler_is_written_as_it_says(
    upstream: WireUpstream, serving: Serving
) -> None:
    ask = make_handler(
        "POST",
        "/streams/{stream}/records",
        values={"stream": "a b/c?d"},
        query={"limit": 2, "tag": ["x", "y&z"], "after": None, "all": True},
        json={"é": [1]},
        headers={"X-Trace": "7"},
    )

    async with serving(ASK, upstream=upstream.url + "/base", hooks=Hooks({"ask": ask})) as client:
        await client.call("ask", question="why")

    (request,) = upstream.requests
    path = "/base/streams/a%20b%2Fc%3Fd/records?limit=2&tag=x&tag=y%26z&all=true"
    assert request.line == f"POST {path} HTTP/1.1"
    assert json.loads(request.body) == {"é": [1]}
    assert request.all("content-type") == ["application/json"]
    assert request.all("x-trace") == ["7"]


async def test_handler_reads_status_headers_and_body_whatever_the_status(
    upstream: WireUpstream, serving: Serving
) -> None:
    responses: list[HandlerResponse] = []
    wire = answer(b"404 Not Found", b'{"message": "gone"}', b"Content-Type: application/json")
    upstream.answer = lambda _: wire
    ask = make_handler("GET", "/it", responses=responses)

    async with serving(ASK, upstream=upstream.url, hooks=Hooks({"ask": ask})) as client:
        result = await client.call("ask", question="why")

    assert result["content"][0]["text"] == "404"
    assert (responses[0].status, responses[0].body) == (404, {"message": "gone"})
    assert responses[0].headers["content-type"] == "application/json"
    assert responses[0].failure is not None
    assert "404 Not Found" in responses[0].failure.content[0]["text"]


async def test_handler_reads_no_secret_in_the_answer_to_its_own_request(
    upstream: WireUpstream, serving: Serving
) -> None:
    responses: list[HandlerResponse] = []
    wire = answer(
        b"200 OK", b"it is canary-secret", b"Content-Type: text/plain", b"X-A: canary-secret"
    )
    upstream.answer = lambda _: wire
    hooks = Hooks({"keyed": make_handler("GET", "/other", responses=responses)})

    async with serving(
        KEYED, upstream=upstream.url, hooks=hooks, schemes=(KEY,), key="canary-secret"
    ) as client:
        await client.call("keyed")

    assert upstream.requests[0].all("x-key") == ["canary-secret"]
    assert responses[0].text == "it is [secret]"
    assert responses[0].headers["x-a"] == "[secret]"


async def test_request_of_a_handler_has_credentials_only_where_they_are_declared_or_named(
    upstream: WireUpstream, serving: Serving
) -> None:
    async def ask(call: Call) -> Result:
        await call.request("GET", "/without")
        await call.request("GET", "/with", security=["key"])
        return Result.text("")

    async with serving(
        ASK, upstream=upstream.url, hooks=Hooks({"ask": ask}), schemes=(KEY,), key="canary-secret"
    ) as client:
        await client.call("ask", question="why")

    assert [request.all("x-key") for request in upstream.requests] == [[], ["canary-secret"]]


@pytest.mark.parametrize(
    ("path", "more"),
    [
        ("it", {}),
        ("//host/it", {}),
        ("/a/../b", {}),
        ("/a/%2e%2e/b", {}),
        ("/a?b=c", {}),
        ("/a#b", {}),
        ("/a\\b", {}),
        ("http://elsewhere/it", {}),
        ("/{name}", {}),
        ("/{name}", {"values": {"name": ".."}}),
        ("/{name}", {"values": {"name": ""}}),
        ("/x.{name}/y", {"values": {"name": "."}}),
        ("/a/{name}", {"values": {"name": "x\ny"}}),
        ("/{name}", {"values": {"name": "\ud800"}}),
        ("/a", {"headers": {"Host": "elsewhere"}}),
        ("/a", {"headers": {"Authorization": "Bearer mine"}}),
        ("/a", {"headers": {"X-A": "1\r\nX-B: 2"}}),
        ("/a", {"headers": {"Accept": "a\r\nX-B: 2"}}),
    ],
)
async def test_request_that_would_go_elsewhere_is_not_sent(
    upstream: WireUpstream, serving: Serving, path: str, more: dict[str, Any]
) -> None:
    hooks = Hooks({"ask": make_handler("GET", path, **more)})

    async with serving(ASK, upstream=upstream.url, hooks=hooks) as client:
        message = await client.error("ask", question="why")

    assert "must not be sent" in message
    assert upstream.requests == []


async def test_method_that_is_none_is_not_sent(upstream: WireUpstream, serving: Serving) -> None:
    hooks = Hooks({"ask": make_handler("GET /x HTTP/1.1\r\nA: b", "/a")})

    async with serving(ASK, upstream=upstream.url, hooks=hooks) as client:
        assert "must not be sent" in await client.error("ask", question="why")


async def test_request_without_an_address_names_the_variable(serving: Serving) -> None:
    hooks = Hooks({"ask": make_handler("GET", "/a")})

    async with serving(ASK, upstream="", hooks=hooks) as client:
        assert "CANARY_UPSTREAM" in await client.error("ask", question="why")


async def test_api_that_does_not_answer_a_handler_is_an_error_result(serving: Serving) -> None:
    hooks = Hooks({"ask": make_handler("GET", "/a")})

    async with serving(ASK, upstream="http://127.0.0.1:9", hooks=hooks) as client:
        assert "refuses the connection" in await client.error("ask", question="why")


async def test_handler_may_catch_that_no_answer_came_or_that_nothing_was_sent(
    serving: Serving,
) -> None:
    error: list[type[Exception]] = []

    async def ask(call: Call) -> Result:
        for path in ("/a", "no-path"):
            try:
                await call.request("GET", path)
            except (UpstreamError, InvalidArguments) as fault:
                error.append(type(fault))
        return Result.text("")

    async with serving(ASK, upstream="http://127.0.0.1:9", hooks=Hooks({"ask": ask})) as client:
        await client.call("ask", question="why")

    assert error == [UpstreamError, InvalidArguments]


async def test_answer_to_a_handler_is_read_to_the_limit(
    upstream: WireUpstream, serving: Serving
) -> None:
    responses: list[HandlerResponse] = []
    upstream.answer = lambda _: answer(b"200 OK", b'"' + b"x" * 900 + b'"')
    hooks = Hooks({"ask": make_handler("GET", "/a", responses=responses)})

    async with serving(ASK, upstream=upstream.url, hooks=hooks, result_bytes=100) as client:
        await client.call("ask", question="why")

    assert responses[0].body is None
    assert responses[0].failure is not None
    assert "larger than 100 bytes" in responses[0].failure.content[0]["text"]


async def test_stream_that_answers_a_handler_is_its_items(
    upstream: WireUpstream, serving: Serving
) -> None:
    responses: list[HandlerResponse] = []
    kind = b"Content-Type: application/x-ndjson"
    upstream.answer = lambda _: answer(b"200 OK", b'{"a": 1}\n{"a": 2}\n', kind)
    hooks = Hooks({"ask": make_handler("GET", "/a", responses=responses)})

    async with serving(ASK, upstream=upstream.url, hooks=hooks) as client:
        await client.call("ask", question="why")

    assert responses[0].body == [{"a": 1}, {"a": 2}]


async def test_rules_around_requests_stand_around_those_of_handlers(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda _: answer(b"503 Service Unavailable", b"")
    rule = CircuitBreaker(CircuitBreakerSettings(upstream=upstream.url), failures=2, seconds=60)

    async def ask(call: Call) -> Result:
        for _ in range(3):
            await call.request("GET", "/a")
        return Result.text("")

    async with serving(
        ASK, upstream=upstream.url, hooks=Hooks({"ask": ask}), rules=[rule]
    ) as client:
        message = await client.error("ask", question="why")

    assert "has failed 2 times in a row" in message
    assert len(upstream.requests) == 2


async def test_lifespan_is_entered_before_calls_and_left_after_them(serving: Serving) -> None:
    messages: list[str] = []

    @asynccontextmanager
    async def open_lifespan(settings: ServerSettings) -> AsyncIterator[dict[str, int]]:
        messages.append(f"open on {settings.host}")
        yield {"rows": 7}
        messages.append("closed")

    async def ask(call: Call) -> Result:
        messages.append("called")
        return Result.of(call.state)

    async with serving(
        ASK, upstream="", hooks=Hooks({"ask": ask}, lifespan=open_lifespan)
    ) as client:
        result = await client.call("ask", question="why")

    assert result["structuredContent"] == {"rows": 7}
    assert messages == ["open on 127.0.0.1", "called", "closed"]


@pytest.mark.parametrize(("tool", "starts"), [(ASK, True), (KEYED, False)])
def test_server_needs_an_address_only_if_a_tool_sends_by_itself(tool: Tool, starts: bool) -> None:
    def create(settings: ServerSettings) -> Any:
        return create_app(ServerInfo("c", "C", "1"), (tool,), (KEY,), settings, Hooks())

    if starts:
        assert load_app(ServerSettings, create, {}).settings.upstream == ""
    else:
        with pytest.raises(StartupError, match="has no address"):
            load_app(ServerSettings, create, {})


COUNT = Tool(
    "count",
    "Count",
    "",
    None,
    HINTS,
    output={
        "type": "object",
        "properties": {"notes": {"type": "integer"}},
        "required": ["notes"],
    },
)


@pytest.mark.parametrize(
    ("result", "value"),
    [
        (Result.text("Three notes."), "Three notes."),
        (Result.json({"notes": 3}), {"notes": 3}),
        (Result.text("{no JSON"), "{no JSON"),
    ],
)
async def test_text_of_a_handler_is_the_value_below_result(
    upstream: WireUpstream, serving: Serving, result: Result, value: object
) -> None:
    async def handler(call: Call) -> Result:
        return result

    tool = replace(COUNT, output={"type": "object", "properties": {"result": {}}}, wrapped=True)
    async with serving(tool, upstream=upstream.url, hooks=Hooks({"count": handler})) as client:
        tool_result = await client.call("count")

    assert (tool_result["isError"], tool_result["structuredContent"]) == (False, {"result": value})


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (Result.of({"notes": "three"}, "Three notes."), "result.notes"),
        (Result.text("Three notes."), "there is none"),
    ],
)
async def test_result_of_a_handler_that_breaks_the_promise_of_its_tool_is_an_error(
    upstream: WireUpstream, serving: Serving, result: Result, reason: str
) -> None:
    async def handler(call: Call) -> Result:
        return result

    async with serving(COUNT, upstream=upstream.url, hooks=Hooks({"count": handler})) as client:
        tool_result = await client.call("count")

    assert tool_result["isError"] is True
    assert "structuredContent" not in tool_result
    assert tool_result["content"][0]["text"] == "Three notes."
    assert "is not what the tool announces" in tool_result["content"][1]["text"]
    assert reason in tool_result["content"][1]["text"]


@pytest.mark.parametrize(
    "result",
    [Result.of({"notes": 3}), Result.of({"code": "none"}, failed=True), Result.error("No shelf.")],
)
async def test_result_of_a_handler_that_keeps_the_promise_or_fails_is_left_alone(
    upstream: WireUpstream, serving: Serving, result: Result
) -> None:
    async def handler(call: Call) -> Result:
        return result

    async with serving(COUNT, upstream=upstream.url, hooks=Hooks({"count": handler})) as client:
        tool_result = await client.call("count")

    assert {"resultType": "complete", **tool_result} == result.wire()


NO_RESULTS: list[Any] = [
    None,
    "text",
    {"content": []},
    Result(({"type": "text", "text": object()},)),
    Result((), structured={"at": object()}),
    Result((), structured={"at": float("nan")}),
    Result((), structured=["not", "an", "object"]),
    Result.text("fine").wire,
]


@pytest.mark.parametrize("value", NO_RESULTS, ids=lambda value: type(value).__name__)
async def test_what_is_no_result_of_mcp_becomes_an_error_result_without_its_insides(
    value: Any, serving: Serving
) -> None:
    async def ask(_: Call) -> Result:
        return value  # type: ignore[no-any-return]

    async with serving(ASK, upstream="", hooks=Hooks({"ask": ask})) as client:
        message = await client.error("ask", question="why")

    assert "internal error" in message
    assert "object" not in message


async def test_half_a_surrogate_pair_in_a_result_is_written_as_a_replacement(
    serving: Serving,
) -> None:
    async def ask(_: Call) -> Result:
        return Result.of({"a": "\ud800"})

    async with serving(ASK, upstream="", hooks=Hooks({"ask": ask})) as client:
        result = await client.call("ask", question="why")

    assert result["content"][0]["text"] == '{"a":"\ufffd"}'
    assert result["structuredContent"] == {"a": "\ufffd"}


async def test_half_a_surrogate_pair_in_a_block_of_the_handler_s_own_is_replaced(
    serving: Serving,
) -> None:
    async def ask(_: Call) -> Result:
        return Result(({"type": "text", "text": "a\ud800"},))

    async with serving(ASK, upstream="", hooks=Hooks({"ask": ask})) as client:
        result = await client.call("ask", question="why")

    assert result["content"][0]["text"] == "a\ufffd"


async def test_lifespan_that_cannot_open_keeps_the_server_from_starting(serving: Serving) -> None:
    events: list[str] = []

    @asynccontextmanager
    async def open_nothing(_: Any) -> AsyncIterator[None]:
        try:
            raise OSError("no such database")
            yield
        finally:
            events.append("left")

    with pytest.raises((OSError, ExceptionGroup), match="no such database"):
        async with serving(ASK, upstream="", hooks=Hooks(lifespan=open_nothing)):
            pass

    assert events == ["left"]


async def test_lifespan_that_cannot_close_ends_the_server_all_the_same(serving: Serving) -> None:
    async def ask(_: Call) -> Result:
        return Result.text("fine")

    @asynccontextmanager
    async def close_badly(_: Any) -> AsyncIterator[None]:
        yield
        raise OSError("still busy")

    with pytest.raises((OSError, ExceptionGroup), match="still busy"):
        async with serving(
            ASK, upstream="", hooks=Hooks({"ask": ask}, lifespan=close_badly)
        ) as client:
            assert (await client.call("ask", question="why"))["content"][0]["text"] == "fine"
