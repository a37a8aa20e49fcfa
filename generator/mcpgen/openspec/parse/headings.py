"""Headings and the sections below them, as OpenSpec's section reader sees them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from mcpgen.openspec.model.markdown import SPACE
from mcpgen.openspec.parse.lines import Line, Lines, trim

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
