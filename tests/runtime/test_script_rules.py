"""A call made by a script passes every rule that a message of the caller passes."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from pydantic_settings import SettingsConfigDict
from tests.runtime.auth_servers import FixedCaller
from tests.runtime.conftest import WireUpstream, serving_tools, upstream_running
from tests.runtime.scripting import LIST, TOOLS, script_value, scripting, scripts
from tests.runtime.test_discovery import discovery
from tests.runtime.test_toolsets import list_tool_names

from mcpgen_runtime.auth.scopes import HiddenScopes, Roles, Scopes
from mcpgen_runtime.caller import Caller
from mcpgen_runtime.elicitation.confirm import Confirmation, ConfirmSettings
from mcpgen_runtime.limits.rate_limits import RateLimits, Rates, RateSettings
from mcpgen_runtime.observability.audit import Audit
from mcpgen_runtime.result import Result
from mcpgen_runtime.server.invocation import Finish, Invocation
from mcpgen_runtime.server.message_rules import IncomingMessage, MessageRefused, MessageRule
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.server.pagination import ResultPager
from mcpgen_runtime.settings import ServerSettings
from mcpgen_runtime.tool_parts import Page

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """Event loop shared by the tests of this module."""
    return "asyncio"


@pytest.fixture(scope="module")
async def api() -> AsyncIterator[WireUpstream]:
    """API with short answers."""
    async with upstream_running() as running:
        yield running


class RecordingMessageRule(MessageRule):
    """Middleware that records screened messages and calls, in order."""

    def __init__(self, refused_tool: str = "") -> None:
        self.seen: list[tuple[str, str, str]] = []
        self._refused = refused_tool

    async def screen(self, message: IncomingMessage) -> MessageRefused | None:
        """Refuses the calls of one tool."""
        self.seen.append(("screened", message.caller.subject, message.tool))
        if message.tool and message.tool == self._refused:
            return MessageRefused(403, -32003, "not today", {"again": "tomorrow"})
        return None

    async def refused(self, message: IncomingMessage, refusal: MessageRefused) -> None:
        """Records refusals."""
        self.seen.append(("refused", message.caller.subject, message.tool))

    async def call(self, invocation: Invocation, finish: Finish) -> Result:
        """Records calls."""
        self.seen.append(("called", invocation.caller.subject, invocation.tool.name))
        return await finish()


ADA = Caller("ada", frozenset({"read"}), roles=frozenset({"staff"}))


async def test_a_call_of_a_script_is_screened_and_made_in_the_name_of_its_caller(
    api: WireUpstream,
) -> None:
    watching = RecordingMessageRule()

    async with scripting(api.url, rules=(FixedCaller(ADA), watching)) as client:
        await script_value(client, "await db.orders.get({ id: 1 })")

    assert [item for item in watching.seen if item[2]] == [
        ("screened", "ada", "do"),
        ("called", "ada", "do"),
        ("screened", "ada", "get_order"),
        ("called", "ada", "get_order"),
    ]


async def test_a_call_that_its_message_would_be_refused_for_is_told_and_not_made(
    api: WireUpstream,
) -> None:
    api.requests.clear()
    recording_rule = RecordingMessageRule(refused_tool="delete_order")

    async with scripting(api.url, rules=(FixedCaller(ADA), recording_rule)) as client:
        message = await client.error("do", script="\nawait db.orders.delete({ id: 1 })")

    refusal, place = message.removeprefix("Error: ").split("\n  at line ")
    assert json.loads(refusal) == {
        "outcome": "denied",
        "code": -32003,
        "message": "not today",
        "again": "tomorrow",
    }
    assert place.startswith("2:")
    assert recording_rule.seen[-1] == ("refused", "ada", "delete_order")
    assert not api.requests


async def test_a_call_without_its_scope_throws_what_a_direct_call_says(api: WireUpstream) -> None:
    rules = (FixedCaller(ADA), Scopes({"delete_order": ("write",)}))

    async with scripting(api.url, rules=rules) as client:
        direct_error = await client.error("delete_order", id=1)
        script_error = await client.error("do", script="await db.orders.delete({ id: 1 })")

    assert script_error.startswith(f"Error: {direct_error}\n  at line 1:")
    assert json.loads(direct_error)["code"] == "scope_required"


@pytest.mark.parametrize(
    "rule", [HiddenScopes({"delete_order": ("write",)}), Roles({"delete_order": ("boss",)})]
)
async def test_what_a_caller_does_not_find_is_no_method_of_theirs(
    api: WireUpstream, rule: Middleware
) -> None:
    async with scripting(api.url, rules=(FixedCaller(ADA), rule)) as client:
        message = await client.error("do", script="await db.orders.delete({ id: 1 })")
        paper = (await client.call("do", script="db.orders.md"))["content"][0]["text"]

    assert message.startswith("Error: there is no `db.orders.delete`; there are: list, get\n")
    assert "db.orders.get" in paper
    assert "delete" not in paper


async def test_each_call_of_a_script_counts_once_for_a_rate(api: WireUpstream) -> None:
    rates = RateLimits(RateSettings(), Rates(subject_tools={"get_order": "3/minute"}), code=-32002)
    script = """
