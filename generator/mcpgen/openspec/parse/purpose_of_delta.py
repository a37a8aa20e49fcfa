"""The Purpose that a delta gives a spec which is not there yet."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mcpgen.openspec.model.markdown import SPACE, fenced_lines
from mcpgen.openspec.parse.headings import find, sections_of
from mcpgen.openspec.parse.lines import Line, Lines, blank, join_lines, strip_blank_lines
from mcpgen.openspec.parse.purpose import PLACEHOLDER
from mcpgen.openspec.parse.structure_findings import misplaced_headings

_PURPOSE = re.compile(rf"##[{SPACE}]+purpose[{SPACE}]*\Z", re.I | re.A)
_SECTION = re.compile(rf"##[{SPACE}]")
_COMMENT_END = re.compile(r"--!?>")
_SEEN = re.compile(r"[^\n]")


def purpose_lines(lines: Sequence[Line]) -> list[Line]:
    """The body of `## Purpose`, trimmed; empty where there is none, or nothing in it but code and
    comments. A heading in a comment is none."""
    masked = _without_comments(join_lines(lines)).split("\n")
    code = fenced_lines(masked)
    headings = [row for row, text in enumerate(masked) if not code[row] and _SECTION.match(text)]
    start = next((row for row in headings if _PURPOSE.match(masked[row])), None)
    if start is None:
        return []
    end = next((row for row in headings if row > start), len(masked))
    if all(code[row] or blank(masked[row]) for row in range(start + 1, end)):
        return []
    return strip_blank_lines(lines[start + 1 : end])


def skeleton(capability: str, change: str, purpose: Sequence[Line], at: Line) -> list[Line]:
    """A spec without requirements, as `openspec archive` begins one, with that Purpose or, where it
    is empty, the sentence in its place."""
    body = list(purpose) or [at._replace(text=change.join(PLACEHOLDER))]
    above = (f"# {capability} Specification", "", "## Purpose")
    below = ("", "## Requirements", "")
    return [
        *(at._replace(text=text) for text in above),
        *body,
        *(body[-1]._replace(text=text) for text in below),
    ]


def readable(spec: Sequence[Line]) -> bool:
    """Whether OpenSpec can read a spec that was begun with a Purpose: that hides no heading in a
    comment or a fence, and brings none of its own."""
    text = Lines.of(spec)
    if any("<!--" in line.text for line in spec) or any(misplaced_headings(text)):
        return False
    sections = sections_of(text)
    purpose, requirements = find(sections, "purpose"), find(sections, "requirements")
    return (
        purpose is not None
        and requirements is not None
        and not all(blank(line.text) for line in spec[purpose.start + 1 : purpose.end])
    )


def _without_comments(text: str) -> str:
    """The text with blanks for every HTML comment; one that never ends runs to the end."""
    pieces = []
    position = 0
    while (start := text.find("<!--", position)) >= 0:
        ended = _COMMENT_END.search(text, start + 4)
        end = ended.end() if ended else len(text)
        pieces += [text[position:start], _SEEN.sub(" ", text[start:end])]
        position = end
    return "".join((*pieces, text[position:]))
