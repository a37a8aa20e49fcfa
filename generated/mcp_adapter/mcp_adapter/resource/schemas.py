"""What can be read: an index of all streams, or all about the rows of one."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from mcp_adapter.resource.aggregation import FUNCTIONS
from mcp_adapter.resource.catalogue import IDENTITY, Stream
from mcp_adapter.resource.grants import Reader, Source
from mcp_adapter.resource.problems import invalid


def index(archive: sqlite3.Connection, reader: Reader, connection_id: str) -> dict[str, Any]:
    """Every stream that is granted, or those of one connection: a row for each connection that has
    it, without fields. Raises `Problem`."""
    counted = archive.execute(
        "SELECT connection_id, stream, count(*) FROM records GROUP BY connection_id, stream"
    )
    counts = {(row[0], row[1]): row[2] for row in counted}
    rows = [
        {"stream": stream.name, **source.told, "records": counts[source.connection_id, stream.name]}
        for source in ([reader.named(connection_id)] if connection_id else reader.sources)
        for stream in source.streams
    ]
    return grouped(rows)


def scoped(reader: Reader, stream: str, connection_id: str, detail: str) -> dict[str, Any]:
    """The rows of one stream; with their JSON Schemas where `detail` is `full`, which takes one
    connection. Raises `Problem`."""
    if detail not in ("compact", "full"):
        raise invalid("detail is `compact` or `full`")
    full = detail == "full"
    if full and not connection_id and len(reader.having(stream)) > 1:
        raise reader.ambiguous(stream)
    return grouped(
        [_row(source, known, full) for source, known in reader.having(stream, connection_id)]
    )


def grouped(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Rows as clients of the first days read them, in one list, and by connector besides."""
    keys = dict.fromkeys(row["connector_key"] for row in rows)
    by_connector = [
        {"connector_key": key, "streams": [row for row in rows if row["connector_key"] == key]}
        for key in keys
    ]
    return {"data": {"streams": list(rows), "connectors": by_connector}}


def _row(source: Source, stream: Stream, full: bool) -> dict[str, Any]:
    """What one stream of one connection can be asked."""
    row: dict[str, Any] = {
        "stream": stream.name,
        **source.told,
        "fields": [
            {"name": one.name, "type": one.type, "flags": one.flags} for one in stream.fields
        ],
        "identity": list(IDENTITY),
        "projection": True,
        "count": ["exact"],
        "expand": sorted(stream.relations),
        "search": ["full_text"] if stream.flagged("t") else [],
        "aggregate": {
            "functions": list(FUNCTIONS),
            "fields": stream.flagged("a"),
            "group_by": stream.flagged("g"),
        },
    }
    if full:
        row["json_schema"] = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {one.name: one.schema for one in stream.fields},
        }
    return row
