"""What is wrong with where things stand in a spec, so that `openspec` refuses to change it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mcpgen.openspec.model.markdown import SPACE
from mcpgen.openspec.parse.headings import requirement_title
from mcpgen.openspec.parse.lines import Line, Lines

_SECTION = re.compile(rf"##[{SPACE}]")
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
        if code or not _SECTION.match(line.text):
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
