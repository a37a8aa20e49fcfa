"""What this server has promised to its clients."""

import json
from typing import Any

import pytest

from tests.arguments import LEAST
from tests.support import Api

TOOLS = [
    "schema",
    "query_records",
    "aggregate",
    "search",
    "fetch",
]

LIST_BYTES = 5332
"""What the announced tools weigh as compact JSON: every conversation pays for them."""

BUDGETS = {"tools_list_bytes": 24576}
"""What mcpgen.toml allows: how many tools, how many bytes of their list and of each of them."""


def weight(value: Any) -> int:
    """The bytes of a value as compact JSON."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


async def test_tools_are_exactly_those_announced_and_in_this_order(api: Api) -> None:
    listed = await api.request("tools/list")

    assert [tool["name"] for tool in listed["tools"]] == TOOLS


async def test_list_of_tools_is_no_heavier_than_recorded(api: Api) -> None:
    listed = await api.request("tools/list")

    assert weight(listed["tools"]) <= LIST_BYTES


async def test_tools_stay_within_the_budgets_of_the_configuration(api: Api) -> None:
    listed = await api.request("tools/list")

    tools = listed["tools"]
    heaviest = max(weight(tool) for tool in tools)
    found = {"tools": len(tools), "tools_list_bytes": weight(tools), "tool_bytes": heaviest}
    assert {key: found[key] for key in BUDGETS if found[key] > BUDGETS[key]} == {}


@pytest.mark.parametrize("version", ["2025-03-26", "2025-11-25", "2026-07-28"])
async def test_a_tool_answers_in_every_era_of_the_protocol(api: Api, version: str) -> None:
    arguments = {"name": TOOLS[0], "arguments": LEAST.get(TOOLS[0], {})}

    result = await api.request("tools/call", arguments, version=version)

    assert result["content"][0]["type"] == "text"


async def test_health_is_reported(api: Api) -> None:
    assert await api.health() == 200