let made = 0
try { for (;;) { await db.orders.get({ id: 1 }); made++ } } catch (error) {
  return [made, JSON.parse((error as Error).message).message]
}
"""

    async with scripting(api.url, rules=(FixedCaller(ADA), rates)) as client:
        result, message = await script_value(client, script)

    assert result == 3
    assert message.startswith("Rate limit exceeded: 3 in 60 seconds")


async def test_each_call_of_a_script_has_its_line_in_the_audit(api: WireUpstream) -> None:
    events: list[Mapping[str, Any]] = []
    audit = Audit(ServerSettings(), events.append, server="orders")

    async with scripting(api.url, rules=(FixedCaller(ADA), audit)) as client:
        await script_value(client, "await db.orders.get({ id: 1 }); await db.orders.list()")

    result = [(event["subject"], event["tool"], event["outcome"]) for event in events]
    assert result == [("ada", "get_order", "ok"), ("ada", "list_orders", "ok"), ("ada", "do", "ok")]


async def test_a_script_gets_whole_what_a_model_gets_in_pages(api: WireUpstream) -> None:
    body = json.dumps([{"id": number} for number in range(500)]).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    paged_tool = replace(LIST, page=Page(bytes=200, cursor="cursor"))

    async with upstream_running() as own_upstream:
        own_upstream.answer = lambda _: head.encode() + b"\r\n\r\n" + body
        context_manager = serving_tools(
            paged_tool, upstream=own_upstream.url, rules=(ResultPager(),), offers=(scripts(),)
        )
        async with context_manager as client:
            direct_error = (await client.call("list_orders"))["content"][0]["text"]
            count = await script_value(client, "(await db.orders.list()).length")

    assert len(json.loads(direct_error)) < 500
    assert count == 500


class _Asking(ConfirmSettings):
    model_config = SettingsConfigDict(env_prefix="CANARY_")


@pytest.mark.parametrize("is_open", [False, True])
async def test_a_call_that_the_user_has_to_confirm_fails_and_sends_nothing(
    api: WireUpstream, is_open: bool
) -> None:
    api.requests.clear()
    rules = (Confirmation(_Asking(), ("delete_order",), open=is_open),)

    async with scripting(api.url, rules=rules) as client:
        message = await client.error("do", script="await db.orders.delete({ id: 1 })")

    assert message.startswith(
        "Error: A call inside another cannot ask the user; make it by itself.\n"
    )
    assert not api.requests


async def test_scripts_stand_beside_discovery_and_find_every_tool(api: WireUpstream) -> None:
    surface = discovery(*TOOLS)

    async with serving_tools(
        *TOOLS, upstream=api.url, surface=surface, offers=(scripts(),)
    ) as client:
        names = await list_tool_names(client, "/mcp")
        value = await script_value(client, "await db.orders.get({ id: 1 })")
        call_error = await client.error("call_write_tool", name="do", arguments={"script": "1"})

    assert names[-1] == "do"
    assert value == {}
    assert call_error == "`do` is in the list of tools itself; call it by its name."


async def test_arguments_of_a_script_meet_the_schema_of_the_tool(api: WireUpstream) -> None:
    api.requests.clear()

    async with scripting(api.url) as client:
        direct_error = await client.error("get_order", id="x")
        script_error = await client.error("do", script="await db.orders.get({ id: 'x' as any })")

    assert script_error == f"Error: {direct_error}\n  at line 1:17"
    assert not api.requests
