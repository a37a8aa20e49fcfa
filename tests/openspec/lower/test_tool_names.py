"""Tool names in a text, and names of other things."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mcpgen.openspec.lower.extraction import Facts

Finds = Callable[[str], Facts]


def requirement(body: str, *steps: str, name: str = "The MCP server answers") -> str:
    """Returns a requirement with a scenario of the given steps."""
    listing = "".join(f"- {step}\n" for step in steps)
    return f"### Requirement: {name}\n\n{body}\n\n#### Scenario: The answer\n\n{listing}"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The system SHALL expose a `find_boat` tool that finds boats.", ["find_boat"]),
        ("The system SHALL provide `find_boat`, `list_boats`, and `sink_boat` tools.", ["find_boat", "list_boats", "sink_boat"]),
        ("The server SHALL provide MCP tools: `find_boat` (by `name`), `list_boats` / `sink_boat`.", ["find_boat", "list_boats", "sink_boat"]),
        ("The MCP server SHALL expose read-only tools: search (`find_boat`), list (`list_boats`).", ["find_boat", "list_boats"]),
        ("The system SHALL provide an MCP tool FindBoat that finds boats.", ["FindBoat"]),
        ("The server SHALL provide these MCP tools:\n\n- `find_boat`: finds\n- `list_boats(coast)` — lists\n", ["find_boat", "list_boats"]),
        ("The tools of the MCP server:\n\n| Tool | Purpose |\n|---|---|\n| `find_boat` | finds |\n| `list_boats` | lists |\n", ["find_boat", "list_boats"]),
        ("The MCP server SHALL provide `find_boat(name)` for boats.", ["find_boat"]),
        ("`find_boat` SHALL return at most ten boats.", ["find_boat"]),
        ("The server SHALL register a `find_boat` JSON-RPC tool.", ["find_boat"]),
        ("The web page and the MCP `find_boat` SHALL agree.", ["find_boat"]),
        ("The server SHALL expose an MCP tool named **findBoat** that takes **boatName**.", ["findBoat"]),
        ("Each of the MCP tools (`find_boat`…`list_boats`) SHALL answer.", ["find_boat", "list_boats"]),
    ],
)  # fmt: skip
def test_a_name_that_the_text_calls_a_tool_is_a_tool(
    facts: Finds, text: str, names: list[str]
) -> None:
    assert list(facts(requirement(text)).tools) == names


@pytest.mark.parametrize(
    "step",
    [
        "**WHEN** an agent calls `find_boat` with a `name`",
        "**WHEN** `find_boat` is called",
        "**WHEN** calling find_boat with a name",
        "**WHEN** a session calls `other_one` (or `find_boat`) without `confirm`",
        "**WHEN** `find_boat` runs without a name",
        "**WHEN** `find_boat` is given two names",
        "**WHEN** the server gets a `tools/call` request for `find_boat`",
        "**WHEN** Agent 调用 `find_boat`，参数为空",
        "**WHEN** 客戶端呼叫 `find_boat`",
    ],
)
def test_a_name_that_a_client_calls_is_a_tool_in_a_text_about_mcp(facts: Finds, step: str) -> None:
    assert "find_boat" in facts(requirement("It SHALL answer.", step)).tools


def test_a_list_that_a_client_receives_from_tools_list_names_tools(facts: Finds) -> None:
    text = requirement(
        "Both programs SHALL offer the same.",
        "**WHEN** a client calls `tools/list`",
        "**THEN** it receives `find_boat`, `list_boats` with the same descriptions",
    )

    assert facts(text).tools == ("find_boat", "list_boats")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("server SHALL 暴露两个 MCP 工具：`find_boat(name: str) -> str` 与 `list_boats`。", ["find_boat", "list_boats"]),
        ("The MCP server SHALL 返回 `find-boat` 和 `list-boats` 两个工具的名称。", ["find-boat", "list-boats"]),
        ("系統 SHALL 提供MCP 工具 `find_boat`，可查詢。", ["find_boat"]),
        ("MCP 服务 SHALL 通过 `find-boat` 工具查询。", ["find-boat"]),
        ("MCP 服务 SHALL 提供以下工具：\n\n| 工具 | 说明 |\n|---|---|\n| `find_boat` | 查询 |\n", ["find_boat"]),
        ("MCP 服务禁止提供 `sink_boat` 工具。MCP 服务 SHALL 提供 `find_boat` 工具。", ["find_boat"]),
    ],
)  # fmt: skip
def test_a_name_that_a_chinese_text_calls_a_tool_is_a_tool(
    facts: Finds, text: str, names: list[str]
) -> None:
    assert list(facts(requirement(text)).tools) == names


@pytest.mark.parametrize("name", ["Requirement: `find_boat` tool", "Tool: find_boat"])
def test_a_heading_names_a_tool(facts: Finds, name: str) -> None:
    text = requirement("The MCP server SHALL answer.", "**WHEN** the tool is called", name=name)

    assert facts(text.replace("Requirement: Requirement:", "Requirement:")).tools == ("find_boat",)


@pytest.mark.parametrize(
    "text",
    [
        "The MCP server SHALL expose a `find_boat` prompt that asks for a boat.",
        "The MCP server SHALL expose a `find_boat` resource.",
        "The `find_boat` function SHALL be called by the MCP server.",
        "The MCP server SHALL emit a `find_boat` event.",
        "The `find_boat` command SHALL start the MCP server.",
        "The MCP server SHALL NOT offer legacy tools such as `find_boat`.",
        "The MCP server SHALL read `find_boat.yaml` at its start.",
        "No `find_boat` MCP tool SHALL be there.",
        "The MCP server SHALL write `FIND_BOAT` into its log.",
        "The `boat-mcp` server SHALL offer its tools.",
        "The MCP server SHALL expose `FindBoat(string name)` returning boats.",
        "The recipe tools of the MCP server SHALL expose `boatKind` (a word) for boats.",
        "The MCP `boat_fields` parameter SHALL be a list.",
    ],
)
def test_a_name_of_another_thing_is_no_tool(facts: Finds, text: str) -> None:
    assert facts(requirement(text)).tools == ()


@pytest.mark.parametrize("step", ["`resolve(boat, 3)` is called", "CLI 调用 `find_boat`"])
def test_a_function_that_the_program_calls_is_no_tool(facts: Finds, step: str) -> None:
    assert facts(requirement("The MCP server SHALL answer.", f"**WHEN** {step}")).tools == ()


def test_an_exact_list_of_commands_names_no_tools(facts: Finds) -> None:
    text = requirement(
        "The run SHALL be fair.",
        "**WHEN** the permitted tool surface is inspected",
        "**THEN** it grants exactly `find`, `list` and no other command",
        name="The run has the two documented commands",
    )

    assert facts(text).tools == ()


def test_a_called_function_is_no_tool_in_a_text_about_a_library(facts: Finds) -> None:
    text = requirement(
        "The library SHALL open boats.",
        "**WHEN** `open_boat` is called",
        "**AND** the caller calls `close_boat` afterwards",
        name="Boats are opened",
    )

    assert facts(text).tools == ()
