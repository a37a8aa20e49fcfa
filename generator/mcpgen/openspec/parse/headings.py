"""Headings and sections as OpenSpec's readers see them, repairs of damaged headings, and misplaced headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.openspec.model.markdown import SPACE
from mcpgen.openspec.parse.lines import Line, Lines, blank, strip_markdown, trim

_HEADING = re.compile(rf"#{{1,6}}(?=[{SPACE}])|###(?=requirement:)", re.I | re.A)
"""The marks of a heading in column 0. `###Requirement:` without a space is one to the block reader
alone, and one without a title ends what is above it without being one; people read both."""

_REQUIREMENT = re.compile(rf"###[{SPACE}]*requirement:", re.I | re.A)
"""What the heading of a requirement begins with to the block reader, which deltas and merges go by."""

_BROKEN = re.compile("[\u2028\u2029]")

NAMED = re.compile(rf"requirement:[{SPACE}]*", re.I | re.A)
"""What stands before the name of a requirement in its heading."""

SCENARIO = re.compile(rf"scenario:[{SPACE}]*", re.I | re.A)
"""What stands before the name of a scenario in its heading."""

_CLOSING = re.compile(r"[ \t]#+[ \t]*\Z")


@dataclass(slots=True, eq=False)
class Section:
    """A heading with the lines below it, up to the next heading of its level or above.

    `start` and `end` are indexes of lines: the heading's, and the first one that is not part of it.
    `children` are the sections in it that are in no other of them, whatever their level.
    """

    level: int
    title: str
    line: Line
    start: int
    end: int
    children: list[Section] = field(default_factory=list)

    def below(self) -> Iterator[Section]:
        """This section and every one in it, in document order."""
        waiting = [self]
        while waiting:
            section = waiting.pop()
            yield section
            waiting.extend(reversed(section.children))


def sections_of(text: Lines) -> list[Section]:
    """The sections of a text that are in no other, in document order."""
    outermost: list[Section] = []
    opened: list[Section] = []
    for index, line in enumerate(text.lines):
        found = None
        if line.text.startswith("#") and not text.fenced[index]:
            found = heading_of(line.text)
        if found is None:
            continue
        section = Section(*found, line, index, len(text.lines))
        while opened and opened[-1].level >= section.level:
            opened.pop().end = index
        (opened[-1].children if opened else outermost).append(section)
        opened.append(section)
    return outermost


def heading_of(text: str) -> tuple[int, str] | None:
    """The level and the title of a line that is a heading."""
    found = _HEADING.match(text)
    title = None if found is None else heading_text(text[found.end() :])
    return None if found is None or title is None else (found.end(), title)


def requirement_title(text: str) -> str | None:
    """The name in a line that is the heading of a requirement to the block reader."""
    found = _REQUIREMENT.match(text)
    if found is None or found.end() == len(text):
        return None
    title = heading_text(text[found.end() :])
    return None if title is None else strip_closing_marks(title)


def heading_text(text: str) -> str | None:
    """The text without white space around it; None where that leaves a line separator in it, which
    JavaScript's `.` does not match."""
    title = trim(text)
    return None if _BROKEN.search(title) else title


def find(sections: list[Section], title: str) -> Section | None:
    """The first section in document order with that title, in lower case."""
    every = (section for outer in sections for section in outer.below())
    return next((section for section in every if section.title.lower() == title), None)


def is_named(section: Section) -> bool:
    """Whether a heading says that it is a requirement's, and its name."""
    found = NAMED.match(section.title)
    return found is not None and found.end() < len(section.title)


def requirement_name(title: str) -> str:
    """The name of a requirement with that title: without `Requirement:` and closing `#`s."""
    name = strip_closing_marks(NAMED.sub("", title, count=1) if NAMED.match(title) else title)
    return name or "Requirement"


def scenario_name(title: str) -> str:
    """The name of a scenario with that title: without closing `#`s and `Scenario:`."""
    title = strip_closing_marks(title)
    name = trim(SCENARIO.sub("", title, count=1) if SCENARIO.match(title) else title)
    return name or "Scenario"


def strip_closing_marks(title: str) -> str:
    """The title without the `#`s that close its heading; `C#` keeps its own."""
    found = _CLOSING.search(title)
    return trim(title[: found.start()] if found else title)


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


_LEVEL_2 = re.compile(rf"##[{SPACE}]")
_REQUIREMENTS = re.compile(rf"##[{SPACE}]+requirements[{SPACE}]*\Z", re.I | re.A)
_OF_A_DELTA = re.compile(
    rf"##[{SPACE}]+(?:added|modified|removed|renamed)[{SPACE}]+requirements[{SPACE}]*\Z",
    re.I | re.A,
)
_SPACED = re.compile(rf"###[{SPACE}]")


@dataclass(frozen=True, slots=True)
class MisplacedHeading:
    """A heading that should not stand where it does, why, and what to do; or one of a requirement
    `name` that stands on another line already, where `twin` is not 0."""

    line: Line
    reason: str = ""
    remedy: str = ""
    name: str = ""
    twin: int = 0


def region_of(text: Lines) -> tuple[int, int]:
    """The indexes of the line `## Requirements` and of the next section's heading; both are the
    number of lines where there is no such section."""
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
    """Headings of deltas, and requirements outside `## Requirements` or there twice, in order.

    OpenSpec looks for them line by line, and only for `### Requirement:`.
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
