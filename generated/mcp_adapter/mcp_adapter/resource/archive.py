"""The archive: one SQLite database with connections, grants, records, and an index of their words."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from functools import cache
from hashlib import sha256

from mcp_adapter.resource.catalogue import stream_of
from mcp_adapter.resource.samples import (
    BEARERS,
    MANY,
    PACKAGES,
    SMALL,
    Bearer,
    Connection,
    Sample,
    samples,
)

TABLES = """
CREATE TABLE connections (
  connection_id TEXT PRIMARY KEY, connector_key TEXT NOT NULL, display_name TEXT NOT NULL
);
CREATE TABLE grants (
  grant_id TEXT PRIMARY KEY, package TEXT NOT NULL,
  connection_id TEXT NOT NULL REFERENCES connections
);
CREATE TABLE bearers (
  digest TEXT PRIMARY KEY, kind TEXT NOT NULL, subject TEXT NOT NULL, package TEXT NOT NULL
);
CREATE TABLE records (
  version INTEGER PRIMARY KEY, connection_id TEXT NOT NULL REFERENCES connections,
  stream TEXT NOT NULL, record_id TEXT NOT NULL, emitted_at TEXT NOT NULL, payload TEXT NOT NULL,
  UNIQUE (connection_id, stream, record_id)
);
CREATE VIRTUAL TABLE words USING fts5(found, tokenize = 'unicode61');
"""
"""`version` counts changes: a bookmark of changes is the version it was made at."""


@cache
def opened() -> sqlite3.Connection:
    """The archive in memory with the samples in it. One is enough for all, as it is only read."""
    # A thread that serves it need not be the one that made it.
    archive = sqlite3.connect(":memory:", check_same_thread=False)
    archive.row_factory = sqlite3.Row
    archive.executescript(TABLES)
    connectors = {one.connection_id: one.connector_key for one in (*SMALL, *MANY)}
    _connect(archive, (*SMALL, *MANY))
    _grant(archive, BEARERS)
    for sample in samples():
        _keep(archive, sample, connectors[sample.connection_id])
    archive.commit()
    return archive


def digest(token: str) -> str:
    """What the archive knows of a bearer."""
    return sha256(token.encode()).hexdigest()


def _connect(archive: sqlite3.Connection, connections: Iterable[Connection]) -> None:
    archive.executemany(
        "INSERT INTO connections VALUES (?, ?, ?)",
        [(one.connection_id, one.connector_key, one.display_name) for one in connections],
    )


def _grant(archive: sqlite3.Connection, bearers: Iterable[Bearer]) -> None:
    grants = [
        (f"grt_{package}_{number:02}", package, one.connection_id)
        for package, connections in PACKAGES.items()
        for number, one in enumerate(connections, 1)
    ]
    archive.executemany("INSERT INTO grants VALUES (?, ?, ?)", grants)
    archive.executemany(
        "INSERT INTO bearers VALUES (?, ?, ?, ?)",
        [(digest(one.token), one.kind, one.subject, one.package) for one in bearers],
    )


def _keep(archive: sqlite3.Connection, sample: Sample, connector_key: str) -> None:
    """Adds a record, and its words to the index."""
    stream = stream_of(connector_key, sample.stream)
    searched = stream.flagged("t") if stream else []
    row = archive.execute(
        "INSERT INTO records (connection_id, stream, record_id, emitted_at, payload)"
        " VALUES (?, ?, ?, ?, ?)",
        (
            *(sample.connection_id, sample.stream, sample.record_id, sample.emitted_at),
            json.dumps(sample.payload),
        ),
    ).lastrowid
    words = "\n".join(str(sample.payload[name]) for name in searched)
    archive.execute("INSERT INTO words (rowid, found) VALUES (?, ?)", (row, words))
