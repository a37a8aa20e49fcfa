"""What it takes to hold a value against a schema.

A validator asks every schema that a value meets, on every way that leads to it. Where schemas lead to
the same ones twice, level after level, that doubles with each level of the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mcpgen.sampling.subschemas import Json, Pair, applied_subschemas

MOST = 1_000_000
"""Schemas that a validator may have to ask about one value and what is in it."""

_OF_THE_REST = frozenset({"unevaluatedProperties", "unevaluatedItems"})


def effort(value: Json, schema: Json, resolved: Callable[[str], Json]) -> int:
    """How many schemas a validator has to ask at most, not counted further than beyond MOST;
    `resolved` follows references.

    Counted level by level, where those that are met on several ways stand once, with how often they
    are asked whether the value meets them, and how often which of its members or items they look at.
    """
    asked = 0
    level: dict[tuple[int, int], tuple[Pair, int, int]] = {(0, 0): ((schema, value), 1, 0)}
    while level and asked <= MOST:
        below: dict[tuple[int, int], tuple[Pair, int, int]] = {}
        for (part, asked_of), met, looked in level.values():
            both = met + looked
            asked += both
            # Only schemas of the same value look at its members. Who says what they looked at finds
            # out which of them are met; who speaks of the rest has to know it to be met itself.
            looked_on = looked + both if _wants_rest(part) else looked
            for pair in _following(part, asked_of, resolved):
                key = (id(pair[0]), id(pair[1]))
                _, met_before, looked_before = below.get(key, (pair, 0, 0))
                more = looked_on if pair[1] is asked_of else 0
                below[key] = (pair, met_before + both, looked_before + more)
        level = below
    return asked


def _wants_rest(schema: Json) -> bool:
    """Whether a schema speaks of what no other has looked at, and has all below asked again for it."""
    return isinstance(schema, dict) and not _OF_THE_REST.isdisjoint(schema)


def _following(schema: Json, value: Json, resolved: Callable[[str], Json]) -> Iterable[Pair]:
    """What is asked next: what a reference leads to, and the schemas directly inside."""
    if not isinstance(schema, dict):
        return ()
    reference = schema.get("$ref")
    inside = applied_subschemas(schema, value)
    return [(resolved(reference), value), *inside] if isinstance(reference, str) else inside
