"""YAML text as events: the one place that knows the YAML library.

libyaml is a C parser of YAML 1.1 *syntax*, which differs from 1.2 in two ways that real documents
meet. It takes U+0085, U+2028 and U+2029 for line breaks, and it refuses a character beyond U+FFFF
that is escaped in two halves, as JSON writes it. Both are hidden from it behind characters that
the text does not use, one for one, so that every position stays true.

libyaml also refuses tabs in a line that holds nothing else but a comment, where YAML 1.2.2 allows them
(§6.6, `s-separate-in-line`). Where it stops at such a line, the text is read again with spaces for
the tabs of all such lines outside block scalars.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import yaml
from yaml import events

from mcpgen.read.positions import LineStarts, Position

Event = Any
"""An event of PyYAML, whose stubs leave its attributes untyped."""

LOADER: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader

DIRECTIVE = re.compile(r"^%TAG", re.MULTILINE)
DIRECTIVES = 100
"""Tag directives of one text; libyaml compares each with all others."""

NOT_BREAKS = "\u0085\u2028\u2029"
SPLIT_ESCAPE = re.compile(
    r"(?<!\\)((?:\\\\)*+)\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
)
NOT_PRINTABLE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]"
)


TABBED_COMMENT = re.compile(r"^(?= *\t)[ \t]+(?=#|$)", re.MULTILINE)
"""The indentation, with tabs, of a line that holds nothing else but a comment."""


INDENTATION = "check the indentation (spaces only) and quote a text that holds `: ` or ` #`"
"""The hint for most errors."""


class BrokenYaml(Exception):
    """A syntax error: the parser's sentence, where it stopped, and what can be done."""

    def __init__(self, problem: str, at: Position, hint: str = INDENTATION) -> None:
        super().__init__(problem)
        self.problem = problem
        self.at = at
        self.hint = hint


class YamlEvents:
    """The events of a text, to be read once. `restore` is None where the values need no change."""

    def __init__(self, text: str) -> None:
        """Raises BrokenYaml for a text that would keep the parser busy for hours."""
        if "%TAG" in text and (
            far := next(islice(DIRECTIVE.finditer(text), DIRECTIVES, None), None)
        ):
            problem = f"there are more than {DIRECTIVES} tag directives"
            raise BrokenYaml(problem, LineStarts(text)(far.start()))
        hidden, self.restore = _hide(text)
        self._text = hidden

    def __iter__(self) -> Iterator[Event]:
        """Yields the events in order. Raises BrokenYaml."""
        count = 0
        try:
            for event in iter(LOADER(self._text).get_event, None):
                count += 1
                yield event
            return
        except yaml.MarkedYAMLError as error:
            repaired = _without_tabbed_comments(self._text, error)
            if repaired is None:
                raise _broken(error) from error
        except yaml.reader.ReaderError as error:
            raise self._not_printable() from error
        try:
            yield from islice(iter(LOADER(repaired).get_event, None), count, None)
        except yaml.MarkedYAMLError as error:
            raise _broken(error) from error

    def _not_printable(self) -> BrokenYaml:
        """The error at the first character that YAML does not allow; the library's own place is in
        bytes of an encoding that depends on the Python build."""
        bad = NOT_PRINTABLE.search(self._text)
        if bad is None:
            return BrokenYaml("a character is not allowed", Position(1, 1))
        code = ord(bad[0])
        kind = "control character" if unicodedata.category(bad[0]) == "Cc" else "character"
        escape = f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}"
        return BrokenYaml(
            f"the {kind} U+{code:04X} is not allowed",
            LineStarts(self._text)(bad.start()),
            f"remove the character, or write it as `{escape}` in double quotes",
        )


def _broken(error: yaml.MarkedYAMLError) -> BrokenYaml:
    """The error of the parser, in its words."""
    mark = error.problem_mark or error.context_mark
    at = Position(mark.line + 1, mark.column + 1) if mark else Position(1, 1)
    words = [error.problem or "it cannot be understood", error.context or ""]
    return BrokenYaml(" ".join(filter(None, words)), at)


def _without_tabbed_comments(text: str, error: yaml.MarkedYAMLError) -> str | None:
    """The text with spaces for the tabs before comments, those in block scalars left alone; None if the
    parser stopped for another reason."""
    lines = text.split("\n")
    mark = error.problem_mark
    stopped = mark.line if mark and mark.line < len(lines) else -1
    if stopped < 0 or not TABBED_COMMENT.match(lines[stopped]):
        return None
    tabbed = {at: line for at, line in enumerate(lines) if TABBED_COMMENT.match(line)}
    for at, line in tabbed.items():
        lines[at] = line.replace("\t", " ")
    try:
        for event in iter(LOADER("\n".join(lines)).get_event, None):
            if getattr(event, "style", None) in ("|", ">"):
                for at in range(event.start_mark.line, event.end_mark.line):
                    lines[at] = tabbed.get(at, lines[at])
    except yaml.MarkedYAMLError:
        # The second reading stops at the same fault and tells its place.
        pass
    return "\n".join(lines)


def is_plain(event: Event) -> bool:
    """Whether a scalar is written without quotes, block marks and tag."""
    return bool(event.implicit[0])


