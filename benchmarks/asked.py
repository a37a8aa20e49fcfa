"""The queries of the search benchmark: those to tune with, and those that are held out.

A query is a sentence of ours with the operations of a document that answer it. Each file of
`queries/` says which part its queries belong to. Those that are held out were written before the
search was asked any of them, over documents that no query to tune with is about. Where a query to
tune with has more right operations than it had at first, `why` says what for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

QUERIES = Path(__file__).with_name("queries")


class Part(StrEnum):
    """A part of the queries."""

    TUNING = "tuning"
    HELD_OUT = "held-out"


@dataclass(frozen=True, slots=True)
class Asked:
    """A query of one document, and the operations that are right: their ids, or method and path where
    they have none."""

    api: str
    part: Part
    ask: str
    right: frozenset[str]


def asked() -> Iterator[Asked]:
    """All queries, by document."""
    for path in sorted(QUERIES.glob("*.json")):
        said = json.loads(path.read_text("utf-8"))
        for query in said["queries"]:
            yield Asked(said["api"], Part(said["part"]), query["ask"], frozenset(query["right"]))
