"""Calls in the documentation are calls of the project's tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from emit_servers import GET_PET, server, tool
from test_emit import emit_texts

from mcpgen.ir.builtin_tools import DocsSpec, ScriptSpec
from mcpgen.ir.server import ExpectedRequest, StubResponse, ToolScenario, ToolSpec

REQUIRED_ONLY = ("required_only", {"petId": 3})
EXAMPLE = ("example", {"petId": 77, "name": 'a"b'})
EVERYTHING = ("everything", {"petId": 3, "name": "a"})


def tool_with_scenarios(*calls: tuple[str, dict[str, Any]]) -> ToolSpec:
    """Returns a tool with a scenario per call."""
    request, answer = ExpectedRequest("GET", "/", {}, {}), StubResponse(204, "", None)
    tool_spec: ToolSpec = replace(
        GET_PET, scenarios=tuple(ToolScenario(*call, request, answer) for call in calls)
    )
    return tool_spec


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ((REQUIRED_ONLY, EVERYTHING, EXAMPLE), '{"get_pet": {"petId": 77, "name": \'a"b\'}}'),
        ((REQUIRED_ONLY, EVERYTHING), '{"get_pet": {"petId": 3}}'),
        ((EVERYTHING,), "{}"),
        ((("required_only", {}),), "{}"),
        ((REQUIRED_ONLY, ("example", {"name": "a" * 1_000})), '{"get_pet": {"petId": 3}}'),
    ],
)
def test_the_example_of_the_document_is_shown_or_else_what_is_needed(
    calls: tuple[tuple[str, dict[str, Any]], ...], expected: str
) -> None:
    documented = server(
        tool_with_scenarios(*calls),
        docs=DocsSpec(tool("docs"), {"pets": ("get_pet",)}),
        script=ScriptSpec(tool("do"), "db", {"pets": {"get": "get_pet"}}),
    )

    files = emit_texts(documented)

    line = f"EXAMPLES: dict[str, dict[str, Json]] = {expected}\n"
    assert line in files["pets_mcp/docs.py"]
    assert line in files["pets_mcp/script.py"]
