"""Records of a stream, page by page, or those that changed since a bookmark."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcp_adapter.resource.bookmarks import opened, sealed
from mcp_adapter.resource.catalogue import Stream
from mcp_adapter.resource.conditions import Where, chosen, column, counted, joined, usable, where
from mcp_adapter.resource.grants import Source
from mcp_adapter.resource.problems import invalid, unknown

PUBLIC = "https://archive.example"
"""Where people look at a record."""


@dataclass(frozen=True)
class Query:
    """What is asked of a stream. `sort` is a field, with `-` before it for the greatest first."""

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
    """What records are sorted by, as an expression of SQL; `down` is the greatest first."""

    by: str = "version"
    down: bool = False

    @property
    def sql(self) -> str:
        """The order; records that are equal stand in the order in which they changed."""
        way = "DESC" if self.down else "ASC"
        return f"ORDER BY {self.by} {way}, version {way}"


def read(
    archive: sqlite3.Connection, source: Source, stream: Stream, query: Query
) -> dict[str, Any]:
    """A page of records with its handles. Raises `Problem`."""
    asked = [_here(source, stream), *where(stream, query.filter)]
    if query.changes_since:
        (version,) = opened("changes", query.changes_since, 1)
        asked.append(Where("version > ?", (version,)))
    order = _order(stream, query.sort)
    behind = [_behind(query, order)] if query.cursor else []
    rows = _rows(archive, [*asked, *behind], order, query.limit + 1)
    page = rows[: query.limit]
    told = [_told(archive, source, stream, row, query) for row in page]
    answer: dict[str, Any] = {"data": told, "has_more": len(rows) > len(page)}
    if len(rows) > len(page):
        answer["next_cursor"] = sealed("page", page[-1]["key"], page[-1]["version"], query.sort)
    answer["next_changes_since"] = sealed("changes", _newest(archive, source, stream))
    if query.count:
        answer["meta"] = {"count": {"kind": "exact", "value": counted(archive, joined(asked))}}
    return answer


def fetch(
    archive: sqlite3.Connection,
    source: Source,
    stream: Stream,
    record_id: str,
    fields: Sequence[str],
) -> dict[str, Any]:
    """One record. Raises `Problem` if it is not there."""
    asked = [_here(source, stream), Where("record_id = ?", (record_id,))]
    rows = _rows(archive, asked, Order(), 1)
    if not rows:
        raise unknown("record", record_id)
    told = _told(archive, source, stream, rows[0], Query(fields=fields))
    return {"data": {**told, "roles": stream.roles}}


def described(
    source: Source, stream: Stream, row: sqlite3.Row, fields: Sequence[str]
) -> dict[str, Any]:
    """A record in its envelope, its payload narrowed to these fields."""
    payload = json.loads(row["payload"])
    record_id = row["record_id"]
    place = f"{source.connection_id}/{stream.name}/{record_id}"
    return {
        "id": place,
        "record_id": record_id,
        "stream": stream.name,
        **source.told,
        "emitted_at": row["emitted_at"],
        "url": f"{PUBLIC}/{place}",
        "provider_url": f"https://{source.connector_key}.example/{record_id}",
        "payload": {name: payload[name] for name in fields if name in payload},
    }


def _told(
    archive: sqlite3.Connection, source: Source, stream: Stream, row: sqlite3.Row, query: Query
) -> dict[str, Any]:
    told = described(source, stream, row, chosen(stream, query.fields))
    if query.expand:
        told["expanded"] = {
            name: _related(archive, source, stream, row["record_id"], name) for name in query.expand
        }
    return told


def _related(
    archive: sqlite3.Connection, source: Source, stream: Stream, record_id: str, relation: str
) -> list[Mapping[str, Any]]:
    """The records of another stream that point to one."""
    if relation not in stream.relations:
        raise unknown("relation", relation, sorted(stream.relations))
    name, key = stream.relations[relation]
    other = next(one for one in source.streams if one.name == name)
    pointing = Where(f"{column(usable(other, key, 'f'))} = ?", (record_id,))
    rows = _rows(archive, [_here(source, other), pointing], Order(), 20)
    return [described(source, other, row, chosen(other, ())) for row in rows]


def _here(source: Source, stream: Stream) -> Where:
    return Where("connection_id = ? AND stream = ?", (source.connection_id, stream.name))


def _order(stream: Stream, sort: str) -> Order:
    """The order that is asked for; by when records changed unless something is."""
    name = sort.removeprefix("-")
    if not name:
        return Order()
    return Order(f"ifnull({column(usable(stream, name, 's'))}, '')", sort.startswith("-"))


def _behind(query: Query, order: Order) -> Where:
    """What comes behind the last record of a page."""
    key, version, sort = opened("page", query.cursor, 3)
    if sort != query.sort:
        raise invalid("the cursor is from a page that was sorted otherwise")
    return Where(f"({order.by}, version) {'<' if order.down else '>'} (?, ?)", (key, version))


def _rows(
    archive: sqlite3.Connection, asked: Sequence[Where], order: Order, limit: int
) -> list[sqlite3.Row]:
    every = joined(asked)
    sql = f"SELECT *, {order.by} AS key FROM records WHERE {every.sql} {order.sql} LIMIT ?"
    return archive.execute(sql, (*every.values, limit)).fetchall()


def _newest(archive: sqlite3.Connection, source: Source, stream: Stream) -> int:
    here = _here(source, stream)
    sql = f"SELECT ifnull(max(version), 0) FROM records WHERE {here.sql}"
    return int(archive.execute(sql, here.values).fetchone()[0])
