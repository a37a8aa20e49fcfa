"""Where the values of a YAML text stand, from one pass over its events."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

from yaml import events

from mcpgen.read.lines import Position
from mcpgen.read.yaml_events import BrokenYaml, Event, Events, Restore

OPENING = (events.MappingStartEvent, events.SequenceStartEvent)
CLOSING = (events.MappingEndEvent, events.SequenceEndEvent)
VALUES = (events.ScalarEvent, events.AliasEvent)


@dataclass(slots=True)
class _Node:
    """A value: where it is shown to stand, and what stands below it, by key or index."""

    at: Position
    is_mapping: bool = False
    below: dict[str, _Node] = field(default_factory=dict)
    key: str | None = None
    key_at: Position | None = None


class YamlPlaces:
    """The places in one text. Values that an alias repeats or a merge brings stand at neither."""

    def __init__(self, text: str) -> None:
        self._root = _Node(Position(1, 1))
        # What stands before an error is known; the error itself was reported when it was read.
        with suppress(BrokenYaml):
            self._index(Events(text))

    def find(self, path: tuple[str, ...]) -> Position:
        """The position of the value at the path, or of its nearest ancestor."""
        node = self._root.below.get("0", self._root)
        for key in path:
            if key not in node.below:
                break
            node = node.below[key]
        return node.at

    def _index(self, source: Events) -> None:
        """Notes where the values of the first document stand."""
        restore = source.restore
        stack = [self._root]
        for event in source:
            kind = type(event)
            if kind in CLOSING:
                stack.pop()
            elif kind is events.DocumentEndEvent:
                return
            elif kind in VALUES or kind in OPENING:
                top = stack[-1]
                mark = event.start_mark
                at = Position(mark.line + 1, mark.column + 1)
                expects_key = top.is_mapping and top.key is None
                if expects_key:
                    top.key, top.key_at = _written(event, restore), at
                    if kind in VALUES:
                        continue
                node = _Node(top.key_at or at, is_mapping=kind is events.MappingStartEvent)
                if not expects_key:
                    key = str(len(top.below)) if top.key is None else top.key
                    top.below[key] = node
                    top.key, top.key_at = None, None
                if kind in OPENING:
                    stack.append(node)


def _written(event: Event, restore: Restore | None) -> str:
    """The key an event writes; `?` for one that is not a scalar."""
    if type(event) is not events.ScalarEvent:
        return "?"
    text: str = event.value
    return restore(text, event.style) if restore else text
