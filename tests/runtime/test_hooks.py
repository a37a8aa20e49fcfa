"""The user's code in the place of a tool, around it, or in the place of the client."""

from __future__ import annotations

import aiohttp
import pytest
from templates.project.package.runtime.hooks import Call, Hooks, Result
from templates.project.package.runtime.tool import Argument, Hints, Route, Tool
from tests.runtime.conftest import Serving, WireUpstream

pytestmark = pytest.mark.anyio

TOOL = Tool(
    "greet",
    "Greet",
    "",
    Route("GET", "/hello"),
    Hints(read_only=True, destructive=False, idempotent=True),
    (Argument("name", "query", {"type": "string"}, required=True, style="form", explode=True),),
)


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


async def test_hook_never_sees_arguments_that_are_wrong(
    upstream: WireUpstream, serving: Serving
) -> None:
    called: list[Call] = []

    async def greet(call: Call) -> Result:
        called.append(call)
        return Result.text("")

    async with serving(TOOL, upstream=upstream.url, hooks=Hooks({"greet": greet})) as client:
        told = await client.error("greet")

    assert "name: required" in told
    assert called == []


async def test_hook_that_fails_is_logged_and_not_told(
    upstream: WireUpstream, serving: Serving, caplog: pytest.LogCaptureFixture
) -> None:
    async def greet(call: Call) -> Result:
        raise LookupError("a detail of the inside")

    async with serving(TOOL, upstream=upstream.url, hooks=Hooks({"greet": greet})) as client:
        told = await client.error("greet", name="Jo")

    assert "detail" not in told
    reference = told.rsplit(" ", 1)[1].rstrip(".")
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
    made: list[aiohttp.ClientSession] = []

    def client_of_mine() -> aiohttp.ClientSession:
        made.append(aiohttp.ClientSession(headers={"X-Mine": "yes"}))
        return made[0]

    async with serving(TOOL, upstream=upstream.url, hooks=Hooks(client=client_of_mine)) as client:
        await client.call("greet", name="Jo")

    assert upstream.requests[0].all("x-mine") == ["yes"]
    assert made[0].closed
