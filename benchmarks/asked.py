"""The queries of the search benchmark: one half to tune with, one held out, and more to tune
with, of other documents.

A query is a sentence of ours with the operations of a document that answer it. Those of the halves
were written before there was a search, and their text alone decides which half they belong to;
those of the other documents were written when it had been measured once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

QUERIES = Path(__file__).with_name("queries")


class Part(StrEnum):
    """A part of the queries."""

    TUNING = "tuning half"
    HELD_OUT = "held-out half"
    MORE = "more for tuning"


@dataclass(frozen=True, slots=True)
class Asked:
    """A query of one document, and the ids of the operations that are right."""

    api: str
    ask: str
    right: frozenset[str]
    more: bool = False

    @property
    def part(self) -> Part:
        """Where the query belongs: of the halves, one bit of a hash decides."""
        if self.more:
            return Part.MORE
        digest = hashlib.sha256(f"{self.api}: {self.ask}".encode()).digest()
        return Part.HELD_OUT if digest[0] % 2 else Part.TUNING


def asked() -> Iterator[Asked]:
    """All queries, by document."""
    for path in sorted(QUERIES.glob("*.json")):
        said = json.loads(path.read_text("utf-8"))
        for query in said["queries"]:
            right = frozenset(query["right"])
            yield Asked(said["api"], query["ask"], right, said.get("more", False))
