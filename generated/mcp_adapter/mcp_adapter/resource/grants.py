"""Who reads, and what their grants open."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from mcp_adapter.resource.archive import digest
from mcp_adapter.resource.catalogue import CONNECTORS, Stream, stream_of
from mcp_adapter.resource.problems import Problem, invalid, unknown


@dataclass(frozen=True)
class Source:
    """A connection that a reader may read, and the grant that says so."""

    grant_id: str
    connection_id: str
    connector_key: str
    display_name: str

    @property
    def told(self) -> dict[str, Any]:
        """What identifies the source in answers; without a display name where it has none."""
        return {key: value for key, value in asdict(self).items() if value}

    @property
    def streams(self) -> Sequence[Stream]:
        """What can be read there."""
        return CONNECTORS[self.connector_key]


@dataclass(frozen=True)
class Reader:
    """The holder of a bearer, and every source it opens, ordered by connector."""

    kind: str
    subject: str
    sources: tuple[Source, ...]

    def having(self, stream: str, connection_id: str = "") -> list[tuple[Source, Stream]]:
        """The sources that have a stream, or the one that is named. Raises `Problem` for none."""
        sources = [self.named(connection_id)] if connection_id else self.sources
        found = [
            (source, known)
            for source in sources
            if (known := stream_of(source.connector_key, stream))
        ]
        if not found:
            names = {one.name for source in sources for one in source.streams}
            raise unknown("stream", stream, sorted(names))
        return found

    def single(self, stream: str, connection_id: str) -> tuple[Source, Stream]:
        """The one source that is meant. Raises `Problem` where several could be."""
        if not connection_id and len(self.sources) > 1:
            raise self.ambiguous(stream)
        return self.having(stream, connection_id)[0]

    def named(self, connection_id: str) -> Source:
        """The source of an id. Raises `Problem` for one that is not granted."""
        for source in self.sources:
            if source.connection_id == connection_id:
                return source
        raise unknown("connection", connection_id)

    def ambiguous(self, stream: str) -> Problem:
        """That the reader has to say which source is meant; those that have the stream."""
        candidates = [source.told for source, _ in self.having(stream)]
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


def reader_of(archive: sqlite3.Connection, authorization: str) -> Reader:
    """Whoever shows a bearer. Raises `Problem` for one that is not known."""
    scheme, _, token = authorization.partition(" ")
    found = bearer(archive, token.strip()) if scheme.lower() == "bearer" else None
    if found is None:
        raise Problem(401, "invalid_token", "This takes the bearer of a grant.")
    if found["kind"] == "grant":
        rows = archive.execute(_SOURCES, (found["package"],))
    else:
        rows = archive.execute(_EVERY_SOURCE)
    return Reader(found["kind"], found["subject"], tuple(Source(*row) for row in rows))


def bearer(archive: sqlite3.Connection, token: str) -> sqlite3.Row | None:
    """What is known of a token."""
    found: sqlite3.Row | None = archive.execute(
        "SELECT kind, subject, package FROM bearers WHERE digest = ?", (digest(token),)
    ).fetchone()
    return found


def whole(text: str | None, default: int, most: int) -> int:
    """A number of records between one and the most that are given at once."""
    if text is None:
        return default
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= most:
        raise invalid(f"limit is a whole number from 1 to {most}")
    return int(text)
