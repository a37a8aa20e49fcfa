"""Calls that ask their client with revision 2026-07-28: in rounds, without sessions."""

from __future__ import annotations

from typing import Any

import pytest
from templates.project.package.runtime.hooks import Call, Hooks, Question, Result
from templates.project.package.runtime.tool import Argument, Hints, Route, Tool
from tests.runtime.conftest import Client, Serving, WireUpstream

pytestmark = pytest.mark.anyio

ORDER = Tool(
    "order",
    "",
    "",
    Route("POST", "/orders"),
    Hints(read_only=False, destructive=True, idempotent=False),
    (Argument("item", "query", {"type": "string"}, style="form", explode=True),),
)
SCHEMA = {
    "type": "object",
    "properties": {"approved": {"type": "boolean"}},
    "required": ["approved"],
}
FORMS: dict[str, Any] = {"elicitation": {}}


async def approve(call: Call) -> Result:
    """Orders what the user approves of."""
    reply = await call.elicit("Order it?", SCHEMA)
    if not reply.accepted or not reply.content["approved"]:
        return Result.error(f"The user said no ({reply.action}).")
    return await call.upstream()


def message(
    declared: dict[str, Any] = FORMS, arguments: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    """A call of the newest revision by a client that has declared these capabilities."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": declared,
    }
    params = {"name": "order", "arguments": arguments or {"item": "tea"}, "_meta": meta, **more}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


async def posted(client: Client, content: dict[str, Any], **headers: str) -> dict[str, Any]:
    """What a message is answered with."""
    given = {
        "MCP_Protocol_Version": "2026-07-28",
        "Mcp_Method": "tools/call",
        "Mcp_Name": "order",
        "Accept": "application/json, text/event-stream",
        **headers,
    }
    answer: dict[str, Any] = (await client.post(content, **given)).json()
    return answer


@pytest.mark.parametrize("fast", [True, False])
async def test_call_is_made_anew_with_the_answer(
    upstream: WireUpstream, serving: Serving, fast: bool
) -> None:
    hooks = Hooks({"order": approve})
    async with serving(ORDER, upstream=upstream.url, hooks=hooks, fast_path=fast) as client:
        asked = (await posted(client, message()))["result"]
        before = len(upstream.requests)
        yes = {"action": "accept", "content": {"approved": True}}
        (key,) = asked["inputRequests"]
        again = message(inputResponses={key: yes}, requestState=asked["requestState"])
        done = (await posted(client, again))["result"]

    assert asked["resultType"] == "input_required"
    assert asked["inputRequests"][key]["params"]["message"] == "Order it?"
    assert (before, len(upstream.requests)) == (0, 1)
    assert done["resultType"] == "complete"
    assert not done["isError"]
