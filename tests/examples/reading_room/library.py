"""What the Reading Room keeps: workspaces with knowledge bases, documents, agents and chats, in SQLite.

Embedding is the frequency of the 26 letters, and the language model quotes what was found: small
enough to be predictable, real enough that a search finds what was ingested.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

SCHEMA = """
create table workspaces (id text primary key);
create table collections (workspace text, name text, primary key (workspace, name));
create table knowledge_bases (
    id text primary key, workspace text, name text, description text, language text,
    collection text, owned integer, chunking text, embedding text, reranking text,
    unique (workspace, name)
);
create table documents (
    id text primary key, kb text, filename text, source text, hash text, metadata text, at text
);
create table chunks (id text primary key, document text, kb text, content text, vector text);
create table agents (id text primary key, workspace text, name text, set_up text);
create table chats (id text primary key, agent text, workspace text, title text, at text);
create table messages (
    id text primary key, chat text, role text, content text, at text, metadata text
);
"""

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Problem(Exception):
    """Why something is not done: an HTTP status, a code and a sentence, and what else to tell."""

    def __init__(self, status: int, code: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.status = status
        self.body = {"code": code, "message": message, **more}


class Library:
    """Everything of every workspace."""

    def __init__(self) -> None:
        self._base = sqlite3.connect(":memory:", check_same_thread=False)
        self._base.row_factory = sqlite3.Row
        self._base.executescript(SCHEMA)
        self._count = 0

    def close(self) -> None:
        """Forgets everything."""
        self._base.close()

    def rows(self, query: str, *values: Any) -> list[dict[str, Any]]:
        """The rows of a query."""
        return [dict(row) for row in self._base.execute(query, values)]

    def add(self, table: str, **values: Any) -> None:
        """One more row."""
        marks = ", ".join("?" for _ in values)
        self._base.execute(
            f"insert into {table} ({', '.join(values)}) values ({marks})", tuple(values.values())
        )

    def remove(self, table: str, **values: Any) -> int:
        """How many rows are gone."""
        where = " and ".join(f"{name} = ?" for name in values)
        query = f"delete from {table} where {where}"
        return self._base.execute(query, tuple(values.values())).rowcount

    def id(self, kind: str) -> str:
        """A new id, and with it the next moment."""
        self._count += 1
        return f"{kind}-{self._count}"

    def now(self) -> str:
        """A time that never stands still and is the same in every run."""
        return f"2026-03-01T08:{self._count // 60 % 60:02}:{self._count % 60:02}Z"

    def one(self, code: str, query: str, *values: Any) -> dict[str, Any]:
        """The only row. Raises a problem of 404 with the code `…_not_found` if there is none."""
        found = self.rows(query, *values)
        if not found:
            raise Problem(404, f"{code}_not_found", f"There is no such {code.replace('_', ' ')}.")
        return found[0]


def embedded(text: str) -> list[float]:
    """The vector of a text: how often each letter stands in it, at length 1."""
    counts = [float(text.lower().count(letter)) for letter in LETTERS]
    length = math.hypot(*counts) or 1.0
    return [count / length for count in counts]


def near(one: Sequence[float], other: Sequence[float]) -> float:
    """The cosine of two vectors, 0 where one of them has no length."""
    length = math.hypot(*one) * math.hypot(*other)
    product = sum(a * b for a, b in zip(one, other, strict=True))
    return round(product / length, 6) if length else 0.0


def shared(one: str, other: str) -> float:
    """Which part of the words of the first text stands in the second."""
    asked, found = words(one), words(other)
    return len(asked & found) / len(asked) if asked else 0.0


def words(text: str) -> set[str]:
    """The words of a text."""
    return set(re.findall(r"\w+", text.lower()))


def cut(text: str) -> list[str]:
    """The chunks of a text: its paragraphs."""
    return [part.strip() for part in text.split("\n\n") if part.strip()] or [text]


def fingerprint(text: str) -> str:
    """What tells whether two texts are the same."""
    return hashlib.sha256(text.encode()).hexdigest()


def ranked(hits: Iterable[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    """The best hits, the best first."""
    return sorted(hits, key=lambda hit: (-hit["score"], hit["chunkId"]))[:most]


def stored(value: Any) -> str:
    """A value as it is kept in one column."""
    return json.dumps(value, sort_keys=True)
