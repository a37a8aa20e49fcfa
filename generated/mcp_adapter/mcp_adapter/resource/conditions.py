"""Conditions on fields, as readers write them, as SQL. Names come from the catalogue alone; what
readers write is only ever bound to a parameter."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mcp_adapter.resource.catalogue import Field, Stream
from mcp_adapter.resource.problems import invalid, unknown

Value = str | int | float | None

_CONDITION = re.compile(r"\s*(\w+)\s*(!=|>=|<=|=|>|<|~)\s*(.*?)\s*", re.DOTALL)
_EQUALS = "="
_CONTAINS = "~"


@dataclass(frozen=True)
class Where:
    """A condition in SQL and the values of its parameters."""

    sql: str
    values: tuple[Value, ...]


def where(stream: Stream, written: Iterable[str]) -> list[Where]:
    """The conditions of a filter. Raises `Problem` for what is none, and for fields without."""
    return [_condition(stream, one) for one in written]


def joined(conditions: Sequence[Where]) -> Where:
    """All of the conditions at once."""
    sql = " AND ".join(one.sql for one in conditions)
    return Where(sql, tuple(value for one in conditions for value in one.values))


def counted(archive: sqlite3.Connection, condition: Where) -> int:
    """How many records meet a condition."""
    sql = f"SELECT count(*) FROM records WHERE {condition.sql}"
    return int(archive.execute(sql, condition.values).fetchone()[0])


def _condition(stream: Stream, written: str) -> Where:
    found = _CONDITION.fullmatch(written)
    if not found:
        raise invalid(f"{written!r} is no condition; write `field operator value`")
    name, operator, operand = found.groups()
    known = usable(stream, name, "f")
    if operator == _CONTAINS:
        return Where(f"instr(lower({column(known)}), lower(?)) > 0", (operand,))
    return Where(f"{column(known)} {operator} ?", (_operand(known, operand),))


def usable(stream: Stream, name: str, flag: str) -> Field:
    """The field of a name, if it can be used so. Raises `Problem` otherwise."""
    known = stream.field(name)
    if known is None or flag not in known.flags:
        raise unknown("field", name, stream.flagged(flag))
    return known


def chosen(stream: Stream, names: Sequence[str]) -> tuple[str, ...]:
    """The fields of a projection; all of them where none is named."""
    for name in names:
        if stream.field(name) is None:
            raise unknown("field", name, [one.name for one in stream.fields])
    return tuple(names) or tuple(one.name for one in stream.fields)


def column(known: Field) -> str:
    """A field as an expression of SQL."""
    return f"json_extract(payload, '$.{known.name}')"


def _operand(known: Field, written: str) -> Value:
    """What a field is compared with, as its type."""
    if known.type == "boolean":
        if written not in ("true", "false"):
            raise invalid(f"{known.name} is true or false")
        return int(written == "true")
    if known.type not in ("integer", "number"):
        return written
    try:
        return float(written)
    except ValueError:
        raise invalid(f"{known.name} is compared with a number") from None