Restore = Callable[[str, str | None], str]


def _hide(text: str) -> tuple[str, Restore | None]:
    """The text as libyaml may see it, and what turns a (value, style) back into what was written."""
    unused = (mark for mark in map(chr, range(0xE000, 0xF900)) if mark not in text)
    hidden = {mark: next(unused, mark) for mark in NOT_BREAKS if mark in text}
    escapes = "\\ud" in text or "\\uD" in text
    slash = next(unused, "\\") if escapes and SPLIT_ESCAPE.search(text) else "\\"
    if not hidden and slash == "\\":
        return text, None
    pair = re.compile(f"{re.escape(slash)}u([0-9a-fA-F]{{4}})" * 2)
    back = {ord(mark): original for original, mark in hidden.items()} | {ord(slash): "\\"}

    def restore(value: str, style: str | None) -> str:
        if style == '"':
            value = pair.sub(_joined, value)
        return value.translate(back)

    masked = SPLIT_ESCAPE.sub(rf"\g<1>{slash}u\g<2>{slash}u\g<3>", text) if slash != "\\" else text
    return masked.translate({ord(mark): hider for mark, hider in hidden.items()}), restore


def _joined(halves: re.Match[str]) -> str:
    """The character whose two halves the escapes write."""
    high, low = int(halves[1], 16), int(halves[2], 16)
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))


OPENING = (events.MappingStartEvent, events.SequenceStartEvent)
CLOSING = (events.MappingEndEvent, events.SequenceEndEvent)
LITERAL = ("|", ">")


@dataclass(slots=True)
class YamlSpan:
    """A value: where it begins and ends, as line and column from 0, the end behind its last
    character. `lines` is the number of lines up to its end. `key_column` is where the first key of a
    block mapping stands, None for every other value."""

    start: tuple[int, int]
    end: tuple[int, int]
    lines: int
    key_column: int | None = None
    below: dict[str, YamlSpan] = field(default_factory=dict)
    mapping: bool = False
    flow: bool = False
    key: str | None = None

    def find(self, path: tuple[str, ...]) -> YamlSpan | None:
        """The value at a path of keys and indexes, or None."""
        found: YamlSpan | None = self
        for key in path:
            found = found.below.get(key) if found else None
        return found

    def grow(self, child: YamlSpan) -> None:
        """Lets the value reach as far as one that stands in it."""
        if child.end > self.end:
            self.end, self.lines = child.end, child.lines


def extents(text: str) -> YamlSpan | None:
    """The extent of a text's first document with all that stands in it; None where the text is no
    YAML."""
    try:
        for root in _documents(YamlEvents(text)):
            return root
    except BrokenYaml:
        return None
    return None


def with_comments(lines: list[str], count: int, column: int) -> int:
    """The number of lines up to the end of a block that has `count` without the comments that follow
    it, indented as far as the block."""
    end = count
    for number in range(count, len(lines)):
        stripped = lines[number].strip()
        if not stripped:
            continue
        if (
            not stripped.startswith("#")
            or len(lines[number]) - len(lines[number].lstrip()) < column
        ):
            break
        end = number + 1
    return end


def _documents(source: YamlEvents) -> Iterator[YamlSpan]:
    """The root of each document; the text is read no further than asked for."""
    stack: list[YamlSpan] = []
    for event in source:
        kind = type(event)
        if kind in CLOSING:
            closed = stack.pop()
            if closed.flow:
                closed.end = (event.end_mark.line, event.end_mark.column)
                closed.lines = event.end_mark.line + 1
            if stack:
                stack[-1].grow(closed)
            else:
                yield closed
        elif kind in OPENING or kind in (events.ScalarEvent, events.AliasEvent):
            _place(event, stack, source.restore)
            if not stack and kind not in OPENING:
                yield _extent(event)


def _place(event: Event, stack: list[YamlSpan], restore: Restore | None) -> None:
    """Notes a value below the one that is open, or the key of the one that follows."""
    made = _extent(event)
    top = stack[-1] if stack else None
    if top is not None:
        top.grow(made)
        if top.mapping and top.key is None:
            if top.key_column is None and not top.flow:
                top.key_column = made.start[1]
            top.key = _written(event, restore)
            if type(event) not in OPENING:
                return
        else:
            top.below[str(len(top.below)) if top.key is None else top.key] = made
            top.key = None
    if type(event) in OPENING:
        stack.append(made)


def _extent(event: Event) -> YamlSpan:
    start = (event.start_mark.line, event.start_mark.column)
    if type(event) in OPENING:
        # The end of a block is that of what stands in it: its own mark is where the next begins.
        mapping = type(event) is events.MappingStartEvent
        return YamlSpan(start, start, start[0] + 1, mapping=mapping, flow=bool(event.flow_style))
    end = (event.end_mark.line, event.end_mark.column)
    ended = getattr(event, "style", None) in LITERAL and end[1] == 0
    return YamlSpan(start, end, end[0] if ended else end[0] + 1)


def _written(event: Event, restore: Restore | None) -> str:
    """The key an event writes; `?` for one that is not a scalar."""
    if type(event) is not events.ScalarEvent:
        return "?"
    text: str = event.value
    return restore(text, event.style) if restore else text
