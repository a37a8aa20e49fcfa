"""Every MUST and SHOULD of the specification is quoted, and the quotes stand in the published text."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from specification import DIGESTS, SCHEMAS, digest, problem, published_schema, quotes

from mcpgen.conformance import TABLE, Level, explain
from mcpgen.conformance.checks.clauses import all_clauses, revisions_with_clause
from mcpgen.conformance.revisions import ALL

SPECIFICATION = os.environ.get("MCP_SPECIFICATION", "")


def test_every_must_check_has_a_clause_in_each_of_its_revisions() -> None:
    for id, entry in TABLE.items():
        if entry.level is Level.MUST:
            stated_revisions = {r for clause in all_clauses().get(id, ()) for r in clause.revisions}

            assert stated_revisions, f"{id} has no clause"
            assert (
                set(entry.revisions) <= stated_revisions
            ), f"{id}: {set(entry.revisions) - stated_revisions}"


def test_clauses_belong_to_checks_of_the_specification() -> None:
    levels = {id: TABLE[id].level for id in all_clauses()}

    assert set(levels.values()) == {Level.MUST, Level.SHOULD}


def test_every_quoted_sentence_was_found_in_the_published_text() -> None:
    published_digests = set(DIGESTS.read_text("utf-8").split())

    unknown = [
        (id, clause.sentence)
        for id, clause, r in quotes()
        if digest(clause, r) not in published_digests
    ]

    assert not unknown, "run `python -m tests.conformance.specification REPOSITORY`"
    assert published_digests == {digest(clause, revision) for _, clause, revision in quotes()}


@pytest.mark.skipif(not SPECIFICATION, reason="MCP_SPECIFICATION names no clone")
def test_every_quoted_sentence_stands_in_the_specification() -> None:
    problems = [problem(Path(SPECIFICATION), clause, revision) for _, clause, revision in quotes()]

    assert not any(problems), [text for text in problems if text]


@pytest.mark.skipif(not SPECIFICATION, reason="MCP_SPECIFICATION names no clone")
def test_schema_of_each_revision_is_the_published_schema() -> None:
    for revision in ALL:
        text = (SCHEMAS / f"{revision}.json").read_text("utf-8")

        assert text == published_schema(Path(SPECIFICATION), revision)


def test_explanation_quotes_the_sentence_of_each_revision() -> None:
    text = explain("capability-declared") or ""

    assert "2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28:" in text
    assert (
        "“Servers that support tools **MUST** declare the `tools` capability:” (Capabilities)"
        in text
    )
    assert "https://modelcontextprotocol.io/specification/2026-07-28/server/tools" in text


def test_check_without_a_clause_in_the_newest_revision_is_made_in_an_older_one() -> None:
    assert revisions_with_clause("annotations-boolean") == ALL[1:]
    assert revisions_with_clause("event-name-message") == ALL
