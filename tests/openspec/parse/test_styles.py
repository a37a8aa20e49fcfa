"""Every style of the tables gives the expected result."""

from __future__ import annotations

import pytest
from tests.openspec.parse.reading import change, delta, names, outline, spec, view
from tests.openspec.parse.styles import ABOVE, DELTAS, MERGES, SPECS, STEPS

from mcpgen.diagnostics import Diagnostics
from mcpgen.openspec.parse import parse_requirements


@pytest.mark.parametrize(("body", "steps"), [row[1:] for row in STEPS], ids=[r[0] for r in STEPS])
def test_the_steps_of_a_scenario(body: str, steps: list[str]) -> None:
    requirements, _ = spec(ABOVE + body)

    assert requirements is not None
    (scenario,) = requirements.requirements[0].scenarios
    read = [f"{step.keyword or '-'} {step.role} {step.text}" for step in scenario.steps]
    assert read == steps
    assert [step.number for step in scenario.steps] == list(range(1, len(steps) + 1))


@pytest.mark.parametrize(
    ("text", "rows", "findings"), [row[1:] for row in SPECS], ids=[row[0] for row in SPECS]
)
def test_the_requirements_of_a_spec(text: str, rows: list[str], findings: list[str]) -> None:
    requirements, diagnostics = spec(text)

    assert outline(requirements) == rows
    assert names(diagnostics) == findings


@pytest.mark.parametrize(
    ("text", "rows", "findings"), [row[1:] for row in DELTAS], ids=[row[0] for row in DELTAS]
)
def test_the_requirements_of_a_delta(text: str, rows: list[str], findings: list[str]) -> None:
    requirements, diagnostics = delta(text)

    assert outline(requirements) == rows
    assert names(diagnostics) == findings


@pytest.mark.parametrize(
    ("main", "text", "requirements"), [row[1:] for row in MERGES], ids=[row[0] for row in MERGES]
)
def test_the_requirements_after_a_change(
    main: str | None, text: str, requirements: list[str] | None
) -> None:
    diagnostics = Diagnostics()

    result = parse_requirements(change(main, text), diagnostics)

    assert (
        [requirement.name for requirement in result.requirements] if result else None
    ) == requirements
    assert diagnostics.failed is (requirements is None)


def test_a_refusal_stands_where_the_delta_asks_for_it() -> None:
    _, main, text, _ = next(row for row in MERGES if row[0] == "MODIFIED that is not there")

    _, diagnostics = view(main, text)

    (diagnostic,) = [
        diagnostic for diagnostic in diagnostics if diagnostic.code.name == "unfitting-delta"
    ]
    assert (diagnostic.at.file, diagnostic.at.line) == ("delta.md", 2)


def test_change_that_removes_the_last_requirement_is_reported_at_its_delta() -> None:
    main = "# S\n\n## Purpose\nP.\n\n## Requirements\n\n### Requirement: A\nIt SHALL.\n"
    text = "# Delta\n\n## REMOVED Requirements\n\n### Requirement: A\n"
    diagnostics = Diagnostics()

    parse_requirements(change(main, text), diagnostics)

    (finding,) = [found for found in diagnostics if found.code.name == "no-requirement"]
    assert finding.message == "there are no requirements: none is left after the change `c`"
    assert (finding.at.file, finding.at.line) == ("delta.md", 1)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("## ADDED Requirements\n", "write `### Requirement: name` below `## ADDED Requirements`"),
        (
            "## REMOVED Requirements\n### Requirement: B\n",
            "give the folder `openspec` with `--change` in place of the delta",
        ),
    ],
)
def test_hint_for_a_delta_without_requirements_keeps_the_delta(text: str, hint: str) -> None:
    _, diagnostics = delta(text)

    (finding,) = [found for found in diagnostics if found.code.name == "no-requirement"]
    assert finding.hint == hint


def test_every_line_of_a_view_knows_the_file_it_was_written_in() -> None:
    _, main, text, _ = next(row for row in MERGES if row[0] == "everything at once")

    requirements = parse_requirements(change(main, text), Diagnostics())

    assert requirements is not None
    places = [
        (requirement.name, requirement.at.file, requirement.at.line)
        for requirement in requirements.requirements
    ]
    assert places == [("C", "delta.md", 8), ("D", "delta.md", 2)]
    assert requirements.requirements[0].was == "A"
    assert requirements.requirements[0].scenarios[0].steps[1].at.line == 13


def test_a_digest_changes_with_the_steps_and_not_with_how_they_are_written() -> None:
    lines = [
        "- **WHEN** a b\n- **THEN** c\n",
        "* WHEN a\n  b\n\n* then c\n",
        "1. **When**: *a* b\n2. THEN c\n",
        "- **WHEN** a b\n- **THEN** d\n",
    ]

    digests = []
    for body in lines:
        requirements, _ = spec(ABOVE + body)
        assert requirements is not None
        digests.append(requirements.requirements[0].scenarios[0].digest)

    assert digests[0] == digests[1] == digests[2] != digests[3]
    assert len(digests[0]) == 12


def test_places_are_lines_and_columns_from_one() -> None:
    requirements, _ = spec(ABOVE + "  - **WHEN** a\n    b\n  - **THEN** c\n")

    assert requirements is not None
    (requirement,) = requirements.requirements
    (scenario,) = requirement.scenarios
    places = [requirement.at, scenario.at, *(step.at for step in scenario.steps)]
    assert [(position.line, position.column) for position in places] == [
        (8, 1),
        (11, 1),
        (12, 3),
        (14, 3),
    ]


def test_title_purpose_and_texts_are_as_written() -> None:
    requirements, _ = spec(ABOVE + "- **WHEN** a\n  b\n\n")

    assert requirements is not None
    assert requirements.title == "Title"
    assert requirements.purpose.startswith("A purpose that is said")
    assert requirements.requirements[0].text == "It SHALL be."
    assert requirements.requirements[0].scenarios[0].text == "- **WHEN** a\n  b"
