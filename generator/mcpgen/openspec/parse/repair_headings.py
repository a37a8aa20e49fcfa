"""Text whose headings have lost their marks, or never had them, given them back."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.openspec.model.markdown import SPACE
from mcpgen.openspec.parse.lines import Line, Lines, blank, trim
from mcpgen.openspec.parse.strip_markdown import strip_markdown

_MARK = re.compile(rf"(#{{1,6}})[{SPACE}]+")
_BOLD = re.compile(
    rf"[{SPACE}]*(?:[-*+•][{SPACE}]+)?(?:\*\*|__)((?:requirement|scenario):.*)", re.I | re.A
)
_PLAIN = re.compile(r" {0,3}((?:requirement|scenario):.*)", re.I | re.A)
_SECTION = re.compile(
    r" {0,3}((?:(?:added|modified|removed|renamed) )?requirements|purpose) *", re.I | re.A
)
"""A line that is the heading of a section on a page without marks."""


def repair_headings(lines: Sequence[Line], diagnostics: Diagnostics) -> Sequence[Line]:
    """The lines with the headings that people see in them and OpenSpec does not.

    A page without any heading of level 3 or deeper has lost its marks where a line begins with
    `Requirement:`; one without a scenario's heading has miswritten scenarios where a line, or bold
    text, begins with `Scenario:`. Adds MG713 and MG723.
    """
    text = Lines.of(lines)
    open_lines = [index for index, code in enumerate(text.fenced) if not code]
    deepest = max((_level(lines[index].text) for index in open_lines), default=0)
    if deepest > 3:
        return lines
    found = {index: named for index in open_lines if (named := _named(lines[index].text))}
    requirements = [index for index, named in found.items() if named[0] == "requirement"]
    if deepest == 3:
        return _with_scenarios(lines, found, diagnostics)
    if not requirements:
        return lines
    diagnostics.add(codes.FLATTENED_PAGE, lines[requirements[0]].at())
    return _with_every_heading(lines, open_lines, found)


def _with_scenarios(
    lines: Sequence[Line], found: dict[int, tuple[str, str]], diagnostics: Diagnostics
) -> list[Line]:
    """The lines with headings for what is named a scenario."""
    changed = list(lines)
    for index, (kind, title) in found.items():
        if kind == "scenario":
            changed[index] = lines[index]._replace(text=f"#### Scenario: {title}")
            diagnostics.add(codes.MISWRITTEN_SCENARIO, lines[index].at(), name=title)
    return changed


def _with_every_heading(
    lines: Sequence[Line], open_lines: list[int], found: dict[int, tuple[str, str]]
) -> list[Line]:
    """The lines of a flattened page with headings for its title, sections and all that is named."""
    marks = {"requirement": "### Requirement: ", "scenario": "#### Scenario: "}
    changed = list(lines)
    first = next(index for index in open_lines if not blank(lines[index].text))
    for index in open_lines:
        text = lines[index].text
        if index in found:
            kind, title = found[index]
            changed[index] = lines[index]._replace(text=marks[kind] + title)
        elif section := _SECTION.fullmatch(text):
            changed[index] = lines[index]._replace(text=f"## {section[1]}")
        elif index == first and not _level(text):
            changed[index] = lines[index]._replace(text=f"# {trim(text)}")
    return changed


def _level(text: str) -> int:
    """The level of a heading; 0 for any other line."""
    found = _MARK.match(text)
    return len(found[1]) if found else 0


def _named(text: str) -> tuple[str, str] | None:
    """Whether a line names a requirement or a scenario without being a heading, and its name."""
    found = _PLAIN.fullmatch(text) or _BOLD.fullmatch(text)
    if found is None:
        return None
    kind, _, title = found[1].partition(":")
    title = trim(title)
    for mark in ("**", "__"):
        title = title.removeprefix(mark) if title.startswith(mark) else title.removesuffix(mark)
    name = strip_markdown(title)
    return (kind.lower(), name) if name else None
