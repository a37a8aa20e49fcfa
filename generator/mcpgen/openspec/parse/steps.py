"""Parses the steps of a scenario: keywords in 12 spellings, prefixes, and the role of each step."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from mcpgen.diagnostics import Location
from mcpgen.openspec.model.markdown import SPACE
from mcpgen.openspec.model.requirements import Requirement, RequirementChange, Role, Scenario, Step
from mcpgen.openspec.parse.headings import Section, requirement_name, scenario_name
from mcpgen.openspec.parse.lines import SPACES, Line, Lines, blank, join_lines, strip_markdown, trim

ROLES = {"GIVEN": Role.GIVEN, "WHEN": Role.WHEN, "THEN": Role.THEN}
"""Roles of keywords; AND and BUT continue the previous role."""

ENGLISH = ("GIVEN", "WHEN", "THEN", "AND", "BUT")

WORDS: dict[str, tuple[str, ...]] = {
    "GIVEN": (
        *("GIVEN", "DADO", "DADA", "DADOS", "DADAS", "ÉTANT DONNÉ", "ÉTANT DONNÉ QUE", "SOIT"),
        *("ANGENOMMEN", "GEGEBEN", "GEGEBEN SEI", "DATO", "ДАНО", "ДОПУСТИМ", "ПУСТЬ"),
        *("GEGEVEN", "ZAKŁADAJĄC", "假设", "假如", "假定", "给定", "前提", "조건", "먼저"),
        *("DIYELIM KI", "EĞER KI", "GITT", "GIVET", "HA"),
    ),
    "WHEN": (
        *("WHEN", "CUANDO", "QUANDO", "QUAND", "LORSQUE", "WENN", "КОГДА", "ЕСЛИ", "WANNEER"),
        *("ALS", "JEŚLI", "JEŻELI", "GDY", "KIEDY", "当", "當", "如果", "もし", "만일", "만약"),
        *("EĞER", "NÅR", "NÄR", "КОЛИ", "ЯКЩО"),
    ),
    "THEN": (
        *("THEN", "ENTONCES", "ENTÃO", "ENTAO", "ALORS", "DONC", "DANN", "ALLORA", "ТОГДА", "ТО"),
        *("DAN", "WTEDY", "那么", "那麼", "则", "則", "ならば", "そのとき", "그러면", "O ZAMAN"),
        *("SÅ", "ТОДІ"),
    ),
    "AND": (
        *("AND", "Y", "E", "ET", "ET QUE", "UND", "И", "EN", "ORAZ", "I", "并且", "並且", "而且"),
        *("同时", "同時", "且", "かつ", "그리고", "VE", "OG", "OCH", "ТА", "К ТОМУ ЖЕ", "ТАКЖЕ"),
    ),
    "BUT": (
        *("BUT", "PERO", "MAS", "MAIS", "ABER", "MA", "НО", "А", "MAAR", "ALE", "但是", "但"),
        *("しかし", "但し", "ただし", "하지만", "단", "AMA", "FAKAT", "MEN", "АЛЕ"),
    ),
}
"""Keyword spellings in upper case, by English keyword.

