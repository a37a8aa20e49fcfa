"""The readers, and the connections that their grants open."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from mcp_adapter.resource.archive import digest
from mcp_adapter.resource.catalogue import CONNECTORS, Stream, find_stream
from mcp_adapter.resource.problems import Problem, invalid_argument, not_found


@dataclass(frozen=True)
class Source:
    """A connection that a reader may read, with the grant that allows the read."""

    grant_id: str
    connection_id: str
    connector_key: str
    display_name: str

    @property
    def identity(self) -> dict[str, Any]:
        """The keys of the source in answers, without an empty display name."""
        return {key: value for key, value in asdict(self).items() if value}

    @property
    def streams(self) -> Sequence[Stream]:
        """The streams of the connector."""
        return CONNECTORS[self.connector_key]


@dataclass(frozen=True)
class Reader:
    """The holder of a token, and the sources that the token opens, ordered by connector."""

    kind: str
    subject: str
    sources: tuple[Source, ...]

    def sources_with(self, stream: str, connection_id: str = "") -> list[tuple[Source, Stream]]:
        """Returns the sources with a stream, or only the source `connection_id`. Raises `Problem`
        if no source has the stream."""
        sources = [self.source_with_id(connection_id)] if connection_id else self.sources
        matching = [
            (source, known)
            for source in sources
            if (known := find_stream(source.connector_key, stream))
        ]
        if not matching:
            names = {known.name for source in sources for known in source.streams}
            raise not_found("stream", stream, sorted(names))
        return matching

    def single_source(self, stream: str, connection_id: str) -> tuple[Source, Stream]:
        """Returns the source `connection_id`, or the only source. Raises `Problem` if several are
        granted and none is named."""
        if not connection_id and len(self.sources) > 1:
            raise self.ambiguity(stream)
        return self.sources_with(stream, connection_id)[0]

    def source_with_id(self, connection_id: str) -> Source:
        """Returns the source with an id. Raises `Problem` for an id that is not granted."""
        for source in self.sources:
            if source.connection_id == connection_id:
                return source
        raise not_found("connection", connection_id)

    def ambiguity(self, stream: str) -> Problem:
        """Returns the problem of a read without `connection_id`, with the sources that have the
        stream."""
        candidates = [source.identity for source, _ in self.sources_with(stream)]
        return Problem(
            *(409, "ambiguous_connection"),
            f"Several connections are granted; say which one of {len(candidates)} is meant.",
            retry_with="connection_id",
            available_connections=candidates,
            total_connections=len(candidates),
        )


_SOURCES = """
SELECT grant_id, connection_id, connector_key, display_name
FROM grants JOIN connections USING (connection_id) WHERE package = ?
ORDER BY connector_key, connection_id
"""
_EVERY_SOURCE = """
SELECT 'owner' AS grant_id, connection_id, connector_key, display_name
FROM connections ORDER BY connector_key, connection_id
"""


def authenticate(archive: sqlite3.Connection, authorization: str) -> Reader:
    """Returns the reader with a bearer token. Raises `Problem` for an unknown token."""
    scheme, _, token = authorization.partition(" ")
    row = find_bearer(archive, token.strip()) if scheme.lower() == "bearer" else None
    if row is None:
        raise Problem(401, "invalid_token", "This takes the bearer of a grant.")
    if row["kind"] == "grant":
        rows = archive.execute(_SOURCES, (row["package"],))
    else:
        rows = archive.execute(_EVERY_SOURCE)
    return Reader(row["kind"], row["subject"], tuple(Source(*row) for row in rows))


def find_bearer(archive: sqlite3.Connection, token: str) -> sqlite3.Row | None:
    """Returns the stored row of a token, or None."""
    row: sqlite3.Row | None = archive.execute(
        "SELECT kind, subject, package FROM bearers WHERE digest = ?", (digest(token),)
    ).fetchone()
    return row


def parse_limit(text: str | None, default: int, maximum: int) -> int:
    """Returns the number of records of a page, from 1 to `maximum`. Raises `Problem`."""
    if text is None:
        return default
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= maximum:
        raise invalid_argument(f"limit is a whole number from 1 to {maximum}")
    return int(text)
