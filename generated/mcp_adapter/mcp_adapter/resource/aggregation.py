"""Sums and the like over the records of a stream, in all or by group."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mcp_adapter.resource.catalogue import Stream
from mcp_adapter.resource.conditions import Where, column, counted, joined, usable, where
from mcp_adapter.resource.grants import Source
from mcp_adapter.resource.problems import invalid

FUNCTIONS = ("count", "sum", "avg", "min", "max")
"""What can be asked; all but `count` of a field."""
_ARITHMETIC = ("sum", "avg")


@dataclass(frozen=True)
class Aggregate:
    """What is asked of a stream."""

    function: str
    field: str = ""
    group_by: str = ""
    filter: Sequence[str] = ()
    limit: int = 20


def aggregated(
    archive: sqlite3.Connection, source: Source, stream: Stream, asked: Aggregate
) -> dict[str, Any]:
    """The value of each group, the greatest first; one group where there is nothing to group by.
    Raises `Problem`."""
    measured = _measured(stream, asked)
    group = column(usable(stream, asked.group_by, "g")) if asked.group_by else "NULL"
    here = Where("connection_id = ? AND stream = ?", (source.connection_id, stream.name))
    every = joined([here, *where(stream, asked.filter)])
    sql = (
        f"SELECT {group} AS name, {measured} AS value FROM records"
        f" WHERE {every.sql} GROUP BY name ORDER BY value DESC, name LIMIT ?"
    )
    rows = archive.execute(sql, (*every.values, asked.limit + 1)).fetchall()
    groups = [{"group": row["name"], "value": row["value"]} for row in rows[: asked.limit]]
    return {
        "data": groups,
        "has_more": len(rows) > len(groups),
        "meta": {"count": {"kind": "exact", "value": counted(archive, every)}},
    }


def _measured(stream: Stream, asked: Aggregate) -> str:
    if asked.function not in FUNCTIONS:
        raise invalid(f"function is one of {', '.join(FUNCTIONS)}")
    if asked.function == "count":
        return "count(*)"
    known = usable(stream, asked.field, "a")
    if asked.function in _ARITHMETIC and known.type not in ("integer", "number"):
        raise invalid(f"{known.name} is no number")
    return f"{asked.function}({column(known)})"
