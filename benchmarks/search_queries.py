"""The queries of the search benchmark: those to tune with, and those that are held out.

A query is what a user says (`ask`), what a language model that is told so asks the search (`call`),
and the operations that are right. A model wrote each `call` at its first go, from the sentence, the
instructions of the server and the description of `search_tools`: without the API's description, the
search, or what is right. Each file of `queries/` says which part its queries belong to. Those that
are held out were written before the search was asked any of them. Where a query to tune with has
more right operations than it had at first, `why` says what for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

QUERIES = Path(__file__).with_name("queries")


class Part(StrEnum):
    """A part of the queries: to tune with; held out, about documents that others were tuned with; held
    out, about documents that no other is about; held out, about two of those that were invented for it
    (`apis/`), so that nobody can have heard of them."""

    TUNING = "tuning"
    KNOWN = "known"
    STRANGERS = "strangers"
    INVENTED = "invented"


class Way(StrEnum):
    """Who asks: the user, as people talk, or the model between the user and the search."""

    ASK = "as a user says it"
    CALL = "as a model asks for it"


@dataclass(frozen=True, slots=True)
class Asked:
    """One way of asking a query of one document, and the operations that are right: their ids, or
    method and path where they have none."""

    api: str
    part: Part
    way: Way
    words: str
    right: frozenset[str]


def asked() -> Iterator[Asked]:
    """All queries in both ways, by document."""
    for path in sorted(QUERIES.glob("*.json")):
        said = json.loads(path.read_text("utf-8"))
        api, part = said["api"], Part(said["part"])
        for query in said["queries"]:
            right = frozenset(query["right"])
            yield Asked(api, part, Way.ASK, query["ask"], right)
            yield Asked(api, part, Way.CALL, query["call"], right)
