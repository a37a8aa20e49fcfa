"""Counts, sums, averages, minima and maxima of the records of a stream, in total or by group."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mcp_adapter.resource.catalogue import Stream
from mcp_adapter.resource.conditions import (
    Where,
    count_records,
    find_field,
    join_conditions,
    parse_conditions,
    sql_column,
)
from mcp_adapter.resource.grants import Source
from mcp_adapter.resource.problems import invalid_argument

FUNCTIONS = ("count", "sum", "avg", "min", "max")
"""The functions; all but `count` take a field."""
_ARITHMETIC = ("sum", "avg")


@dataclass(frozen=True)
class Aggregate:
    """The parameters of an aggregation."""

    function: str
    field: str = ""
    group_by: str = ""
    filter: Sequence[str] = ()
    limit: int = 20


def aggregate_records(
    archive: sqlite3.Connection, source: Source, stream: Stream, aggregate: Aggregate
) -> dict[str, Any]:
    """Returns the value of each group, the greatest first; without `group_by`, a single group.
    Raises `Problem`."""
    value = _value_expression(stream, aggregate)
    group = (
        sql_column(find_field(stream, aggregate.group_by, "g")) if aggregate.group_by else "NULL"
    )
    in_stream = Where("connection_id = ? AND stream = ?", (source.connection_id, stream.name))
    condition = join_conditions([in_stream, *parse_conditions(stream, aggregate.filter)])
    sql = (
        f"SELECT {group} AS name, {value} AS value FROM records"
        f" WHERE {condition.sql} GROUP BY name ORDER BY value DESC, name LIMIT ?"
    )
    rows = archive.execute(sql, (*condition.values, aggregate.limit + 1)).fetchall()
    groups = [{"group": row["name"], "value": row["value"]} for row in rows[: aggregate.limit]]
    return {
        "data": groups,
        "has_more": len(rows) > len(groups),
        "meta": {"count": {"kind": "exact", "value": count_records(archive, condition)}},
    }


def _value_expression(stream: Stream, aggregate: Aggregate) -> str:
    if aggregate.function not in FUNCTIONS:
        raise invalid_argument(f"function is one of {', '.join(FUNCTIONS)}")
    if aggregate.function == "count":
        return "count(*)"
    measured_field = find_field(stream, aggregate.field, "a")
    if aggregate.function in _ARITHMETIC and measured_field.type not in ("integer", "number"):
        raise invalid_argument(f"{measured_field.name} is no number")
    return f"{aggregate.function}({sql_column(measured_field)})"
