"""The steps of a scenario: bullets, bold or plain lines, with all that hangs below them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from mcpgen.openspec.model.markdown import SPACE
from mcpgen.openspec.model.requirements import Role, Step
from mcpgen.openspec.parse.keywords import ROLES
from mcpgen.openspec.parse.lines import Line, Lines, blank, trim
from mcpgen.openspec.parse.step_prefix import StepPrefix, opening_of
from mcpgen.openspec.parse.strip_markdown import strip_markdown

_RULE = re.compile(rf"[{SPACE}]*([-*_])(?:[{SPACE}]*\1){{2,}}[{SPACE}]*\Z")
_HEADING = re.compile(rf"#{{1,6}}[{SPACE}]")
_FENCE = re.compile(rf"[{SPACE}]*(?:`{{3,}}|~{{3,}})")


@dataclass(slots=True)
class _Draft:
    """A step while its lines are collected; `apart` tells that something else than a step stands
    before it."""

    opening: StepPrefix
    line: Line
    apart: bool
    pieces: list[str] = field(default_factory=list)
    in_list: bool = False

    def add(self, text: str) -> None:
        """More of the sentence."""
        self.pieces.append(trim(text))

    def add_entry(self, text: str) -> None:
        """An entry of a list below the step: set off from the one before."""
        if self.in_list and self.pieces[-1][-1:] not in ".;,:":
            self.pieces[-1] += ";"
        self.in_list = True
        self.add(text)


Starts = Callable[[StepPrefix, _Draft | None, bool], bool]
"""Whether a line starts a step, by how it begins, the step before it and whether a blank line stands
between the two."""


def parse_steps(body: Lines) -> tuple[Step, ...]:
    """The steps of a scenario with that body, in order.

    A step begins with a keyword; a bullet beside such steps that has none goes on in the part of
    the one before, and plays none where no step is directly before it. Where no line has a keyword
    every bullet and paragraph is a step that plays no part. Wrapped lines, lists and fenced blocks
    below a step belong to it.
    """
    drafts = list(_drafts(body, _with_keyword))
    if not any(draft.opening.keyword for draft in drafts):
        drafts = list(_drafts(body, _without_keyword))
    role = Role.NONE
    steps = []
    for number, draft in enumerate(drafts, 1):
        keyword = draft.opening.keyword
        role = Role.NONE if draft.apart and not keyword else ROLES.get(keyword, role)
        at = draft.line.at(draft.opening.column)
        steps.append(Step(number, keyword, role, strip_markdown(" ".join(draft.pieces)), at))
    return tuple(steps)


def _drafts(body: Lines, starts: Starts) -> Iterator[_Draft]:
    """The steps of a body, of which `starts` tells where they begin."""
    current: _Draft | None = None
    after_blank = False
    for line, code in zip(body.lines, body.fenced, strict=True):
        if code:
            if current is not None and not _FENCE.match(line.text):
                current.add(line.text)
            continue
        if blank(line.text) or _RULE.match(line.text):
            after_blank = True
            continue
        opening = opening_of(line.text)
        if _HEADING.match(line.text):
            ended, current = current, None
        elif starts(opening, current, after_blank):
            ended = current
            current = _Draft(opening, line, current is None, [trim(opening.rest)])
        elif current is not None and _belongs(opening, current, after_blank):
            ended = None
            (current.add_entry if opening.bulleted else current.add)(opening.text)
        else:
            ended, current = current, None
        after_blank = False
        if ended is not None:
            yield ended
    if current is not None:
        yield current


def _with_keyword(opening: StepPrefix, current: _Draft | None, after_blank: bool) -> bool:
    """Whether a line starts a step where steps have keywords."""
    nested = current is not None and opening.indent > current.opening.indent
    if not opening.keyword:
        beside = current is None or current.opening.bulleted
        return opening.bulleted and beside and not nested
    if opening.bulleted:
        return not nested or bool(opening.marked) or opening.shouted
    if opening.marked:
        return opening.capital and opening.marked != "`"
    if current is None or not current.opening.bulleted:
        return opening.capital
    return not nested and (opening.shouted or (opening.capital and after_blank))


def _without_keyword(opening: StepPrefix, current: _Draft | None, after_blank: bool) -> bool:
    """Whether a line starts a step where no line has a keyword."""
    if current is None:
        return True
    if opening.bulleted:
        return opening.indent <= current.opening.indent
    return after_blank and opening.indent <= current.opening.indent


def _belongs(opening: StepPrefix, current: _Draft, after_blank: bool) -> bool:
    """Whether a line that starts no step goes on with the one before."""
    if opening.bulleted or not after_blank:
        return True
    return current.opening.bulleted and opening.indent > current.opening.indent
