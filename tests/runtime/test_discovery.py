"""Discovery mode: a few tools stand for all, and calls through them reach the intended tool."""

from __future__ import annotations

import json
from collections import UserDict
from collections.abc import ItemsView, Mapping
from dataclasses import replace
from threading import get_ident
from typing import Any

import pytest
from tests.runtime.conftest import Serving, WireUpstream

from mcpgen_runtime.caller import Caller
from mcpgen_runtime.result import Result
from mcpgen_runtime.search.discovery import MAX_RESULTS_BYTES, Discovery
from mcpgen_runtime.server.feature import Feature
from mcpgen_runtime.server.invocation import Finish, Invocation
from mcpgen_runtime.server.message_rules import IncomingMessage, MessageRefused, MessageRule
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.tool import Argument, Hints, Route, Tool

pytestmark = pytest.mark.anyio

READS = Hints(read_only=True, destructive=False, idempotent=True)
WRITES = Hints(read_only=False, destructive=True, idempotent=True)
TEXT = {"type": "string", "description": "A text."}
NAME = Argument("name", "query", TEXT, required=True)
GIVEN = Argument("arguments", "query", TEXT)
ID = Argument("id", "path", {"type": "integer", "description": "Which one."}, required=True)

GET = Tool("get_order", "Show an order", "", Route("GET", "/orders/{id}"), READS, arguments=(ID,))
DELETE = Tool(
    "delete_order", "Delete an order", "", Route("DELETE", "/orders/{id}"), WRITES, arguments=(ID,)
)
TOOLS = (GET, DELETE)


def discovery(
    *tools: Tool, groups: Mapping[str, tuple[str, ...]] | None = None, **options: Any
) -> Discovery:
    """Returns a discovery mode as a generated project declares it."""
    arguments = (
        Argument("query", "query", TEXT, required=True),
        Argument("tag", "query", TEXT),
    )
    return Discovery(
        tools,
        groups or {"Orders": tuple(tool.name for tool in tools), "Empty": ()},
        search=Tool("search_tools", "", "Finds.", None, READS, arguments=arguments),
        describe=Tool("describe_tool", "", "Describes.", None, READS, arguments=(NAME,)),
        reading=Tool("call_read_tool", "", "Reads.", None, READS, arguments=(NAME, GIVEN)),
        writing=Tool("call_write_tool", "", "Writes.", None, WRITES, arguments=(NAME, GIVEN)),
        **options,
    )


def text(result: dict[str, Any]) -> str:
    """Returns the text of a result."""
    return str(result["content"][0]["text"])


class OwnToolFeature(Feature):
    """Adds a tool of the server itself."""

    tools = (Tool("do", "Do", "", None, WRITES),)


LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


async def test_a_tool_is_found_by_what_is_said_of_its_group(
    serving: Serving, upstream: WireUpstream
) -> None:
    hop = Tool("hop", "Hop", "", Route("POST", "/hops"), WRITES)
    groups = {"Orders": ("get_order", "delete_order"), "Rings": ("hop",)}
    surface = discovery(
        *TOOLS, hop, groups=groups, tag_descriptions={"Rings": "Subscriptions of a season."}
    )

    async with serving(*TOOLS, hop, upstream=upstream.url, surface=surface) as client:
        result = await client.call("search_tools", query="a subscription")

    assert "- hop()!" in text(result)


async def test_the_list_has_the_few_and_what_is_pinned(
    serving: Serving, upstream: WireUpstream
) -> None:
    surface = discovery(*TOOLS, pinned=("delete_order",))

    async with serving(*TOOLS, upstream=upstream.url, surface=surface) as client:
        tools = (await client.post(LIST)).json()["result"]["tools"]

    assert [tool["name"] for tool in tools] == [
        *("search_tools", "describe_tool", "call_read_tool", "call_write_tool", "delete_order")
    ]


async def test_a_search_names_tools_with_what_they_need_and_whether_they_write(
    serving: Serving, upstream: WireUpstream
) -> None:
    async with serving(*TOOLS, upstream=upstream.url, surface=discovery(*TOOLS)) as client:
        answer = text(await client.call("search_tools", query="remove an order"))

    assert answer.splitlines()[1:] == [
        "- delete_order(id)!: Delete an order",
        "- get_order(id): Show an order",
    ]


async def test_an_answer_of_the_search_is_bounded(serving: Serving, upstream: WireUpstream) -> None:
    tools = tuple(
        replace(GET, name=f"get_order_{number}", title="Show an order " + "é" * 900)
        for number in range(50)
    )

    async with serving(*tools, upstream=upstream.url, surface=discovery(*tools)) as client:
        answer = text(await client.call("search_tools", query="order"))

    assert 1000 < len(answer.encode()) <= MAX_RESULTS_BYTES


