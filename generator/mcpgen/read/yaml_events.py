"""Parses YAML text to events with libyaml, and finds spans of values; the only module that calls
PyYAML.

libyaml parses YAML 1.1 syntax, which differs from 1.2 in two respects found in real documents:
U+0085, U+2028 and U+2029 are line breaks, and a character beyond U+FFFF escaped as two surrogates
(as JSON writes the character) is refused. Both are masked by unused characters, one for one, so
that positions stay valid.

libyaml also refuses tabs before a comment on a line without content, allowed by YAML 1.2.2 (§6.6,
`s-separate-in-line`). At such an error the text is parsed again, with spaces for the tabs of all
such lines outside block scalars.
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
"""A PyYAML event; the stubs leave the attributes untyped."""

LOADER: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader

DIRECTIVE = re.compile(r"^%TAG", re.MULTILINE)
MAX_DIRECTIVES = 100
"""Limit of `%TAG` directives per text: libyaml compares each directive with all others."""

NOT_BREAKS = "\u0085\u2028\u2029"
SPLIT_ESCAPE = re.compile(
    r"(?<!\\)((?:\\\\)*+)\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
)
NOT_PRINTABLE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]"
)


TABBED_COMMENT = re.compile(r"^(?= *\t)[ \t]+(?=#|$)", re.MULTILINE)
"""Indentation with tabs on a line that holds only a comment."""


INDENTATION = "check the indentation (spaces only) and quote a text that holds `: ` or ` #`"
"""Hint for most syntax errors."""


class BrokenYaml(Exception):
    """A syntax error: the parser's message, the position, and a hint."""

    def __init__(self, problem: str, at: Position, hint: str = INDENTATION) -> None:
        super().__init__(problem)
        self.problem = problem
        self.at = at
        self.hint = hint


class YamlEvents:
    """Events of a text, iterated once. `restore` unmasks scalars, or is None if no character is
    masked."""

    def __init__(self, text: str) -> None:
        """Raises BrokenYaml for more than 100 `%TAG` directives, which take libyaml quadratic time."""
        if "%TAG" in text and (
            excess := next(islice(DIRECTIVE.finditer(text), MAX_DIRECTIVES, None), None)
        ):
            problem = f"there are more than {MAX_DIRECTIVES} tag directives"
            raise BrokenYaml(problem, LineStarts(text)(excess.start()))
        masked, self.restore = _mask(text)
        self._text = masked

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
                raise _to_broken_yaml(error) from error
        except yaml.reader.ReaderError as error:
            raise self._not_printable() from error
        try:
            yield from islice(iter(LOADER(repaired).get_event, None), count, None)
        except yaml.MarkedYAMLError as error:
            raise _to_broken_yaml(error) from error

    def _not_printable(self) -> BrokenYaml:
        """Error at the first character that YAML forbids. PyYAML's own offset counts bytes of an
        encoding that depends on the build of Python."""
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


def _to_broken_yaml(error: yaml.MarkedYAMLError) -> BrokenYaml:
    """Error with the parser's message and position."""
    mark = error.problem_mark or error.context_mark
    at = Position(mark.line + 1, mark.column + 1) if mark else Position(1, 1)
    words = [error.problem or "it cannot be understood", error.context or ""]
    return BrokenYaml(" ".join(filter(None, words)), at)


def _without_tabbed_comments(text: str, error: yaml.MarkedYAMLError) -> str | None:
    """The text with spaces for tabs before comments, except in block scalars; None if the parser
    stopped for another reason."""
    lines = text.split("\n")
    mark = error.problem_mark
    line_number = mark.line if mark and mark.line < len(lines) else -1
    if line_number < 0 or not TABBED_COMMENT.match(lines[line_number]):
        return None
    comment_lines = {at: line for at, line in enumerate(lines) if TABBED_COMMENT.match(line)}
    for at, line in comment_lines.items():
        lines[at] = line.replace("\t", " ")
    try:
        for event in iter(LOADER("\n".join(lines)).get_event, None):
            if getattr(event, "style", None) in ("|", ">"):
                for at in range(event.start_mark.line, event.end_mark.line):
                    lines[at] = comment_lines.get(at, lines[at])
    except yaml.MarkedYAMLError:
        # The second reading stops at the same fault and tells its place.
        pass
    return "\n".join(lines)


def is_plain(event: Event) -> bool:
    """True for a scalar without quotes, block style and tag."""
    return bool(event.implicit[0])


Restore = Callable[[str, str | None], str]


