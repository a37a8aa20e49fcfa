"""Headings and sections of OpenSpec's readers, heading repairs, misplaced headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.openspec.model.markdown import SPACE
from mcpgen.openspec.parse.lines import Line, Lines, blank, strip_markdown, trim

_HEADING = re.compile(rf"#{{1,6}}(?=[{SPACE}])|###(?=requirement:)", re.I | re.A)
"""Marks of a heading in column 0.

OpenSpec's readers differ: `###Requirement:` without a space is a heading only for the block reader;
a heading without title ends the section above without opening a section. This module accepts both.
"""

_REQUIREMENT = re.compile(rf"###[{SPACE}]*requirement:", re.I | re.A)
"""Start of a requirement heading in the block reader, used for deltas and merges."""

_BROKEN = re.compile("[\u2028\u2029]")

NAMED = re.compile(rf"requirement:[{SPACE}]*", re.I | re.A)
"""Text before the name in a requirement's heading."""

SCENARIO = re.compile(rf"scenario:[{SPACE}]*", re.I | re.A)
"""Text before the name in a scenario's heading."""

_CLOSING = re.compile(r"[ \t]#+[ \t]*\Z")


@dataclass(slots=True, eq=False)
class Section:
    """A heading with the lines below, up to the next heading of the same or a higher level.

    `start` and `end` are line indexes: the heading, and the first line after the section.
    `children` are the directly nested sections, of any level.
    """

    level: int
    title: str
    line: Line
    start: int
    end: int
    children: list[Section] = field(default_factory=list)

    def below(self) -> Iterator[Section]:
        """Yields the section and all nested sections, in document order."""
        stack = [self]
        while stack:
            section = stack.pop()
            yield section
            stack.extend(reversed(section.children))


def sections_of(text: Lines) -> list[Section]:
    """Returns the outermost sections of a text, in document order."""
    outermost: list[Section] = []
    ancestors: list[Section] = []
    for index, line in enumerate(text.lines):
        heading = None
        if line.text.startswith("#") and not text.fenced[index]:
            heading = heading_of(line.text)
        if heading is None:
            continue
        section = Section(*heading, line, index, len(text.lines))
        while ancestors and ancestors[-1].level >= section.level:
            ancestors.pop().end = index
        (ancestors[-1].children if ancestors else outermost).append(section)
        ancestors.append(section)
    return outermost


def heading_of(text: str) -> tuple[int, str] | None:
    """Returns level and title of a heading, None for other lines."""
    match = _HEADING.match(text)
    title = None if match is None else heading_text(text[match.end() :])
    return None if match is None or title is None else (match.end(), title)


def requirement_title(text: str) -> str | None:
    """Returns the requirement name if the block reader reads the line as a requirement heading."""
    match = _REQUIREMENT.match(text)
    if match is None or match.end() == len(text):
        return None
    title = heading_text(text[match.end() :])
    return None if title is None else strip_closing_marks(title)


def heading_text(text: str) -> str | None:
    """Returns the trimmed text; None if a line separator remains.

    JavaScript's `.` does not match line separators.
    """
    title = trim(text)
    return None if _BROKEN.search(title) else title


def find(sections: list[Section], title: str) -> Section | None:
    """Returns the first section in document order with a title (in lower case)."""
    every = (section for outer in sections for section in outer.below())
    return next((section for section in every if section.title.lower() == title), None)


def is_named(section: Section) -> bool:
    """Returns whether a heading has the form `Requirement: name`."""
    match = NAMED.match(section.title)
    return match is not None and match.end() < len(section.title)


def requirement_name(title: str) -> str:
    """Returns a requirement's name from its title: without `Requirement:` and closing `#`s.

    Example: `requirement_name("Requirement: Notes are kept ##")` gives `'Notes are kept'`.
    """
    name = strip_closing_marks(NAMED.sub("", title, count=1) if NAMED.match(title) else title)
    return name or "Requirement"


def scenario_name(title: str) -> str:
    """Returns a scenario's name from its title: without closing `#`s and `Scenario:`.

    Example: `scenario_name("Scenario: A note")` gives `'A note'`.
    """
    title = strip_closing_marks(title)
    name = trim(SCENARIO.sub("", title, count=1) if SCENARIO.match(title) else title)
    return name or "Scenario"


def strip_closing_marks(title: str) -> str:
    """Removes the closing `#`s of a heading; `C#` is kept.

    Example: `strip_closing_marks("C# ##")` gives `'C#'`.
    """
    match = _CLOSING.search(title)
    return trim(title[: match.start()] if match else title)


_MARK = re.compile(rf"(#{{1,6}})[{SPACE}]+")
_BOLD = re.compile(
    rf"[{SPACE}]*(?:[-*+•][{SPACE}]+)?(?:\*\*|__)((?:requirement|scenario):.*)", re.I | re.A
)
_PLAIN = re.compile(r" {0,3}((?:requirement|scenario):.*)", re.I | re.A)
_SECTION = re.compile(
    r" {0,3}((?:(?:added|modified|removed|renamed) )?requirements|purpose) *", re.I | re.A
)
"""A line that names a section on a page without heading marks."""


