"""The archive: one SQLite database with connections, grants, records, and an index of their
words."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from functools import cache
from hashlib import sha256

from mcp_adapter.resource.catalogue import find_stream
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
"""`version` grows with every record. A bookmark of changes has the newest version at the time of a
page."""


@cache
def open_archive() -> sqlite3.Connection:
    """Returns the archive in memory, with the samples. All callers share the archive, because
    nothing changes it."""
    # A thread that serves requests may differ from the thread that made the archive.
    archive = sqlite3.connect(":memory:", check_same_thread=False)
    archive.row_factory = sqlite3.Row
    archive.executescript(TABLES)
    connectors = {
        connection.connection_id: connection.connector_key for connection in (*SMALL, *MANY)
    }
    _add_connections(archive, (*SMALL, *MANY))
    _add_grants(archive, BEARERS)
    for sample in samples():
        _add_record(archive, sample, connectors[sample.connection_id])
    archive.commit()
    return archive


def digest(token: str) -> str:
    """Returns the form in which the archive stores a token."""
    return sha256(token.encode()).hexdigest()


def _add_connections(archive: sqlite3.Connection, connections: Iterable[Connection]) -> None:
    archive.executemany(
        "INSERT INTO connections VALUES (?, ?, ?)",
        [(item.connection_id, item.connector_key, item.display_name) for item in connections],
    )


def _add_grants(archive: sqlite3.Connection, bearers: Iterable[Bearer]) -> None:
    grants = [
        (f"grt_{package}_{number:02}", package, connection.connection_id)
        for package, connections in PACKAGES.items()
        for number, connection in enumerate(connections, 1)
    ]
    archive.executemany("INSERT INTO grants VALUES (?, ?, ?)", grants)
    archive.executemany(
        "INSERT INTO bearers VALUES (?, ?, ?, ?)",
        [(digest(item.token), item.kind, item.subject, item.package) for item in bearers],
    )


def _add_record(archive: sqlite3.Connection, sample: Sample, connector_key: str) -> None:
    """Adds a record, and the words of its text fields to the index."""
    stream = find_stream(connector_key, sample.stream)
    indexed_names = stream.names_with_flag("t") if stream else []
    row = archive.execute(
        "INSERT INTO records (connection_id, stream, record_id, emitted_at, payload)"
        " VALUES (?, ?, ?, ?, ?)",
        (
            *(sample.connection_id, sample.stream, sample.record_id, sample.emitted_at),
            json.dumps(sample.payload),
        ),
    ).lastrowid
    words = "\n".join(str(sample.payload[name]) for name in indexed_names)
    archive.execute("INSERT INTO words (rowid, found) VALUES (?, ?)", (row, words))
