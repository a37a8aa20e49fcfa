"""Extraction from real texts: no false tool names, and at least 85 % of the true names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcpgen.diagnostics import Diagnostics
from mcpgen.openspec.lower.extraction import FactKind, Facts, facts_of
from mcpgen.openspec.parse import parse_requirements
from mcpgen.openspec.read.requirements import read_requirements

CORPUS = Path(__file__).parents[4] / "shared" / "corpus" / "openspec"
MANIFEST: list[dict[str, Any]] = (
    json.loads((CORPUS / "manifest.json").read_text(encoding="utf-8"))["docs"]
    if CORPUS.is_dir()
    else []
)
DOCUMENTS = [entry for entry in MANIFEST if entry["requirements"]]

pytestmark = pytest.mark.skipif(not DOCUMENTS, reason="the real documents are not here")


def _facts(name: str) -> Facts:
    source = read_requirements(str(CORPUS / name), Diagnostics())
    assert source is not None
    requirements = parse_requirements(source, Diagnostics())
    assert requirements is not None
    return facts_of(requirements)


@pytest.mark.parametrize("entry", DOCUMENTS, ids=lambda entry: entry["file"])
def test_no_name_is_taken_for_a_tool_that_is_none(entry: dict[str, Any]) -> None:
    assert set(_facts(entry["file"]).tools) <= set(entry["tools_found"])


def test_most_tools_are_found() -> None:
    count = sum(len(_facts(item["file"]).tools) for item in DOCUMENTS)
    expected_count = sum(len(item["tools_found"]) for item in DOCUMENTS)

    # The reference list comes from a looser search with six false tool names.
    assert count >= 0.85 * expected_count


def test_only_sentences_about_the_list_bind_it() -> None:
    exact = {
        item["file"]: {fact.names for fact in _facts(item["file"]).of(FactKind.EXACT_TOOLS)}
        for item in DOCUMENTS
    }

    assert sum(bool(lists) for lists in exact.values()) == 2
    assert all(len(lists) <= 1 for lists in exact.values())