def repair_headings(lines: Sequence[Line], diagnostics: Diagnostics) -> Sequence[Line]:
    """Restores headings that people recognize and OpenSpec does not.

    A page without headings of level 3 or deeper is flattened if a line begins with `Requirement:`.
    A page without scenario headings has miswritten scenarios if a line, or bold text, begins with
    `Scenario:`. Adds MG713 and MG723.
    """
    text = Lines.of(lines)
    open_lines = [index for index, code in enumerate(text.fenced) if not code]
    deepest = max((_level(lines[index].text) for index in open_lines), default=0)
    if deepest > 3:
        return lines
    kinds = {index: kind for index in open_lines if (kind := _kind_and_name(lines[index].text))}
    requirements = [index for index, kind in kinds.items() if kind[0] == "requirement"]
    if deepest == 3:
        return _with_scenarios(lines, kinds, diagnostics)
    if not requirements:
        return lines
    diagnostics.add(codes.FLATTENED_PAGE, lines[requirements[0]].at())
    return _with_every_heading(lines, open_lines, kinds)


def _with_scenarios(
    lines: Sequence[Line], kinds: dict[int, tuple[str, str]], diagnostics: Diagnostics
) -> list[Line]:
    """Returns the lines with headings for all named scenarios."""
    changed = list(lines)
    for index, (kind, title) in kinds.items():
        if kind == "scenario":
            changed[index] = lines[index]._replace(text=f"#### Scenario: {title}")
            diagnostics.add(codes.MISWRITTEN_SCENARIO, lines[index].at(), name=title)
    return changed


def _with_every_heading(
    lines: Sequence[Line], open_lines: list[int], kinds: dict[int, tuple[str, str]]
) -> list[Line]:
    """Returns the lines of a flattened page with all headings restored."""
    marks = {"requirement": "### Requirement: ", "scenario": "#### Scenario: "}
    changed = list(lines)
    first = next(index for index in open_lines if not blank(lines[index].text))
    for index in open_lines:
        text = lines[index].text
        if index in kinds:
            kind, title = kinds[index]
            changed[index] = lines[index]._replace(text=marks[kind] + title)
        elif section := _SECTION.fullmatch(text):
            changed[index] = lines[index]._replace(text=f"## {section[1]}")
        elif index == first and not _level(text):
            changed[index] = lines[index]._replace(text=f"# {trim(text)}")
    return changed


def _level(text: str) -> int:
    """Returns the level of a heading; 0 for any other line."""
    match = _MARK.match(text)
    return len(match[1]) if match else 0


def _kind_and_name(text: str) -> tuple[str, str] | None:
    """Returns kind and name if a line names a requirement or scenario without being a heading."""
    match = _PLAIN.fullmatch(text) or _BOLD.fullmatch(text)
    if match is None:
        return None
    kind, _, title = match[1].partition(":")
    title = trim(title)
    for mark in ("**", "__"):
        title = title.removeprefix(mark) if title.startswith(mark) else title.removesuffix(mark)
    name = strip_markdown(title)
    return (kind.lower(), name) if name else None


_LEVEL_2 = re.compile(rf"##[{SPACE}]")
_REQUIREMENTS = re.compile(rf"##[{SPACE}]+requirements[{SPACE}]*\Z", re.I | re.A)
_OF_A_DELTA = re.compile(
    rf"##[{SPACE}]+(?:added|modified|removed|renamed)[{SPACE}]+requirements[{SPACE}]*\Z",
    re.I | re.A,
)
_SPACED = re.compile(rf"###[{SPACE}]")


@dataclass(frozen=True, slots=True)
class MisplacedHeading:
    """A misplaced heading with reason and remedy, or a duplicate requirement.

    For a duplicate, `name` is the requirement and `twin` the line of the first heading, otherwise
    0.
    """

    line: Line
    reason: str = ""
    remedy: str = ""
    name: str = ""
    twin: int = 0


def region_of(text: Lines) -> tuple[int, int]:
    """Returns the line indexes of `## Requirements` and of the next section's heading.

    Both are the number of lines if the section is missing.
    """
    start = len(text.lines)
    for index, (line, code) in enumerate(zip(*text, strict=True)):
        if code or not _LEVEL_2.match(line.text):
            continue
        if start < index:
            return start, index
        if _REQUIREMENTS.match(line.text):
            start = index
    return start, len(text.lines)


def misplaced_headings(text: Lines) -> Iterator[MisplacedHeading]:
    """Yields delta headings, and requirements outside `## Requirements` or repeated, in order.

    OpenSpec checks line by line, and only `### Requirement:`.
    """
    start, end = region_of(text)
    first: dict[str, int] = {}
    for index, (line, code) in enumerate(zip(*text, strict=True)):
        if code or not line.text.startswith("##"):
            continue
        if _OF_A_DELTA.match(line.text):
            reason = "it is the heading of a delta, and this is a spec"
            yield MisplacedHeading(line, reason, "write the delta to `changes/<change>/specs/`")
            continue
        name = requirement_title(line.text) if _SPACED.match(line.text) else None
        if name is None:
            continue
        if not start < index < end:
            yield MisplacedHeading(
                line, "it stands outside of `## Requirements`", "move it below `## Requirements`"
            )
        elif name in first:
            yield MisplacedHeading(line, name=name, twin=first[name])
        first.setdefault(name, line.number)