def _mask(text: str) -> tuple[str, Restore | None]:
    """The text with problematic characters masked, and the function that unmasks a (value, style)."""
    unused = (mark for mark in map(chr, range(0xE000, 0xF900)) if mark not in text)
    substitutes = {mark: next(unused, mark) for mark in NOT_BREAKS if mark in text}
    escapes = "\\ud" in text or "\\uD" in text
    slash = next(unused, "\\") if escapes and SPLIT_ESCAPE.search(text) else "\\"
    if not substitutes and slash == "\\":
        return text, None
    pair = re.compile(f"{re.escape(slash)}u([0-9a-fA-F]{{4}})" * 2)
    back = {ord(mark): original for original, mark in substitutes.items()} | {ord(slash): "\\"}

    def restore(value: str, style: str | None) -> str:
        if style == '"':
            value = pair.sub(_join_surrogates, value)
        return value.translate(back)

    masked = SPLIT_ESCAPE.sub(rf"\g<1>{slash}u\g<2>{slash}u\g<3>", text) if slash != "\\" else text
    return (
        masked.translate({ord(mark): substitute for mark, substitute in substitutes.items()}),
        restore,
    )


def _join_surrogates(halves: re.Match[str]) -> str:
    high, low = int(halves[1], 16), int(halves[2], 16)
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))


OPENING = (events.MappingStartEvent, events.SequenceStartEvent)
CLOSING = (events.MappingEndEvent, events.SequenceEndEvent)
LITERAL = ("|", ">")


@dataclass(slots=True)
class YamlSpan:
    """Span of a value: start and end as line and column from 0, the end exclusive.

    `lines`: number of lines up to the end. `key_column`: column of the first key of a block
    mapping, otherwise None. `below`: spans of the members by key or index.
    """

    start: tuple[int, int]
    end: tuple[int, int]
    lines: int
    key_column: int | None = None
    below: dict[str, YamlSpan] = field(default_factory=dict)
    mapping: bool = False
    flow: bool = False
    key: str | None = None

    def find(self, path: tuple[str, ...]) -> YamlSpan | None:
        """Span of the value at a path of keys and indexes, or None."""
        span: YamlSpan | None = self
        for key in path:
            span = span.below.get(key) if span else None
        return span

    def extend(self, child: YamlSpan) -> None:
        """Extends the span to the end of a member."""
        if child.end > self.end:
            self.end, self.lines = child.end, child.lines


def yaml_spans(text: str) -> YamlSpan | None:
    """Spans of the first document in a text; None for malformed YAML or no document."""
    try:
        for root in _documents(YamlEvents(text)):
            return root
    except BrokenYaml:
        return None
    return None


def count_with_comments(lines: list[str], count: int, column: int) -> int:
    """Number of lines up to the end of a block, including comments after the block with at least
    its indentation.

    `count` is the number of lines up to the end of the block without such comments.
    """
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
    """Yields the root span of each document; parses no further than requested."""
    stack: list[YamlSpan] = []
    for event in source:
        kind = type(event)
        if kind in CLOSING:
            span = stack.pop()
            if span.flow:
                span.end = (event.end_mark.line, event.end_mark.column)
                span.lines = event.end_mark.line + 1
            if stack:
                stack[-1].extend(span)
            else:
                yield span
        elif kind in OPENING or kind in (events.ScalarEvent, events.AliasEvent):
            _add_span(event, stack, source.restore)
            if not stack and kind not in OPENING:
                yield _span_of_event(event)


def _add_span(event: Event, stack: list[YamlSpan], restore: Restore | None) -> None:
    """Adds the span of a value to the open container, or records a key."""
    span = _span_of_event(event)
    top = stack[-1] if stack else None
    if top is not None:
        top.extend(span)
        if top.mapping and top.key is None:
            if top.key_column is None and not top.flow:
                top.key_column = span.start[1]
            top.key = _event_key_text(event, restore)
            if type(event) not in OPENING:
                return
        else:
            top.below[str(len(top.below)) if top.key is None else top.key] = span
            top.key = None
    if type(event) in OPENING:
        stack.append(span)


def _span_of_event(event: Event) -> YamlSpan:
    start = (event.start_mark.line, event.start_mark.column)
    if type(event) in OPENING:
        # A block ends with its last member: the end mark of libyaml is where the next value begins.
        mapping = type(event) is events.MappingStartEvent
        return YamlSpan(start, start, start[0] + 1, mapping=mapping, flow=bool(event.flow_style))
    end = (event.end_mark.line, event.end_mark.column)
    ends_at_line_start = getattr(event, "style", None) in LITERAL and end[1] == 0
    return YamlSpan(start, end, end[0] if ends_at_line_start else end[0] + 1)


def _event_key_text(event: Event, restore: Restore | None) -> str:
    """Text of a key; `?` for a key that is not a scalar."""
    if type(event) is not events.ScalarEvent:
        return "?"
    text: str = event.value
    return restore(text, event.style) if restore else text
