"""Containers on their way from YAML events to a tree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from mcpgen.ir.source import Json


@dataclass(slots=True)
class Frame:
    """A container that is being filled.

    `key` waits for its value. `merging` tells that it is a merge key; `merges` are the mappings to
    be merged. `before` is how many values had been counted when the container began, `height` how
    many levels it has so far. `is_key` tells that the container itself stands where a key should.
    `row` is its row among the places.
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
    """What an alias repeats: the value, a scalar's text, and how many values and levels it has."""

    value: Json
    text: str | None = None
    size: int = 1
    height: int = 0


def path_of(frames: Iterable[Frame]) -> tuple[str, ...]:
    """The keys that lead to what comes next; the first frame holds the documents and has none."""
    _, *containers = frames
    keys = (str(len(at.sequence)) if at.mapping is None else at.key for at in containers)
    return tuple(key for key in keys if key is not None)


def merge_entries(explicit: dict[str, Json], merges: list[dict[str, Json]]) -> dict[str, Json]:
    """The mapping with the merged entries first; earlier merges win, explicit entries always."""
    whole: dict[str, Json] = {}
    for source in merges:
        for key, value in source.items():
            whole.setdefault(key, value)
    return whole | explicit
