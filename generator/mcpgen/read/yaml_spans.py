"""From where to where the values of a YAML text go, so that text can be put between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from yaml import events

from mcpgen.read.yaml_events import BrokenYaml, Event, Restore, YamlEvents

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
