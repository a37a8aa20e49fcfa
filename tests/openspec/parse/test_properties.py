"""Properties of every text, meaningful or not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from tests.openspec.parse.reading import delta, document, spec, view
from tests.openspec.parse.styles import ABOVE, DELTAS, MERGES, SPECS, STEPS
from tests.thorough import examples

from mcpgen.openspec.model.markdown import fenced_lines
from mcpgen.openspec.model.requirements import Requirements
from mcpgen.openspec.parse.lines import strip_markdown

TEXTS = [
    *(ABOVE + row[1] for row in STEPS),
    *(row[1] for row in SPECS),
    *(row[1] for row in DELTAS),
    *(row[2] for row in MERGES),
]
LINES = sorted({line for text in TEXTS for line in text.splitlines()})
MARKS = ["#", "*", "_", "`", "```", "- ", "\\", ":", "\t", "\u2028", "\ufeff", "\x00", "**", "~~~"]

lines = some.lists(
    some.sampled_from(LINES) | some.lists(some.sampled_from(MARKS), max_size=6).map("".join)
)
texts = lines.map("\n".join) | some.text(max_size=200)


def places(requirements: Requirements) -> list[tuple[str, int, int]]:
    """Returns names and steps of requirements with lines and columns."""
    rows = []
    for requirement in requirements.requirements:
        rows.append((requirement.name, requirement.at.line, requirement.at.column))
        for scenario in requirement.scenarios:
            rows.append((scenario.name, scenario.at.line, scenario.at.column))
            rows += [(step.text[:3], step.at.line, step.at.column) for step in scenario.steps]
    return rows


@settings(max_examples=examples(100, 300))
@given(texts)
def test_a_text_has_requirements_or_an_error(text: str) -> None:
    for read in (spec, delta):
        requirements, diagnostics = read(text)

        assert (requirements is None) <= diagnostics.failed
        assert all(
            diagnostic.at.line > 0 and diagnostic.at.column > 0 for diagnostic in diagnostics
        )


@settings(max_examples=examples(100, 300))
@given(texts)
def test_everything_stands_on_the_line_it_says(text: str) -> None:
    text_lines = document(text).text.split("\n")

    for requirements, _ in (spec(text), delta(text)):
        for start, line, column in places(requirements) if requirements else ():
            assert 1 <= line <= len(text_lines)
            assert text_lines[line - 1][column - 1 :].strip() or not start


@settings(max_examples=examples(80, 200))
@given(some.sampled_from([row[1] for row in MERGES]), texts)
def test_a_change_is_applied_or_refused(main: str | None, text: str) -> None:
    spec_view, diagnostics = view(main, text)

    assert (spec_view is None) is diagnostics.failed
    assert spec_view is None or all(line.file and line.number > 0 for line in spec_view.lines)


@given(texts)
def test_reading_twice_gives_the_same(text: str) -> None:
    first, second = spec(text), spec(text)

    assert first[0] == second[0]
    assert list(first[1]) == list(second[1])


@given(some.text(some.sampled_from("ab *_`\\"), max_size=40))
def test_taking_emphasis_off_leaves_all_letters(text: str) -> None:
    letters = [character for character in strip_markdown(text) if character in "ab"]

    assert letters == [character for character in text if character in "ab"]


@given(lines)
def test_a_text_behind_an_open_fence_changes_nothing(more: list[str]) -> None:
    text = ABOVE + "- WHEN a\n`````````\n"
    content = [line.replace("`", "") for line in more]

    requirements, _ = spec(text + "\n".join(content))

    assert requirements is not None
    assert [len(requirement.scenarios[0].steps) for requirement in requirements.requirements] == [1]
    assert all(fenced_lines(["`````````", *content]))


@pytest.mark.parametrize("text", [ABOVE + "- WHEN a\n"])
def test_how_lines_end_does_not_matter(text: str) -> None:
    variants = [text, text.replace("\n", "\r\n"), text.replace("\n", "\r"), "\ufeff" + text]

    requirementses = [spec(requirements)[0] for requirements in variants]

    assert all(requirements == requirementses[0] for requirements in requirementses)
