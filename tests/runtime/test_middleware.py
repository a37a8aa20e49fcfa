"""Hooks of middleware, and the order of hooks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from tests.runtime.apps import create_app
from tests.runtime.conftest import CanarySettings, Serving, WireUpstream

from mcpgen_runtime.caller import ANYBODY, Caller, scope_with_caller
from mcpgen_runtime.extensions import NotInstalled
from mcpgen_runtime.hooks import Call, Hooks
from mcpgen_runtime.result import Result
from mcpgen_runtime.server.app import ServerInfo
from mcpgen_runtime.server.asgi import Asgi, Receive, Scope, Send
from mcpgen_runtime.server.invocation import Deliver, Finish, Invocation, rules_overriding
from mcpgen_runtime.server.message_rules import (
    IncomingMessage,
    MessageRefused,
    MessageRule,
    MessageRules,
)
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.server.tool_registry import ToolRegistry
from mcpgen_runtime.tool import Hints, Route, Tool
from mcpgen_runtime.upstream.exchange import UpstreamRequest, UpstreamResponse

pytestmark = pytest.mark.anyio

TOOL = Tool("get", "Get", "Gets it.", Route("GET", "/it"), Hints(True, False, True))
OTHER = replace(TOOL, name="other")
LIST = {"jsonrpc": "2.0", "id": 7, "method": "tools/list"}


class Recorder(MessageRule):
    """Middleware with every hook; allows everything and records the hook calls."""

    def __init__(self, name: str, entries: list[str]) -> None:
        self.name, self.seen = name, entries

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Records start and end."""
        self.seen.append(f"{self.name} begins")
        yield
        self.seen.append(f"{self.name} ends")

    def gate(self, app: Asgi) -> Asgi:
        """Records each request."""

        async def app_with_caller(scope: Scope, receive: Receive, send: Send) -> None:
            self.seen.append(f"{self.name} gate")
            await app(scope_with_caller(scope, Caller(subject=self.name)), receive, send)

        return app_with_caller

    async def screen(self, message: IncomingMessage) -> MessageRefused | None:
        """Records each message."""
        self.seen.append(
            f"{self.name} screens {message.method} {message.tool} of {message.caller.subject}"
        )
        return None

    async def call(self, invocation: Invocation, finish: Finish) -> Result:
        """Records each call and the statuses of the API's responses."""
        result = await finish()
        self.seen.append(f"{self.name} call {invocation.statuses}")
        return result

    async def send(
        self, invocation: Invocation, request: UpstreamRequest, deliver: Deliver
    ) -> UpstreamResponse:
        """Records each request to the API."""
        self.seen.append(f"{self.name} sends {request.path}")
        return await deliver(request)


async def test_rules_stand_around_a_call_with_the_first_outermost(
    serving: Serving, upstream: WireUpstream
) -> None:
    names: list[str] = []
    rules = (Recorder("outer", names), Recorder("inner", names))

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        await client.call("get")

    assert names == [
        "outer begins",
        "inner begins",
        "outer gate",
        "inner gate",
        "outer screens tools/call get of inner",
        "inner screens tools/call get of inner",
        "outer sends /it",
        "inner sends /it",
        "inner call [200]",
        "outer call [200]",
        "inner ends",
        "outer ends",
    ]


async def test_a_refusal_of_a_screen_ends_the_request_with_its_status_and_id(
    serving: Serving, upstream: WireUpstream
) -> None:
    class RefusingMessageRule(MessageRule):
        """Refuses every message."""

        async def screen(self, message: IncomingMessage) -> MessageRefused | None:
            """Refuses."""
            return MessageRefused(429, -1, "Later", {"why": "full"}, (("Retry-After", "3"),))

    async with serving(TOOL, upstream=upstream.url, rules=[RefusingMessageRule()]) as client:
        response = await client.post(LIST)

    error = {"code": -1, "message": "Later", "data": {"why": "full"}}
    assert response.status_code == 429
    assert response.headers["retry-after"] == "3"
    assert response.json() == {"jsonrpc": "2.0", "id": 7, "error": error}


async def test_a_rule_that_fails_lets_no_call_through(
    serving: Serving, upstream: WireUpstream
) -> None:
    class LostStoreRule(Middleware):
        """Cannot decide."""

        async def call(self, invocation: Invocation, finish: Finish) -> Result:
            """Fails."""
            raise RuntimeError("the store is gone")

    async with serving(TOOL, upstream=upstream.url, rules=[LostStoreRule()]) as client:
        message = await client.error("get")

    assert "internal error" in message
    assert "store" not in message
    assert upstream.requests == []


async def test_a_list_that_depends_on_the_caller_is_private(
    serving: Serving, upstream: WireUpstream
) -> None:
    class HidingOtherRule(Middleware):
        """Hides one tool."""

        def shows(self, caller: Caller, tool: Tool) -> bool:
            """True except for `other`."""
            return tool.name != "other"

    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    modern = {**LIST, "params": {"_meta": meta}}
    async with serving(TOOL, OTHER, upstream=upstream.url, rules=[HidingOtherRule()]) as client:
        response = await client.post(
            modern, MCP_Protocol_Version="2026-07-28", Mcp_Method="tools/list"
        )

    result = response.json()["result"]
    assert [tool["name"] for tool in result["tools"]] == ["get"]
    assert result["cacheScope"] == "private"


async def test_a_hook_knows_who_calls(serving: Serving, upstream: WireUpstream) -> None:
    async def answer(call: Call) -> Result:
        return Result.text(call.caller.subject)

    hooks = Hooks({"get": answer})
    async with serving(
        TOOL, upstream=upstream.url, hooks=hooks, rules=[Recorder("ada", [])]
    ) as client:
        result = await client.call("get")

    assert result["content"] == [{"type": "text", "text": "ada"}]


def test_only_rules_that_take_a_place_are_asked_there() -> None:
    assert rules_overriding([Middleware()], "call") == ()
    assert not MessageRules([Middleware(), MessageRule()])
    assert ANYBODY.scopes is None


def test_a_rule_for_messages_needs_the_registry_that_applies_it() -> None:
    identity, settings = ServerInfo("canary", "Canary", "1"), CanarySettings()

    with pytest.raises(NotInstalled, match=r"server\.feature"):
        create_app(identity, [TOOL], [], settings, Hooks(), [MessageRule()], registry=ToolRegistry)
