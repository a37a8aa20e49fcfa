"""The storage of the Reading Room: workspaces with knowledge bases, documents, agents and chats in SQLite.

An embedding is the frequency of the 26 letters, and the language model quotes the chunks of the best
hits: results are predictable, and a search still finds the texts that were ingested.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

SCHEMA = """
create table if not exists ids (number integer primary key);
create table if not exists workspaces (id text primary key);
create table if not exists collections (workspace text, name text, primary key (workspace, name));
create table if not exists knowledge_bases (
    id text primary key, workspace text, name text, description text, language text,
    collection text, owned integer, chunking text, embedding text, reranking text,
    unique (workspace, name)
);
create table if not exists documents (
    id text primary key, kb text, filename text, source text, hash text, metadata text, at text
);
create table if not exists chunks (id text primary key, document text, kb text, content text, vector text);
create table if not exists agents (id text primary key, workspace text, name text, set_up text);
create table if not exists chats (id text primary key, agent text, workspace text, title text, at text);
create table if not exists messages (
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
    """Everything of every workspace, in the SQLite file `path`."""

    def __init__(self, path: str) -> None:
        self._base = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._base.row_factory = sqlite3.Row
        self._base.executescript(SCHEMA)

    def close(self) -> None:
        """Closes the database."""
        self._base.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commits the changes of the block, or none of them if the block raises."""
        with self._base:
            self._base.execute("begin")
            yield

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
        """A new id such as `doc-7`; numbers are never used twice."""
        number = self._base.execute("insert into ids default values returning number").fetchone()[0]
        return f"{kind}-{number}"

    def now(self) -> str:
        """The time in UTC with microseconds, as RFC 3339 writes times."""
        return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")

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