Other languages follow Gherkin: https://cucumber.io/docs/gherkin/languages.
"""

KEYWORDS = {word: keyword for keyword, words in WORDS.items() for word in words}

_LATIN = re.compile(r"[A-ZÀ-ɏ]")
_WORD = re.compile(rf"[^{SPACE}:：,，、。*_`]+")
_ENDS = frozenset(":：,，、。*_`") | frozenset(SPACES)

_BY_WORD: dict[str, list[str]] = {}
for _words in sorted(KEYWORDS, key=len, reverse=True):
    _BY_WORD.setdefault(_words.split()[0], []).append(_words)


def keyword_at(text: str, start: int) -> str:
    """Returns the keyword at an index as written, `""` if missing."""
    word = _WORD.match(text, start)
    for words in _BY_WORD.get(word[0].upper(), ()) if word else ():
        end = start + len(words)
        is_word = end >= len(text) or text[end] in _ENDS
        if is_word and text[start:end].upper() == words:
            return text[start:end]
    return ""


def plain_enough(keyword: str) -> bool:
    """Returns whether a keyword counts without emphasis.

    A Latin keyword of another language has to be in capitals, because an English bullet may begin
    with `Als` or `E`.
    """
    word = keyword.upper()
    return word in ENGLISH or not _LATIN.match(word) or (len(word) > 1 and keyword == word)


_BULLET = re.compile(
    rf"([{SPACE}]*)((?:[-*+•‣◦▪●○·–—]|\d{{1,9}}[.)、])(?:[{SPACE}]+|\Z)(?:\[[ xX]\][{SPACE}]+)?)?"
)
"""Indentation, then optionally a bullet of any kind and a task box."""

_MARK = re.compile(r"\*{1,3}|__?|`")
_SEPARATOR = re.compile(rf"\A[{SPACE}]*[:：,，、]?")
_TAB = 4


@dataclass(frozen=True, slots=True)
class StepPrefix:
    """The beginning of a line and the remaining text.

    `indent` is the column of bullet or text (from 0, tab stops of four); `column` is the same
    position in characters (from 1). `keyword` is English and upper case, `""` if missing; `marked`
    is the emphasis mark, `spelling` the keyword as written. `text` is the line after the bullet,
    `rest` the line after the keyword.
    """

    indent: int
    column: int
    bulleted: bool
    keyword: str
    marked: str
    spelling: str
    text: str
    rest: str

    @property
    def shouted(self) -> bool:
        """Whether the keyword is in capitals, or in a script without case."""
        return bool(self.spelling) and self.spelling == self.spelling.upper()

    @property
    def capital(self) -> bool:
        """Whether the keyword begins with a capital."""
        return self.shouted or self.spelling.capitalize() == self.spelling


def opening_of(text: str) -> StepPrefix:
    """Parses the beginning of a line."""
    bullet_match = _BULLET.match(text)
    assert bullet_match is not None, "the pattern may match nothing"
    space, bullet = bullet_match[1], bullet_match[2] or ""
    indent = len(space.expandtabs(_TAB))
    behind = text[bullet_match.end() :]
    keyword, marked, spelling, remainder = _keyword(behind)
    return StepPrefix(
        indent, len(space) + 1, bool(bullet), keyword, marked, spelling, behind, remainder
    )


def _keyword(text: str) -> tuple[str, str, str, str]:
    """Returns keyword, mark, spelling, and the remaining text."""
    match = _MARK.match(text)
    mark = match[0] if match else ""
    spelling = keyword_at(text, len(mark))
    if not spelling or not (mark or plain_enough(spelling)):
        return "", "", "", text
    behind = text[len(mark) + len(spelling) :]
    remainder = _SEPARATOR.sub("", behind, count=1)
    if mark and remainder.startswith(mark):
        remainder = _SEPARATOR.sub("", remainder[len(mark) :], count=1)
    elif mark:
        remainder = mark + remainder.lstrip()
    return KEYWORDS[spelling.upper()], mark, spelling, remainder


_RULE = re.compile(rf"[{SPACE}]*([-*_])(?:[{SPACE}]*\1){{2,}}[{SPACE}]*\Z")
_HEADING = re.compile(rf"#{{1,6}}[{SPACE}]")
_FENCE = re.compile(rf"[{SPACE}]*(?:`{{3,}}|~{{3,}})")


@dataclass(slots=True)
class _Draft:
    """A step under construction; `apart`: no step directly precedes the step."""

    opening: StepPrefix
    line: Line
    apart: bool
    pieces: list[str] = field(default_factory=list)
    in_list: bool = False

    def add(self, text: str) -> None:
        """Appends text to the sentence."""
        self.pieces.append(trim(text))

    def add_entry(self, text: str) -> None:
        """Appends an entry of a list below the step, separated from the previous entry."""
        if self.in_list and self.pieces[-1][-1:] not in ".;,:":
            self.pieces[-1] += ";"
        self.in_list = True
        self.add(text)


Starts = Callable[[StepPrefix, _Draft | None, bool], bool]
"""Decides whether a line starts a step. Arguments: prefix, previous step, blank line between."""


def parse_steps(body: Lines) -> tuple[Step, ...]:
    """Parses the steps of a scenario's body, in order.

    A step begins with a keyword. A bullet without keyword inherits the previous step's role, or has
    no role without a preceding step. In a body without keywords, every bullet and paragraph is a
    step without role. Wrapped lines, lists and fenced blocks below a step belong to the step.
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
    """Yields the steps of a body; `starts` decides the first line of a step."""
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
            finished, current = current, None
        elif starts(opening, current, after_blank):
            finished = current
            current = _Draft(opening, line, current is None, [trim(opening.rest)])
        elif current is not None and _belongs(opening, current, after_blank):
            finished = None
            (current.add_entry if opening.bulleted else current.add)(opening.text)
        else:
            finished, current = current, None
        after_blank = False
        if finished is not None:
            yield finished
    if current is not None:
        yield current


