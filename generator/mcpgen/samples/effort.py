"""What it takes to hold a value against a schema.

A validator asks every schema that a value meets, on every way that leads to it. Where schemas lead to
the same ones twice, level after level, that doubles with each level of the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mcpgen.samples.asked import Json, Pair, asked_by

MOST = 1_000_000
"""Schemas that a validator may have to ask about one value and what is in it."""


def effort(value: Json, schema: Json, resolved: Callable[[str], Json]) -> int:
    """How many schemas a validator has to ask at most, not counted further than beyond MOST;
    `resolved` follows references.

    Counted level by level, where those that are met on several ways stand once.
    """
    asked = 0
    level: dict[tuple[int, int], tuple[Pair, int]] = {(0, 0): ((schema, value), 1)}
    while level and asked <= MOST:
        asked += sum(ways for _, ways in level.values())
        below: dict[tuple[int, int], tuple[Pair, int]] = {}
        for (part, asked_of), ways in level.values():
            for pair in _following(part, asked_of, resolved):
                key = (id(pair[0]), id(pair[1]))
                others = below[key][1] if key in below else 0
                below[key] = (pair, ways + others)
        level = below
    return asked


def _following(schema: Json, value: Json, resolved: Callable[[str], Json]) -> Iterable[Pair]:
    """What is asked next: what a reference leads to, and the schemas directly inside."""
    if not isinstance(schema, dict):
        return ()
    reference = schema.get("$ref")
    inside = asked_by(schema, value)
    return [(resolved(reference), value), *inside] if isinstance(reference, str) else inside
