"""The schema of the archive: an index of all streams, or the details of a stream.

A row is a stream of a connection.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from mcp_adapter.resource.aggregation import FUNCTIONS
from mcp_adapter.resource.catalogue import IDENTITY, Stream
from mcp_adapter.resource.grants import Reader, Source
from mcp_adapter.resource.problems import invalid_argument


def schema_index(archive: sqlite3.Connection, reader: Reader, connection_id: str) -> dict[str, Any]:
    """Returns a row without fields for each granted stream, of all connections or of a connection.
    Raises `Problem`."""
    count_rows = archive.execute(
        "SELECT connection_id, stream, count(*) FROM records GROUP BY connection_id, stream"
    )
    counts = {(row[0], row[1]): row[2] for row in count_rows}
    rows = [
        {
            "stream": stream.name,
            **source.identity,
            "records": counts[source.connection_id, stream.name],
        }
        for source in ([reader.source_with_id(connection_id)] if connection_id else reader.sources)
        for stream in source.streams
    ]
    return rows_by_connector(rows)


def stream_schema(reader: Reader, stream: str, connection_id: str, detail: str) -> dict[str, Any]:
    """Returns the rows of a stream; for the `detail` `full` with the JSON Schema, of a single
    connection. Raises `Problem`."""
    if detail not in ("compact", "full"):
        raise invalid_argument("detail is `compact` or `full`")
    full = detail == "full"
    if full and not connection_id and len(reader.sources_with(stream)) > 1:
        raise reader.ambiguity(stream)
    return rows_by_connector(
        [_row(source, known, full) for source, known in reader.sources_with(stream, connection_id)]
    )


def rows_by_connector(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Returns the rows as a list, which older clients read, and by connector."""
    keys = dict.fromkeys(row["connector_key"] for row in rows)
    by_connector = [
        {"connector_key": key, "streams": [row for row in rows if row["connector_key"] == key]}
        for key in keys
    ]
    return {"data": {"streams": list(rows), "connectors": by_connector}}


def _row(source: Source, stream: Stream, full: bool) -> dict[str, Any]:
    """Returns the row of a stream: the fields, and the parameters that a read accepts."""
    row: dict[str, Any] = {
        "stream": stream.name,
        **source.identity,
        "fields": [
            {"name": field.name, "type": field.type, "flags": field.flags}
            for field in stream.fields
        ],
        "identity": list(IDENTITY),
        "projection": True,
        "count": ["exact"],
        "expand": sorted(stream.relations),
        "search": ["full_text"] if stream.names_with_flag("t") else [],
        "aggregate": {
            "functions": list(FUNCTIONS),
            "fields": stream.names_with_flag("a"),
            "group_by": stream.names_with_flag("g"),
        },
    }
    if full:
        row["json_schema"] = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {field.name: field.schema for field in stream.fields},
        }
    return row
