"""User code in place of a tool, around a tool, or in place of the HTTP client."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from types import ModuleType

import aiohttp
import pytest
from tests.runtime.conftest import Serving, WireRequest, WireUpstream

from mcpgen.emit.models import models
from mcpgen_runtime.hooks import Call, HandlerResponse, Hooks, Result
from mcpgen_runtime.tool import Argument, Hints, Route, Tool
from mcpgen_runtime.upstream.credentials import SecurityScheme

pytestmark = pytest.mark.anyio

TOOL = Tool(
    "greet",
    "Greet",
    "",
    Route("GET", "/hello"),
    Hints(read_only=True, destructive=False, idempotent=True),
    (Argument("name", "query", {"type": "string"}, required=True, style="form", explode=True),),
)


KEY = SecurityScheme("key", "apiKey", place="header", name="X-Key", setting="key")


def answer(status: bytes, body: bytes, media_type: bytes = b"application/json") -> bytes:
    """Returns the bytes of a response."""
    head = b"HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
    return head % (status, media_type, len(body)) + body


async def test_hook_replaces_the_request(upstream: WireUpstream, serving: Serving) -> None:
    async def greet(call: Call) -> Result:
        return Result.json({"hello": call.arguments["name"]})

    async with serving(TOOL, upstream=upstream.url, hooks=Hooks({"greet": greet})) as client:
        result = await client.call("greet", name="Jo")

    assert result["content"][0]["text"] == '{"hello":"Jo"}'
    assert upstream.requests == []


async def test_hook_wraps_the_request_and_may_change_it(
    upstream: WireUpstream, serving: Serving
) -> None:
    async def greet(call: Call) -> Result:
        await call.upstream()
        return await call.upstream({"name": "Mr " + call.arguments["name"]})

    async with serving(TOOL, upstream=upstream.url, hooks=Hooks({"greet": greet})) as client:
        await client.call("greet", name="Jo")

    assert [request.target for request in upstream.requests] == [
        "/hello?name=Jo",
        "/hello?name=Mr%20Jo",
    ]


async def test_hook_may_go_by_what_the_api_answered(
    upstream: WireUpstream, serving: Serving
) -> None:
    body = b'{"code": "gone", "id": 7}'
    upstream.answer = lambda _: answer(b"404 Not Found", body, b"application/problem+json")

    async def greet(call: Call) -> Result:
        result = await call.upstream()
        assert result.failed
        assert result.answered == HandlerResponse(404, {"code": "gone", "id": 7})
        return Result.json({"outcome": "not_found"})

    async with serving(TOOL, upstream=upstream.url, hooks=Hooks({"greet": greet})) as client:
        result = await client.call("greet", name="Jo")

    assert result["content"] == [{"type": "text", "text": '{"outcome":"not_found"}'}]
    assert result["isError"] is False


async def test_hook_reads_no_secret_in_what_the_api_answered(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda _: answer(b"200 OK", b'{"key": "canary-secret"}')
    responses: list[HandlerResponse | None] = []

    async def greet(call: Call) -> Result:
        result = await call.upstream()
        responses.append(result.answered)
        return Result.json({}, failed=True)

    async with serving(
        TOOL,
        upstream=upstream.url,
        hooks=Hooks({"greet": greet}),
        schemes=(KEY,),
        key="canary-secret",
    ) as client:
        message = await client.error("greet", name="Jo")

    assert message == "{}"
    assert responses == [HandlerResponse(200, {"key": "[secret]"})]


@pytest.mark.parametrize(
    "body", [b"{", b"", b"[" * 200_000, b"plain"], ids=["cut", "empty", "deep", "text"]
)
async def test_hook_reads_nothing_of_an_answer_that_is_no_json(
    upstream: WireUpstream, serving: Serving, body: bytes
) -> None:
    upstream.answer = lambda _: answer(b"500 Internal Server Error", body)
    responses: list[HandlerResponse | None] = []

    async def greet(call: Call) -> Result:
        result = await call.upstream()
        responses.append(result.answered)
        return result

    async with serving(TOOL, upstream=upstream.url, hooks=Hooks({"greet": greet})) as client:
        await client.error("greet", name="Jo")

    assert responses == [HandlerResponse(500)]


async def test_hook_finds_no_answer_where_none_came(serving: Serving) -> None:
    results: list[Result] = []

    async def greet(call: Call) -> Result:
        results.append(await call.upstream())
        return results[0]

    unreachable_url = "http://127.0.0.1:9"
    async with serving(TOOL, upstream=unreachable_url, hooks=Hooks({"greet": greet})) as client:
        await client.error("greet", name="Jo")

    assert results[0].failed
    assert results[0].answered is None


async def test_hook_never_sees_arguments_that_are_wrong(
    upstream: WireUpstream, serving: Serving
) -> None:
    calls: list[Call] = []

    async def greet(call: Call) -> Result:
        calls.append(call)
        return Result.text("")

    async with serving(TOOL, upstream=upstream.url, hooks=Hooks({"greet": greet})) as client:
        message = await client.error("greet")

    assert "name: required" in message
    assert calls == []


async def test_hook_that_fails_is_logged_and_not_told(
    upstream: WireUpstream, serving: Serving, caplog: pytest.LogCaptureFixture
) -> None:
    async def greet(call: Call) -> Result:
        raise LookupError("a detail of the inside")

    async with serving(TOOL, upstream=upstream.url, hooks=Hooks({"greet": greet})) as client:
        message = await client.error("greet", name="Jo")

    assert "detail" not in message
    reference = message.rsplit(" ", 1)[1].rstrip(".")
    assert reference in caplog.text
    assert "a detail of the inside" in caplog.text


async def test_hook_on_a_tool_that_does_not_exist_stops_the_start(
    upstream: WireUpstream, serving: Serving
) -> None:
    async def greet(call: Call) -> Result:
        return Result.text("")

    with pytest.raises(ValueError, match="`great`, which is not a tool; did you mean `greet`"):
        async with serving(TOOL, upstream=upstream.url, hooks=Hooks({"great": greet})):
            pass


async def test_client_can_be_the_users_own(upstream: WireUpstream, serving: Serving) -> None:
    client_sessions: list[aiohttp.ClientSession] = []

    def client_of_mine() -> aiohttp.ClientSession:
        client_sessions.append(aiohttp.ClientSession(headers={"X-Mine": "yes"}))
        return client_sessions[0]

    async with serving(TOOL, upstream=upstream.url, hooks=Hooks(client=client_of_mine)) as client:
        await client.call("greet", name="Jo")

    assert upstream.requests[0].all("x-mine") == ["yes"]
    assert client_sessions[0].closed


PET = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "born-in": {"type": "integer"}},
    "required": ["name"],
    "additionalProperties": True,
}


async def test_hook_of_the_documentation_reads_and_writes_a_typed_body(
    upstream: WireUpstream, serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Path(__file__).parents[2] / "docs" / "generated-project.md"
    section = page.read_text("utf-8").partition("### Typed bodies and responses")[2]
    example = re.findall(r"```python\n(.*?)```", section, re.DOTALL)[0]
    schemas = ModuleType("pets_mcp.schemas")
    for name, module in {"pets_mcp": ModuleType("pets_mcp"), schemas.__name__: schemas}.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setitem(sys.modules, "pets_mcp.runtime", ModuleType("pets_mcp.runtime"))
    monkeypatch.setitem(sys.modules, "pets_mcp.runtime.hooks", sys.modules[Hooks.__module__])
    exec(models({"Pet": PET}), schemas.__dict__)
    namespace: dict[str, Hooks] = {}
    exec(example, namespace)
    arguments = tuple(
        Argument(name, "handler", {"type": "string"}, required=True) for name in ("id", "name")
    )
    tool = Tool("rename_pet", "Rename", "", None, TOOL.hints, arguments)

    def answer_request(request: WireRequest) -> bytes:
        return answer(b"200 OK", request.body or b'{"name": "rex", "born-in": 3, "new": [1]}')

    upstream.answer = answer_request
    async with serving(tool, upstream=upstream.url, hooks=namespace["HOOKS"]) as client:
        result = await client.call("rename_pet", id="a b", name="bello")

    read_request, write_request = upstream.requests
    assert (read_request.target, write_request.target) == ("/pets/a%20b", "/pets/a%20b")
    assert json.loads(write_request.body) == {"name": "Bello", "born-in": 3, "new": [1]}
    assert json.loads(result["content"][0]["text"]) == json.loads(write_request.body)
