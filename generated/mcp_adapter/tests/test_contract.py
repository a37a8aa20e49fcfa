"""The contract with clients: the server card, the list of tools and the size of the list."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sample_calls import LEAST
from tests.support import Api

TOOLS = [
    "schema",
    "query_records",
    "aggregate",
    "search",
    "fetch",
]

CARD = json.loads((Path(__file__).parents[1] / "server-card.json").read_text("utf-8"))
"""The server card, as published to registries."""

LISTS = {
    "tools": ("tools", "tools/list"),
    "resources": ("resources", "resources/list"),
    "resourceTemplates": ("resources", "resources/templates/list"),
    "prompts": ("prompts", "prompts/list"),
}
"""By list of the card: the capability, and the method that returns the list."""

LIST_BYTES = 5332
"""Bytes of the announced tools as compact JSON; every conversation sends all of them."""

BUDGETS = {"tools_list_bytes": 24576}
"""The limits of mcpgen.toml: number of tools, bytes of the list, bytes of each tool."""


async def entries(api: Api, key: str) -> list[dict[str, Any]]:
    """The entries of all pages of a list; empty without the capability."""
    capability, method = LISTS[key]
    if capability not in CARD["capabilities"]:
        return []
    page = await api.request(method, version=CARD["mcpVersion"])
    found = list(page[key])
    while cursor := page.get("nextCursor"):
        page = await api.request(method, {"cursor": cursor}, version=CARD["mcpVersion"])
        found += page[key]
    return found


def weight(value: Any) -> int:
    """The bytes of a value as compact JSON."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


async def test_tools_are_exactly_those_announced_and_in_this_order(api: Api) -> None:
    listed = await api.request("tools/list")

    assert [tool["name"] for tool in listed["tools"]] == TOOLS


async def test_the_card_says_who_the_server_is_and_what_it_can(api: Api) -> None:
    asked = {"capabilities": {}, "clientInfo": {"name": "tests", "version": "1"}}
    asked |= {"protocolVersion": CARD["mcpVersion"]}

    opened = await api.request("initialize", asked, version=CARD["mcpVersion"])

    assert opened["protocolVersion"] == CARD["mcpVersion"]
    assert opened["serverInfo"] == CARD["serverInfo"]
    assert opened["capabilities"] == CARD["capabilities"]
    assert opened.get("instructions") == CARD.get("instructions")


@pytest.mark.parametrize("key", LISTS)
async def test_the_card_lists_what_the_server_announces(api: Api, key: str) -> None:
    listed = await entries(api, key)

    assert listed == CARD.get(key, [])


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