def _with_keyword(opening: StepPrefix, current: _Draft | None, after_blank: bool) -> bool:
    """Returns whether a line starts a step in a body with keywords."""
    nested = current is not None and opening.indent > current.opening.indent
    if not opening.keyword:
        is_sibling = current is None or current.opening.bulleted
        return opening.bulleted and is_sibling and not nested
    if opening.bulleted:
        return not nested or bool(opening.marked) or opening.shouted
    if opening.marked:
        return opening.capital and opening.marked != "`"
    if current is None or not current.opening.bulleted:
        return opening.capital
    return not nested and (opening.shouted or (opening.capital and after_blank))


def _without_keyword(opening: StepPrefix, current: _Draft | None, after_blank: bool) -> bool:
    """Returns whether a line starts a step in a body without keywords."""
    if current is None:
        return True
    if opening.bulleted:
        return opening.indent <= current.opening.indent
    return after_blank and opening.indent <= current.opening.indent


def _belongs(opening: StepPrefix, current: _Draft, after_blank: bool) -> bool:
    """Returns whether a line continues the previous step."""
    if opening.bulleted or not after_blank:
        return True
    return current.opening.bulleted and opening.indent > current.opening.indent


Draft = tuple[Section, list[Section]]
"""Section of a requirement, and the sections of its scenarios in document order."""

_METADATA = re.compile(r"\*\*[^*]+\*\*:")


def requirement_of(
    text: Lines, draft: Draft, change: RequirementChange | None = None, was: str = ""
) -> Requirement:
    """Builds a requirement from its section and scenario sections."""
    section, scenarios = draft
    statement = outer_text(text, section)
    return Requirement(
        requirement_name(section.title),
        statement,
        tuple(scenario_of(text, scenario) for scenario in scenarios),
        section.line.at(),
        change,
        was,
        _places(text, section, statement),
    )


def scenario_of(text: Lines, section: Section) -> Scenario:
    """Builds a scenario from its section."""
    name = scenario_name(section.title)
    body = text.part(section.start + 1, section.end)
    steps = parse_steps(body)
    return Scenario(name, steps, _block(body), _digest(name, steps), section.line.at())


def outer_text(text: Lines, section: Section) -> str:
    """Returns the text of a section above the first child, as written."""
    end = section.children[0].start if section.children else section.end
    return _block(text.part(section.start + 1, end))


def _places(text: Lines, section: Section, statement: str) -> tuple[Location, ...]:
    """Returns the positions of the lines of a section's outer text."""
    count = statement.count("\n") + 1 if statement else 0
    below = text.lines[section.start + 1 :]
    first = next((index for index, line in enumerate(below) if not blank(line.text)), 0)
    return tuple(line.at() for line in below[first : first + count])


def demand(text: Lines, section: Section) -> str:
    """Returns the text of a requirement as judged by OpenSpec.

    Lines are trimmed; blank and fenced lines are dropped, and metadata like `**Priority**: high`
    unless nothing else remains.
    """
    end = section.children[0].start if section.children else section.end
    body = text.part(section.start + 1, end)
    lines = [
        trim(line.text)
        for line, code in zip(body.lines, body.fenced, strict=True)
        if not code and not blank(line.text)
    ]
    sentences = [line for line in lines if not _METADATA.match(line)]
    return "\n".join(sentences or lines)


def _block(body: Lines) -> str:
    """Returns the lines without surrounding blank lines."""
    return re.sub(rf"\A(?:[{SPACE}]*\n)+", "", join_lines(body.lines)).rstrip()


def _digest(name: str, steps: Iterable[Step]) -> str:
    """Returns the digest of name and steps."""
    content = "\n".join([name, *(f"{step.keyword} {step.text}" for step in steps)])
    return hashlib.sha256(content.encode("utf-8", errors="surrogatepass")).hexdigest()[:12]
