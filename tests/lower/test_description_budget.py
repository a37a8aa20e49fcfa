"""Long lists get shorter descriptions, by a fixed threshold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.runtime_harness import declaration_of

from mcpgen.config import Config, DescriptionsConfig, Detail, Selection, Selector
from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.server import HintsSpec, ToolSpec
from mcpgen.lower import lower
from mcpgen.lower.descriptions import LEAN, MAX_RICH_TOOLS, RICH, description_budget
from mcpgen.parse import parse
from mcpgen.read import read
from mcpgen_runtime.server.tool_registry import tool_entry

GITHUB = Path(__file__).parents[3] / "shared" / "corpus" / "openapi" / "github.json"
MAX_BYTES = 900_000


@pytest.mark.parametrize(
    ("count", "expected"), [(1, RICH), (MAX_RICH_TOOLS, RICH), (MAX_RICH_TOOLS + 1, LEAN)]
)
def test_the_budget_has_one_step(count: int, expected: Any) -> None:
    assert description_budget(Detail.AUTO, count) == expected


def test_the_configuration_chooses_for_any_number() -> None:
    assert description_budget(Detail.RICH, 9_000) == RICH
    assert description_budget(Detail.LEAN, 1) == LEAN


def test_excluded_operations_do_not_count(build: Any) -> None:
    operations = [
        build.operation(id=f"do{n}", path=f"/t{n}", summary="Do more")
        for n in range(MAX_RICH_TOOLS + 1)
    ]
    selection = Selection(exclude=(Selector(operation="do0"),))

    lean = build.lower(build.api(*operations)).server.tools
    rich = build.lower(build.api(*operations), Config(selection=selection)).server.tools

    assert {tool.title for tool in lean} == {""}
    assert {tool.title for tool in rich} == {"Do more"}


@pytest.mark.parametrize(
    ("hints", "expected"),
    [
        (HintsSpec(True, False, True, True, True), {"readOnlyHint": True}),
        (HintsSpec(True, False, True, False, True), {"readOnlyHint": True, "openWorldHint": False}),
        (
            HintsSpec(False, False, False, True, True),
            {"readOnlyHint": False, "destructiveHint": False},
        ),
        (
            HintsSpec(False, True, True, True, True),
            {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True},
        ),
    ],
)
def test_brief_hints_leave_out_what_their_absence_means(hints: HintsSpec, expected: Any) -> None:
    assert hints.announced == expected


@pytest.mark.parametrize("detail", [Detail.RICH, Detail.LEAN])
@pytest.mark.parametrize("summary", ["", "List all pets"])
@pytest.mark.parametrize("method", ["GET", "PUT", "POST"])
def test_the_server_announces_what_was_weighed(
    build: Any, detail: Detail, summary: str, method: str
) -> None:
    config = Config(descriptions=DescriptionsConfig(detail))
    limit = build.parameter("query", "limit", {"type": "integer", "maximum": 9})

    tool: ToolSpec = build.lower_operation(
        limit, summary=summary, method=method, config=config
    ).tool

    assert json.dumps(tool_entry(declaration_of(tool))) == json.dumps(tool.announced)


@pytest.mark.repeated("repeats on the largest document what tests of single descriptions hold")
@pytest.mark.skipif(not GITHUB.exists(), reason="the document is not here")
def test_the_largest_list_stays_within_what_a_context_holds() -> None:
    diagnostics = Diagnostics()
    source = read(str(GITHUB), diagnostics)
    api = parse(source, diagnostics) if source else None
    assert api

    tools = lower(api, Config(), diagnostics).tools

    listing = json.dumps(
        [tool.announced for tool in tools], ensure_ascii=False, separators=(",", ":")
    )
    arguments = [argument for tool in tools for argument in tool.arguments]
    assert len(tools) == 1_223
    assert len(listing.encode()) < MAX_BYTES
    assert all(argument.schema["description"].strip() for argument in arguments)