async def test_a_search_stays_in_the_group_that_is_named_in_any_case(
    serving: Serving, upstream: WireUpstream
) -> None:
    async with serving(*TOOLS, upstream=upstream.url, surface=discovery(*TOOLS)) as client:
        group_answer = text(await client.call("search_tools", query="order", tag="orders"))
        empty_group_error = await client.error("search_tools", query="order", tag="Empty")
        error = await client.error("search_tools", query="order", tag="Order")

    assert "get_order" in group_answer
    assert "There is no group `Empty`" in empty_group_error
    assert "There is no group `Order`. Did you mean `Orders`?" in error


async def test_a_search_that_finds_nothing_tells_the_groups(
    serving: Serving, upstream: WireUpstream
) -> None:
    async with serving(*TOOLS, upstream=upstream.url, surface=discovery(*TOOLS)) as client:
        answer = text(await client.call("search_tools", query="xylophone"))

    assert answer == "No tool fits these words.\nGroups: Orders (2)"


class Watched(UserDict[str, tuple[str, ...]]):
    """Groups with a record of the reading threads."""

    def __init__(self, groups: Mapping[str, tuple[str, ...]]) -> None:
        super().__init__(groups)
        self.threads: list[int] = []

    def items(self) -> ItemsView[str, tuple[str, ...]]:
        """Notes the thread."""
        self.threads.append(get_ident())
        return super().items()


async def test_the_index_is_made_once_and_beside_other_calls(
    serving: Serving, upstream: WireUpstream
) -> None:
    groups = Watched({"Orders": ("get_order", "delete_order")})
    surface = discovery(*TOOLS, groups=groups)

    async with serving(*TOOLS, upstream=upstream.url, surface=surface) as client:
        for _ in range(2):
            await client.call("search_tools", query="order")

    assert len(groups.threads) == 1
    assert groups.threads != [get_ident()]


async def test_a_description_is_the_whole_definition_and_who_calls_it(
    serving: Serving, upstream: WireUpstream
) -> None:
    async with serving(*TOOLS, upstream=upstream.url, surface=discovery(*TOOLS)) as client:
        definition = json.loads(text(await client.call("describe_tool", name="delete_order")))

    assert definition["inputSchema"] == DELETE.input_schema
    assert definition["annotations"]["destructiveHint"] is True
    assert definition["callWith"] == "call_write_tool"


@pytest.mark.parametrize("arguments", ['{"id": 7}', {"id": 7}])
async def test_a_call_sends_what_the_direct_call_does(
    serving: Serving, upstream: WireUpstream, arguments: Any
) -> None:
    async with serving(*TOOLS, upstream=upstream.url, surface=discovery(*TOOLS)) as client:
        direct_result = await client.call("get_order", id=7)
        indirect_result = await client.call("call_read_tool", name="get_order", arguments=arguments)

    assert indirect_result == direct_result
    assert [request.line for request in upstream.requests] == ["GET /orders/7 HTTP/1.1"] * 2


@pytest.mark.parametrize(
    ("caller", "arguments", "message"),
    [
        ("call_read_tool", {"name": "delete_order", "arguments": {"id": 7}}, "`call_write_tool`"),
        ("call_write_tool", {"name": "get_order", "arguments": "{}"}, "`call_read_tool`"),
        ("call_read_tool", {"name": "get_ordr"}, "nearest are:\n- get_order"),
        ("call_read_tool", {"name": "show order"}, "- get_order"),
        ("call_read_tool", {"name": "get_order", "arguments": "{"}, "`arguments` is no JSON"),
        ("call_read_tool", {"name": "get_order", "arguments": '{"id": NaN}'}, "NaN is no number"),
        ("call_read_tool", {"name": "get_order", "arguments": "[" * 200_000}, "too deeply"),
        ("call_read_tool", {"name": "get_order", "arguments": "[7]"}, "must be a JSON object"),
        ("call_read_tool", {"name": "get_order", "arguments": {"id": "x"}}, "id: must be"),
        ("call_read_tool", {"name": "get_order"}, "id: required"),
        ("call_read_tool", {"name": "get_order", "id": 7}, "id: unknown argument"),
        ("call_read_tool", {"name": "call_read_tool"}, "call it by its name"),
        ("describe_tool", {"name": "describe_tool"}, "`describe_tool` is in the list of tools"),
        (
            "describe_tool",
            {"name": "do"},
            "`do` is in the list of tools itself; call it by its name",
        ),
        ("describe_tool", {"name": "delete"}, "- delete_order"),
        ("describe_tool", {"name": "zebra"}, "ask `search_tools`"),
    ],
)
async def test_a_call_that_cannot_be_made_says_what_helps_and_sends_nothing(
    serving: Serving, upstream: WireUpstream, caller: str, arguments: dict[str, Any], message: str
) -> None:
    surface, offers = discovery(*TOOLS), [OwnToolFeature()]

    async with serving(*TOOLS, upstream=upstream.url, surface=surface, offers=offers) as client:
        error = await client.error(caller, **arguments)

    assert message in error
    assert upstream.requests == []


