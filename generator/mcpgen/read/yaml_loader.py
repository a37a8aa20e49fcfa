"""Composes a tree from YAML 1.2 events, and records positions in the same pass.

An alias shares the value of the anchor, but counts against the budgets at every use. `<<` merges,
as in YAML 1.1, because API descriptions use merges although the core schema has none. Keys are
taken as written: `200`, `NO` and `017` are the texts "200", "NO" and "017".
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from sys import intern
from typing import NoReturn, Protocol

from yaml import events

from mcpgen.diagnostics import Code, Location
from mcpgen.diagnostics.codes import read as codes
from mcpgen.ir.source import Json
from mcpgen.read import limits
from mcpgen.read.findings import Findings
from mcpgen.read.positions import LoadedDocument, Position
from mcpgen.read.yaml_events import BrokenYaml, Event, Restore, YamlEvents, is_plain
from mcpgen.read.yaml_scalars import (
    MAP_TAG,
    SEQUENCE_TAG,
    UnfitTag,
    UnusableNumber,
    construct_plain,
    construct_tagged,
    format_tag,
    kind_name,
)

COLUMN = 32
"""Bits for the column in a packed position; the line takes the bits above."""


class YamlMark(Protocol):
    """Position as PyYAML gives it: line and column from 0."""

    @property
    def line(self) -> int: ...

    @property
    def column(self) -> int: ...


class YamlPositions:
    """Positions in one text: a row per mapping entry and list item, in text order; row 0 is the
    document.

    Stored as arrays, since a large document has hundreds of thousands of values. Values repeated by
    an alias or a merge have no row. The rows below a row are indexed on first use.
    """

    def __init__(self) -> None:
        self._keys: list[str | None] = []
        self._at = array("Q")
        self._behind = array("L")
        self._below: dict[int, dict[str, int]] = {}

    def note(self, key: str | None, mark: YamlMark) -> None:
        """Appends a row for a mapping entry with `key`, or for a list item (None)."""
        self._keys.append(key)
        self._at.append(mark.line << COLUMN | mark.column)
        self._behind.append(0)

    def close(self, row: int) -> None:
        """Ends a container: all rows since `row` are below `row`."""
        self._behind[row] = len(self._keys)

    def forget(self, row: int) -> None:
        """Drops `row` and all later rows."""
        del self._keys[row:], self._at[row:], self._behind[row:]

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self._keys)

    def find(self, path: tuple[str, ...]) -> Position:
        """Position of the value at the path, or of the nearest existing ancestor."""
        row = 0
        for key in path:
            if row not in self._below:
                self._below[row] = dict(self._rows_below(row))
            if key not in self._below[row]:
                break
            row = self._below[row][key]
        line, column = divmod(self._at[row], 1 << COLUMN)
        return Position(line + 1, column + 1)

    def _rows_below(self, row: int) -> Iterator[tuple[str, int]]:
        """Yields key or index and row number for the members of a container.

        The last of several entries with one key wins, as in the tree.
        """
        end = self._behind[row]
        row_number, index = row + 1, 0
        while row_number < end:
            key = self._keys[row_number]
            yield (str(index) if key is None else key), row_number
            row_number, index = self._behind[row_number] or row_number + 1, index + 1


@dataclass(slots=True)
class Frame:
    """A container while its members arrive.

    `key`: key that waits for its value. `merging`: `key` is a merge key; `merges`: mappings to
    merge. `before`: number of values counted before the container. `height`: levels of nesting so
    far. `is_key`: the container itself is in the place of a key. `row`: row in the positions.
    """

    mapping: dict[str, Json] | None
    sequence: list[Json]
    key: str | None = None
    merging: bool = False
    merges: list[dict[str, Json]] = field(default_factory=list)
    anchor: str | None = None
    before: int = 0
    height: int = 1
    is_key: bool = False
    row: int = 0


@dataclass(frozen=True, slots=True)
class Anchored:
    """Target of an alias: value, text of a scalar, number of values, levels of nesting."""

    value: Json
    text: str | None = None
    size: int = 1
    height: int = 0


def path_of(frames: Iterable[Frame]) -> tuple[str, ...]:
    """Path to the next value; the first frame holds the documents and adds no key."""
    _, *containers = frames
    keys = (str(len(at.sequence)) if at.mapping is None else at.key for at in containers)
    return tuple(key for key in keys if key is not None)


def merge_entries(explicit: dict[str, Json], merges: list[dict[str, Json]]) -> dict[str, Json]:
    """The entries of a mapping by key, merged entries first. An earlier merge wins over a later, an
    explicit entry over all."""
    merged_mapping: dict[str, Json] = {}
    for source in merges:
        for key, value in source.items():
            merged_mapping.setdefault(key, value)
    return merged_mapping | explicit


COMPLEX = "?"
"""Placeholder for a key that is a mapping or a list, already reported as an error."""


class YamlRejected(Exception):
    """The text exceeds a budget or has a second document; already reported."""


class Composer:
    """Fills containers as events arrive, without recursion.

    `documents`: all documents except null documents. `places`: positions in the only document.
    """

    def __init__(self, file: str, findings: Findings) -> None:
        self.documents: list[Json] = []
        self.places = YamlPositions()
        self._file = file
        self._findings = findings
        self._top = Frame(None, self.documents)
        self._frames = [self._top]
        self._nodes = 0
        self._anchors: dict[str, Anchored | None] = {}
        self._restore: Restore | None = None
        self._document: Event = None
        self._first = 0

    def run(self, source: YamlEvents) -> None:
        """Composes every document of the stream. Raises BrokenYaml and YamlRejected."""
        self._restore = source.restore
        handlers: dict[type, Callable[[Event], None]] = {
            events.ScalarEvent: self._scalar,
            events.MappingStartEvent: self._open,
            events.SequenceStartEvent: self._open,
            events.MappingEndEvent: self._close,
            events.SequenceEndEvent: self._close,
            events.AliasEvent: self._alias,
            events.DocumentStartEvent: self._begin,
            events.DocumentEndEvent: self._end,
            events.StreamStartEvent: lambda event: None,
            events.StreamEndEvent: lambda event: None,
        }
        for event in source:
            handlers[type(event)](event)

    def _begin(self, event: Event) -> None:
        self._anchors.clear()
        self._document = event
        self._first = self.places.count

    def _end(self, event: Event) -> None:
        if self.documents[-1] is None:
            self.documents.pop()
            self.places.forget(self._first)
        if len(self.documents) > 1:
            self._refuse(codes.SEVERAL_DOCUMENTS, self._document)

    def _scalar(self, event: Event) -> None:
        text: str = event.value
        if self._restore:
            text = self._restore(text, event.style)
        top = self._top
        value: Json = text
        if top.mapping is not None and top.key is None:
            # Interned: documents repeat few keys many times, and later lookups compare by identity.
            self._key(intern(text), event)
        else:
            if top.mapping is None:
                self.places.note(None, event.start_mark)
            if event.tag or event.implicit[0]:
                value = self._value(text, event)
            self._put(value, event)
        if event.anchor:
            self._anchors[event.anchor] = Anchored(value, text)

    def _value(self, text: str, event: Event) -> Json:
        """Value of a plain or tagged scalar; None after a finding."""
        try:
            return construct_tagged(text, event.tag) if event.tag else construct_plain(text)
        except UnusableNumber:
            self._report(codes.UNUSABLE_NUMBER, event, text=text)
        except UnfitTag:
            self._report(codes.UNKNOWN_TAG, event, tag=format_tag(event.tag))
        return None

    def _key(self, text: str, event: Event) -> None:
        top = self._top
        assert top.mapping is not None
        if event.tag:
            try:
                construct_tagged(text, event.tag)
            except ValueError:
                self._report(codes.UNKNOWN_TAG, event, tag=format_tag(event.tag))
        top.key = text
        self.places.note(text, event.start_mark)
        if text in top.mapping:
            self._report(codes.DUPLICATE_KEY, event, key=text)
        elif len(top.mapping) >= limits.MAP_KEYS:
            self._refuse(codes.MAPPING_TOO_LARGE, event, limit=f"{limits.MAP_KEYS:,}")
        elif text == "<<":
            top.merging = is_plain(event)

    def _open(self, event: Event) -> None:
        top = self._top
        is_mapping = type(event) is events.MappingStartEvent
        if event.tag and event.tag != (MAP_TAG if is_mapping else SEQUENCE_TAG):
            self._report(codes.UNKNOWN_TAG, event, tag=format_tag(event.tag))
        is_key = top.mapping is not None and top.key is None
        if is_key:
            self._report(codes.COMPLEX_KEY, event)
            self.places.note(COMPLEX, event.start_mark)
        elif top.mapping is None:
            self.places.note(None, event.start_mark)
        if len(self._frames) > limits.DEPTH:
            self._refuse(codes.TOO_DEEP, event, limit=str(limits.DEPTH))
        if event.anchor:
            self._anchors[event.anchor] = None
        self._top = Frame(
            {} if is_mapping else None,
            [],
            anchor=event.anchor,
            before=self._nodes,
            is_key=is_key,
            row=self.places.count - 1,
        )
        self._frames.append(self._top)

    def _close(self, event: Event) -> None:
        frame = self._frames.pop()
        self._top = self._frames[-1]
        value: Json = frame.sequence if frame.mapping is None else frame.mapping
        if frame.merges:
            self._count(sum(map(len, frame.merges)), event)
            value = merge_entries(value, frame.merges)
        if frame.height >= self._top.height:
            self._top.height = frame.height + 1
        if frame.is_key:
            self._top.key = COMPLEX
            self.places.forget(frame.row + 1)
        else:
            self.places.close(frame.row)
            self._put(value, event)
        if frame.anchor:
            size = self._nodes - frame.before
            self._anchors[frame.anchor] = Anchored(value, size=size, height=frame.height)

    def _alias(self, event: Event) -> None:
        top = self._top
        anchored = self._anchors.get(event.anchor)
        if anchored is None:
            recursive = event.anchor in self._anchors
            code = codes.RECURSIVE_ALIAS if recursive else codes.UNKNOWN_ALIAS
            self._report(code, event, name=event.anchor)
            anchored = Anchored(None, "")
        if top.mapping is not None and top.key is None:
            if anchored.text is None:
                self._report(codes.COMPLEX_KEY, event)
            top.key = COMPLEX if anchored.text is None else anchored.text
            self.places.note(top.key, event.start_mark)
            if top.key in top.mapping:
                self._report(codes.DUPLICATE_KEY, event, key=top.key)
            return
        if len(self._frames) - 1 + anchored.height > limits.DEPTH:
            self._refuse(codes.TOO_DEEP, event, limit=str(limits.DEPTH))
        if top.mapping is None:
            self.places.note(None, event.start_mark)
        top.height = max(top.height, anchored.height + 1)
        self._put(anchored.value, event, anchored.size)

    def _put(self, value: Json, event: Event, size: int = 1) -> None:
        """Puts a value into the innermost container, and counts `size` values."""
        self._count(size, event)
        top = self._top
        if top.mapping is None:
            top.sequence.append(value)
        elif top.merging:
            self._merge(value, event)
            top.merging, top.key = False, None
        else:
            assert top.key is not None
            top.mapping[top.key] = value
            top.key = None

    def _count(self, size: int, event: Event) -> None:
        self._nodes += size
        if self._nodes > limits.NODES:
            self._refuse(codes.TOO_MANY_VALUES, event, limit=f"{limits.NODES:,}")

    def _merge(self, value: Json, event: Event) -> None:
        """Records the mappings of a merge key; `_close` merges them into the complete mapping."""
        for source in value if type(value) is list else [value]:
            if type(source) is dict:
                self._top.merges.append(source)
            else:
                self._report(codes.BAD_MERGE, event, found=kind_name(source))

    def _place(self, event: Event) -> Location:
        """Location of an event: keys of the open containers, line and column."""
        mark = event.start_mark
        return Location(self._file, path_of(self._frames), mark.line + 1, mark.column + 1)

    def _report(self, code: Code, event: Event, **facts: str) -> None:
        if not self._findings.skips(code, self._file):
            self._findings.add(code, self._place(event), severity=None, **facts)

    def _refuse(self, code: Code, event: Event, **facts: str) -> NoReturn:
        self._report(code, event, **facts)
        raise YamlRejected


def load_yaml(text: str, file: str, findings: Findings) -> LoadedDocument | None:
    """Parses a text with one document; None if there is no usable tree.

    Adds MG104, MG107, MG109–MG116 and MG123–MG125.
    """
    composer = Composer(file, findings)
    try:
        composer.run(YamlEvents(text))
    except BrokenYaml as error:
        at = Location(file, line=error.at.line, column=error.at.column)
        findings.add(codes.BROKEN_YAML, at, problem=error.problem, hint=error.hint)
        return None
    except YamlRejected:
        return None
    if not composer.documents:
        findings.add(codes.EMPTY_FILE, Location(file))
        return None
    return LoadedDocument(composer.documents[0], composer.places.find)
