"""Records of a stream in pages, also only the records that changed since a bookmark."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcp_adapter.resource.bookmarks import decode_bookmark, encode_bookmark
from mcp_adapter.resource.catalogue import Stream
from mcp_adapter.resource.conditions import (
    Where,
    count_records,
    find_field,
    join_conditions,
    parse_conditions,
    projected_fields,
    sql_column,
)
from mcp_adapter.resource.grants import Source
from mcp_adapter.resource.problems import invalid_argument, not_found

PUBLIC_URL = "https://archive.example"
"""The web site on which people see records."""


@dataclass(frozen=True)
class Query:
    """The parameters of a read. `sort` is the name of a field, with `-` in front for descending
    order."""

    filter: Sequence[str] = ()
    fields: Sequence[str] = ()
    sort: str = ""
    limit: int = 20
    cursor: str = ""
    changes_since: str = ""
    count: bool = False
    expand: Sequence[str] = ()


@dataclass(frozen=True)
class Order:
    """The order of records: `by` is an SQL expression, `down` means descending."""

    by: str = "version"
    down: bool = False

    @property
    def sql(self) -> str:
        """The ORDER BY clause. Records with equal values are in the order of `version`."""
        direction = "DESC" if self.down else "ASC"
        return f"ORDER BY {self.by} {direction}, version {direction}"


def read(
    archive: sqlite3.Connection, source: Source, stream: Stream, query: Query
) -> dict[str, Any]:
    """Returns a page of records, with the cursor of the next page and a bookmark of changes. Raises
    `Problem`."""
    conditions = [_in_stream(source, stream), *parse_conditions(stream, query.filter)]
    if query.changes_since:
        (version,) = decode_bookmark("changes", query.changes_since, 1)
        conditions.append(Where("version > ?", (version,)))
    order = _order(stream, query.sort)
    after_cursor = [_after_cursor(query, order)] if query.cursor else []
    rows = _rows(archive, [*conditions, *after_cursor], order, query.limit + 1)
    page = rows[: query.limit]
    records = [_record(archive, source, stream, row, query) for row in page]
    answer: dict[str, Any] = {"data": records, "has_more": len(rows) > len(page)}
    if len(rows) > len(page):
        answer["next_cursor"] = encode_bookmark(
            "page", page[-1]["key"], page[-1]["version"], query.sort
        )
    answer["next_changes_since"] = encode_bookmark(
        "changes", _newest_version(archive, source, stream)
    )
    if query.count:
        answer["meta"] = {
            "count": {"kind": "exact", "value": count_records(archive, join_conditions(conditions))}
        }
    return answer


def fetch(
    archive: sqlite3.Connection,
    source: Source,
    stream: Stream,
    record_id: str,
    fields: Sequence[str],
) -> dict[str, Any]:
    """Returns a record. Raises `Problem` if the record does not exist."""
    conditions = [_in_stream(source, stream), Where("record_id = ?", (record_id,))]
    rows = _rows(archive, conditions, Order(), 1)
    if not rows:
        raise not_found("record", record_id)
    record = _record(archive, source, stream, rows[0], Query(fields=fields))
    return {"data": {**record, "roles": stream.roles}}


def record_envelope(
    source: Source, stream: Stream, row: sqlite3.Row, fields: Sequence[str]
) -> dict[str, Any]:
    """Returns a record with these fields of the payload."""
    payload = json.loads(row["payload"])
    record_id = row["record_id"]
    path = f"{source.connection_id}/{stream.name}/{record_id}"
    return {
        "id": path,
        "record_id": record_id,
        "stream": stream.name,
        **source.identity,
        "emitted_at": row["emitted_at"],
        "url": f"{PUBLIC_URL}/{path}",
        "provider_url": f"https://{source.connector_key}.example/{record_id}",
        "payload": {name: payload[name] for name in fields if name in payload},
    }


def _record(
    archive: sqlite3.Connection, source: Source, stream: Stream, row: sqlite3.Row, query: Query
) -> dict[str, Any]:
    record = record_envelope(source, stream, row, projected_fields(stream, query.fields))
    if query.expand:
        record["expanded"] = {
            name: _related(archive, source, stream, row["record_id"], name) for name in query.expand
        }
    return record


def _related(
    archive: sqlite3.Connection, source: Source, stream: Stream, record_id: str, relation: str
) -> list[Mapping[str, Any]]:
    """Returns the records of another stream that have the id of this record, at most 20."""
    if relation not in stream.relations:
        raise not_found("relation", relation, sorted(stream.relations))
    name, key = stream.relations[relation]
    other = next(known for known in source.streams if known.name == name)
    points_to_record = Where(f"{sql_column(find_field(other, key, 'f'))} = ?", (record_id,))
    rows = _rows(archive, [_in_stream(source, other), points_to_record], Order(), 20)
    return [record_envelope(source, other, row, projected_fields(other, ())) for row in rows]


def _in_stream(source: Source, stream: Stream) -> Where:
    return Where("connection_id = ? AND stream = ?", (source.connection_id, stream.name))


def _order(stream: Stream, sort: str) -> Order:
    """Returns the order of the parameter `sort`; by `version` without the parameter."""
    name = sort.removeprefix("-")
    if not name:
        return Order()
    return Order(f"ifnull({sql_column(find_field(stream, name, 's'))}, '')", sort.startswith("-"))


def _after_cursor(query: Query, order: Order) -> Where:
    """Returns the condition for records after the last record of the page of the cursor."""
    key, version, sort = decode_bookmark("page", query.cursor, 3)
    if sort != query.sort:
        raise invalid_argument("the cursor is from a page that was sorted otherwise")
    return Where(f"({order.by}, version) {'<' if order.down else '>'} (?, ?)", (key, version))


def _rows(
    archive: sqlite3.Connection, conditions: Sequence[Where], order: Order, limit: int
) -> list[sqlite3.Row]:
    condition = join_conditions(conditions)
    sql = f"SELECT *, {order.by} AS key FROM records WHERE {condition.sql} {order.sql} LIMIT ?"
    return archive.execute(sql, (*condition.values, limit)).fetchall()


def _newest_version(archive: sqlite3.Connection, source: Source, stream: Stream) -> int:
    condition = _in_stream(source, stream)
    sql = f"SELECT ifnull(max(version), 0) FROM records WHERE {condition.sql}"
    return int(archive.execute(sql, condition.values).fetchone()[0])