async def test_nobody_is_told_that_a_tool_is_there_which_clients_do_not_find(
    serving: Serving, upstream: WireUpstream
) -> None:
    class Withholding(Feature):
        withheld = ("get_order",)

    surface, offers = discovery(*TOOLS), [Withholding()]

    async with serving(*TOOLS, upstream=upstream.url, surface=surface, offers=offers) as client:
        error = await client.error("describe_tool", name="get_order")

    assert "There is no tool `get_order`" in error


async def test_an_unknown_name_is_the_error_of_the_protocol(
    serving: Serving, upstream: WireUpstream
) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "none"}}

    async with serving(*TOOLS, upstream=upstream.url, surface=discovery(*TOOLS)) as client:
        content = (await client.post(message)).json()

    assert content["error"]["code"] == -32602


class Watch(MessageRule):
    """Rule that records screened and called tools, and hides one tool from anonymous callers."""

    def __init__(self) -> None:
        self.screened: list[tuple[str, Any]] = []
        self.called: list[tuple[str, Any]] = []

    async def screen(self, message: IncomingMessage) -> MessageRefused | None:
        """Notes the call in a message."""
        self.screened.append((message.tool, message.content["params"].get("arguments")))
        return None

    async def call(self, invocation: Invocation, finish: Finish) -> Result:
        """Records the call."""
        self.called.append((invocation.tool.name, invocation.arguments))
        return await finish()

    def shows(self, caller: Caller, tool: Tool) -> bool:
        """True except for `delete_order`."""
        return tool.name != "delete_order"


async def test_rules_see_the_call_that_is_meant_as_if_it_were_direct(
    serving: Serving, upstream: WireUpstream
) -> None:
    watch = Watch()
    surface = discovery(*TOOLS)

    async with serving(*TOOLS, upstream=upstream.url, surface=surface, rules=[watch]) as client:
        await client.call("call_write_tool", name="delete_order", arguments='{"id": 7}')
        await client.call("delete_order", id=7)

    assert watch.screened == [("delete_order", {"id": 7})] * 2
    assert watch.called == [("delete_order", {"id": 7})] * 2


class Withhold(Middleware):
    """Rule that makes one tool unknown to every caller."""

    def knows(self, caller: Caller, tool: Tool) -> bool:
        """True except for `delete_order`."""
        return tool.name != "delete_order"


async def test_a_tool_nobody_may_know_of_is_like_one_that_does_not_exist(
    serving: Serving, upstream: WireUpstream
) -> None:
    surface, rules = discovery(*TOOLS), [Withhold()]

    async with serving(*TOOLS, upstream=upstream.url, surface=surface, rules=rules) as client:
        hidden_error = await client.error(
            "call_write_tool", name="delete_order", arguments={"id": 7}
        )
        absent_error = await client.error(
            "call_write_tool", name="delete_ordex", arguments={"id": 7}
        )

    assert hidden_error.replace("delete_order", "delete_ordex") == absent_error
    assert upstream.requests == []


async def test_a_group_of_tools_nobody_may_know_of_is_like_one_that_does_not_exist(
    serving: Serving, upstream: WireUpstream
) -> None:
    groups = {"Orders": ("get_order", "delete_order"), "Danger": ("delete_order",)}
    surface, rules = discovery(*TOOLS, groups=groups), [Withhold()]

    async with serving(*TOOLS, upstream=upstream.url, surface=surface, rules=rules) as client:
        groups_answer = text(await client.call("search_tools", query="xylophone"))
        hidden_error = await client.error("search_tools", query="delete", tag="Danger")
        absent_error = await client.error("search_tools", query="delete", tag="Danges")

    assert groups_answer == "No tool fits these words.\nGroups: Orders (1)"
    assert hidden_error.replace("Danger", "Danges") == absent_error
    assert "Danger" not in absent_error


async def test_what_a_rule_hides_is_not_found_described_or_suggested(
    serving: Serving, upstream: WireUpstream
) -> None:
    groups = {"Orders": ("get_order",), "Deletions": ("delete_order",)}
    surface = discovery(*TOOLS, groups=groups, pinned=("delete_order",))

    async with serving(*TOOLS, upstream=upstream.url, surface=surface, rules=[Watch()]) as client:
        group_error = await client.error("search_tools", query="order", tag="Deletions")
        groups_answer = text(await client.call("search_tools", query="xylophone"))
        tools = (await client.post(LIST)).json()["result"]["tools"]
        answer = text(await client.call("search_tools", query="delete an order"))
        error = await client.error("describe_tool", name="delete_order")

    assert group_error == "There is no group `Deletions`.\nGroups: Orders (1)"
    assert "Deletions" not in groups_answer
    assert len(tools) == 4
    assert "delete_order" not in answer
    assert "- delete_order" not in error
