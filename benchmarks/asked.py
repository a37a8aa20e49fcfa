"""The queries of the search benchmark, in two halves: one to tune with, one that is held out.

A query is a sentence of ours, written before there was a search, with the operations of a document
that answer it. Which half it belongs to follows from its text alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

QUERIES = Path(__file__).with_name("queries")


class Half(StrEnum):
    """A half of the queries."""

    TUNING = "tuning"
    HELD_OUT = "held out"


@dataclass(frozen=True, slots=True)
class Asked:
    """A query of one document, and the ids of the operations that are right."""

    api: str
    ask: str
    right: frozenset[str]

    @property
    def half(self) -> Half:
        """Where the query belongs: the first bit of a hash decides."""
        digest = hashlib.sha256(f"{self.api}: {self.ask}".encode()).digest()
        return Half.HELD_OUT if digest[0] % 2 else Half.TUNING


def asked() -> Iterator[Asked]:
    """All queries, by document."""
    for path in sorted(QUERIES.glob("*.json")):
        said = json.loads(path.read_text("utf-8"))
        for query in said["queries"]:
            yield Asked(said["api"], query["ask"], frozenset(query["right"]))
