"""docs/hosts.md names every check of Experience Workspace; with the page of facts without a check, every known host."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from all_servers import BROKEN_CASES

from mcpgen.conformance import TABLE

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "hosts.md").read_text("utf-8")
UNCHECKED = Path(__file__).with_name("facts_without_check.md").read_text("utf-8")
KNOWN = ROOT.parent / "shared" / "hosts" / "profiles.yaml"
TOLD = {
    "mcp_spec_2026_07_28": "mcp-2026-07-28",
    "mcp_spec_legacy": "earlier revisions",
    "adobe_experience_workspace": "experience-workspace",
    "mcp_registry_server_json": "server.json",
    "mcpb_manifest": "MCPB",
    "server_card": "server cards",
}
"""Names on the page for hosts without a profile of the same name."""


def test_checklist_names_checks_with_a_broken_server() -> None:
    section = PAGE.partition("## Experience Workspace")[2].partition("\n\nEach of them")[0]
    rows = [line.rsplit("|", 2)[1] for line in section.splitlines() if line.startswith("| ")]
    checklist_ids = {id for row in rows for id in re.findall("`([a-z0-9-]+)`", row)}

    assert checklist_ids <= TABLE.keys()
    assert checklist_ids <= {case.check for case in BROKEN_CASES}
    assert {id for id in TABLE if id.startswith("workspace-")} <= checklist_ids
    assert len(rows) == 2 + 12


def test_every_known_host_is_checked_or_has_a_reason() -> None:
    if not KNOWN.exists():
        pytest.skip("what is known of hosts is not here")

    ids = re.findall(r"^  - id: (\S+)$", KNOWN.read_text("utf-8"), re.MULTILINE)

    assert [id for id in ids if TOLD.get(id, f"`{id}`") not in PAGE + UNCHECKED] == []
    assert ids
