"""Toolsets: an endpoint has only the tools of the toolset."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest
from tests.runtime.apps import create_app
from tests.runtime.conftest import CanarySettings, Client, Serving, WireUpstream

from mcpgen_runtime.hooks import Hooks
from mcpgen_runtime.server.app import ServerInfo
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.server.toolsets import Toolsets
from mcpgen_runtime.tool import Hints, Route, Tool

pytestmark = pytest.mark.anyio

HINTS = Hints(read_only=True, destructive=False, idempotent=True)
A, B, C = (Tool(name, name, "", Route("GET", f"/{name}"), HINTS) for name in "abc")
SETS = {"ab": ("a", "b"), "c": ("c",)}


class HidingToolRule(Middleware):
    """Rule that hides `b`."""

    def shows(self, caller: Any, tool: Tool) -> bool:
        """True except for `b`."""
        return tool.name != "b"


async def list_tool_names(client: Client, path: str) -> list[str]:
    """Returns the names of the tools at an endpoint."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answer = (await client.http.post(path, json=message)).json()
    return [tool["name"] for tool in answer["result"]["tools"]]


async def call_tool(client: Client, path: str, tool: str) -> dict[str, Any]:
    """Returns the answer to a call at an endpoint."""
    params = {"name": tool, "arguments": {}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    answer: dict[str, Any] = (await client.http.post(path, json=message)).json()
    return answer


async def test_each_endpoint_lists_its_own(upstream: WireUpstream, serving: Serving) -> None:
    async with serving(A, B, C, upstream=upstream.url, rules=[Toolsets(SETS)]) as client:
        result = {
            path: await list_tool_names(client, f"/mcp{path}") for path in ("", "/ab", "/ab/", "/c")
        }

    assert result == {"": ["a", "b", "c"], "/ab": ["a", "b"], "/ab/": ["a", "b"], "/c": ["c"]}


async def test_tool_of_another_set_is_unknown_and_nothing_is_sent(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with serving(A, B, C, upstream=upstream.url, rules=[Toolsets(SETS)]) as client:
        error_answer = await call_tool(client, "/mcp/ab", "c")
        request_count = len(upstream.requests)
        answer = await call_tool(client, "/mcp/c", "c")

    assert error_answer["error"]["message"] == "Unknown tool: c"
    assert request_count == 0
    assert not answer["result"]["isError"]


async def test_batch_at_an_endpoint_stays_in_its_set(
    upstream: WireUpstream, serving: Serving
) -> None:
    call = {"jsonrpc": "2.0", "method": "tools/call"}
    batch = [{**call, "id": i, "params": {"name": name}} for i, name in enumerate("ac")]

    async with serving(A, B, C, upstream=upstream.url, rules=[Toolsets(SETS)]) as client:
        first, second = (await client.http.post("/mcp/ab", json=batch)).json()

    assert "result" in first
    assert second["error"]["message"] == "Unknown tool: c"


async def test_default_set_is_served_at_the_main_endpoint(
    upstream: WireUpstream, serving: Serving
) -> None:
    rules = [Toolsets(SETS, default="c")]

    async with serving(A, B, C, upstream=upstream.url, rules=rules) as client:
        assert await list_tool_names(client, "/mcp") == ["c"]
        assert "error" in await call_tool(client, "/mcp", "a")
        assert await list_tool_names(client, "/mcp/ab") == ["a", "b"]


@pytest.mark.parametrize("path", ["/mcp/x", "/mcp/ab/c", "/mcp//ab", "/ab", "/mcp/AB"])
async def test_endpoint_of_no_set_is_not_there(
    upstream: WireUpstream, serving: Serving, path: str
) -> None:
    async with serving(A, upstream=upstream.url, rules=[Toolsets({"ab": ("a",)})]) as client:
        assert (await client.http.post(path, json={})).status_code == 404


async def test_what_a_rule_hides_stays_hidden_in_a_set(
    upstream: WireUpstream, serving: Serving
) -> None:
    rules = [HidingToolRule(), Toolsets(SETS)]

    async with serving(A, B, C, upstream=upstream.url, rules=rules) as client:
        assert await list_tool_names(client, "/mcp/ab") == ["a"]


async def test_each_set_has_instructions_of_its_own_or_those_of_the_server(
    upstream: WireUpstream,
) -> None:
    identity = ServerInfo("canary", "Canary", "1", "All.", {"ab": "A and B.", "c": ""})
    app = create_app(
        identity, (A, B, C), (), CanarySettings(upstream=upstream.url), Hooks(), [Toolsets(SETS)]
    )
    params = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}

    async with (
        app.running(),
        httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app), base_url="http://localhost:8000"
        ) as http,
    ):
        instructionses = [
            (await http.post(path, json=message)).json()["result"]["instructions"]
            for path in ("/mcp", "/mcp/ab", "/mcp/c")
        ]

    assert instructionses == ["All.", "A and B.", "All."]
