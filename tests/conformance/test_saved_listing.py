"""A saved `tools/list` is judged without a server."""

from __future__ import annotations

import json
from typing import Any

import pytest
from base_server import default_tools, tool

from mcpgen.conformance import CheckOptions, CheckStatus, Report, as_text, check_list

TOOLS = default_tools()


def violated_checks(report: Report) -> set[str]:
    """Ids of checks with findings."""
    return {o.check.id for o in report.outcomes if o.status is not CheckStatus.PASSED}


@pytest.mark.parametrize(
    "listing",
    [
        TOOLS,
        {"tools": TOOLS},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": TOOLS}},
        [{"tools": TOOLS[:2], "nextCursor": "2"}, {"tools": TOOLS[2:]}],
        [{"id": 1, "result": {"tools": TOOLS[:1]}}, {"id": 2, "result": {"tools": TOOLS[1:]}}],
    ],
    ids=["list", "result", "response", "pages", "responses"],
)
def test_every_way_to_save_a_list_is_read(listing: Any) -> None:
    report = check_list(json.dumps(listing))

    assert [result["name"] for result in report.tools] == ["add", "echo", "list_colours"]
    assert not violated_checks(report), as_text(report)


@pytest.mark.parametrize("text", ["{}", "7", '"tools"', '{"result": 7}', "{", '[{"tools": []}, 7]'])
def test_other_texts_are_refused_with_a_reason(text: str) -> None:
    with pytest.raises(ValueError, match=r"not JSON|neither a list of tools nor the answer"):
        check_list(text)


def test_checks_that_need_a_server_are_noted_as_omitted() -> None:
    report = check_list(json.dumps(TOOLS), CheckOptions(profiles=("protocol", "latency")))

    assert "ping-answers" not in {outcome.check.id for outcome in report.outcomes}
    assert any("need a running server" in note for note in report.notes)


def test_minimal_object_schema_is_accepted_at_the_root() -> None:
    minimal = {**tool("minimal", {}, []), "inputSchema": {"type": "object"}}

    report = check_list(json.dumps([minimal]))

    assert "universal-schema-root" not in violated_checks(report)


def test_defects_are_found_as_with_a_server() -> None:
    tools = [*TOOLS, TOOLS[0], tool("bad name", {"$a": {"type": "strin"}}, [])]

    texts = violated_checks(check_list(json.dumps(tools)))

    assert {"tool-name-unique", "tool-name-legal", "tool-schemas-valid"} <= texts
    assert {"universal-tool-name", "universal-argument-name"} <= texts


def test_unsaved_page_is_noted() -> None:
    listing = json.dumps({"tools": TOOLS, "nextCursor": "more"})

    report = check_list(listing, CheckOptions(profiles=("experience-workspace",)))

    assert "workspace-first-page" in violated_checks(report)
    assert "one more page" in report.notes[-1]


def test_list_is_judged_in_the_revision_of_its_shape() -> None:
    outputs = [tool("listed", {}, [], outputSchema={"type": "array"})]

    legacy = check_list(json.dumps({"tools": outputs}))
    modern = check_list(json.dumps({"tools": outputs, "resultType": "complete"}))

    assert (legacy.judged_as, modern.judged_as) == (("2025-11-25",), ("2026-07-28",))
    assert (legacy.revisions, modern.revisions) == ((), ())
    assert as_text(legacy).endswith("(a saved list; judged as 2025-11-25)\n")
    assert "output-schema-object" in violated_checks(legacy)
    assert not violated_checks(modern)


def test_empty_list_is_a_list() -> None:
    report = check_list("[]", CheckOptions(profiles=("experience-workspace",)))

    assert violated_checks(report) == {"workspace-has-tools"}
