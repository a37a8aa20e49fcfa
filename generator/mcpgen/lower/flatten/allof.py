"""The parts that one schema is joined from."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from mcpgen.ir.source import Json

MANY = 100
"""Parts of one schema from which on it is looked whether any stands twice."""


def allof_parts(parts: list[Json]) -> list[Json]:
    """The parts to join; where there are very many, those inside them instead, each once: schemas
    that are merged at every level hold the same ones again and again."""
    return parts if len(list(islice(_inside(parts), MANY))) < MANY else _distinct(parts)


def _inside(parts: list[Json]) -> Iterator[Json]:
    """The parts, those that are mere `allOf`s replaced by their own, at any depth."""
    waiting = list(reversed(parts))
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict) and part.keys() == {"allOf"}:
            waiting += reversed(part["allOf"])
        else:
            yield part


def _distinct(parts: list[Json]) -> list[Json]:
    """What `_inside` finds, each reference and each schema once."""
    found: dict[str | int, Json] = {}
    seen: set[int] = set()
    waiting = list(reversed(parts))
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict) and part.keys() == {"allOf"}:
            waiting += () if id(part) in seen else reversed(part["allOf"])
            seen.add(id(part))
        else:
            found.setdefault(_name(part) or id(part), part)
    return list(found.values())


def _name(part: Json) -> str:
    """What a mere reference leads to, `""` for anything else."""
    return str(part["$ref"]) if isinstance(part, dict) and part.keys() == {"$ref"} else ""
