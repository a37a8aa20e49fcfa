"""Real documents: parsed requirements, scenarios and steps equal the numbers counted by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.openspec.parse.reading import delta, spec

SHARED = Path(__file__).parents[4] / "shared"
CORPUS = SHARED / "corpus" / "openspec"

PROSE = {"frap129__lorekeeper-mcp__mcp-tools.md": 33}
"""Parsed steps beyond the counted steps: bullets under acceptance criteria, and sentences above
the bullets with keywords in prose."""


def documents() -> list[dict[str, Any]]:
    """Returns the rows of the corpus' manifest; empty without a corpus."""
    manifest = CORPUS / "manifest.json"
    return json.loads(manifest.read_text(encoding="utf-8"))["docs"] if manifest.exists() else []


@pytest.mark.parametrize("row", documents(), ids=lambda row: row["file"])
def test_a_real_document_has_as_many_steps_as_people_count(row: dict[str, Any]) -> None:
    text = (CORPUS / row["file"]).read_text(encoding="utf-8")

    result, diagnostics = (delta if row["kind"] == "delta" else spec)(text)

    requirements = result.requirements if result else ()
    scenarios = [scenario for requirement in requirements for scenario in requirement.scenarios]
    steps = sum(len(scenario.steps) for scenario in scenarios) - PROSE.get(row["file"], 0)
    counts = (row["requirements"], row["scenarios"], row["steps"])
    assert (len(requirements), len(scenarios), steps) == counts
    assert diagnostics.failed is (row["requirements"] == 0)


def test_a_flattened_page_says_what_its_document_says() -> None:
    pages = sorted((SHARED / "seeds").glob("002*"))
    name = "PDP-Connect__pdpp__delta_define-mcp-agent-entrypoint-surface_mcp-adapter.md"
    if not pages or not (CORPUS / name).exists():
        pytest.skip("there is no such page")

    page, _ = delta(pages[0].read_text(encoding="utf-8"))
    requirements, _ = delta((CORPUS / name).read_text(encoding="utf-8"))

    assert page is not None
    assert requirements is not None
    for flat, requirement in zip(page.requirements, requirements.requirements, strict=True):
        assert flat.name == requirement.name.replace("`", "")
        for scenario, expected_scenario in zip(flat.scenarios, requirement.scenarios, strict=True):
            assert scenario.name == expected_scenario.name.replace("`", "")
            assert [(step.keyword, step.role, step.text) for step in scenario.steps] == [
                (step.keyword, step.role, step.text.replace("`", ""))
                for step in expected_scenario.steps
            ]
