"""Conditions on fields, such as `size >= 1000`, as SQL.

SQL has only names of the catalogue; the text of a reader is always the value of a parameter.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mcp_adapter.resource.catalogue import Field, Stream
from mcp_adapter.resource.problems import invalid_argument, not_found

Value = str | int | float | None

_CONDITION = re.compile(r"\s*(\w+)\s*(!=|>=|<=|=|>|<|~)\s*(.*?)\s*", re.DOTALL)
_EQUALS = "="
_CONTAINS = "~"


@dataclass(frozen=True)
class Where:
    """A condition in SQL and the values of its parameters."""

    sql: str
    values: tuple[Value, ...]


def parse_conditions(stream: Stream, texts: Iterable[str]) -> list[Where]:
    """Returns the conditions of a filter. Raises `Problem` for another text, and for a field
    without the flag `f`."""
    return [_condition(stream, text) for text in texts]


def join_conditions(conditions: Sequence[Where]) -> Where:
    """Returns the condition that all of the conditions hold."""
    sql = " AND ".join(condition.sql for condition in conditions)
    return Where(sql, tuple(value for condition in conditions for value in condition.values))


def count_records(archive: sqlite3.Connection, condition: Where) -> int:
    """Returns the number of records for which a condition holds."""
    sql = f"SELECT count(*) FROM records WHERE {condition.sql}"
    return int(archive.execute(sql, condition.values).fetchone()[0])


def _condition(stream: Stream, text: str) -> Where:
    match = _CONDITION.fullmatch(text)
    if not match:
        raise invalid_argument(f"{text!r} is no condition; write `field operator value`")
    name, operator, operand = match.groups()
    known = find_field(stream, name, "f")
    if operator == _CONTAINS:
        return Where(f"instr(lower({sql_column(known)}), lower(?)) > 0", (operand,))
    return Where(f"{sql_column(known)} {operator} ?", (_typed_operand(known, operand),))


def find_field(stream: Stream, name: str, flag: str) -> Field:
    """Returns the field with a name. Raises `Problem` if there is none, or if the field has no such
    flag."""
    known = stream.field(name)
    if known is None or flag not in known.flags:
        raise not_found("field", name, stream.names_with_flag(flag))
    return known


def projected_fields(stream: Stream, names: Sequence[str]) -> tuple[str, ...]:
    """Returns the names of a projection; without names, all fields of the stream."""
    for name in names:
        if stream.field(name) is None:
            raise not_found("field", name, [known.name for known in stream.fields])
    return tuple(names) or tuple(known.name for known in stream.fields)


def sql_column(known: Field) -> str:
    """Returns a field as an SQL expression."""
    return f"json_extract(payload, '$.{known.name}')"


def _typed_operand(known: Field, text: str) -> Value:
    """Returns the text of an operand as a value of the field's type. Raises `Problem`."""
    if known.type == "boolean":
        if text not in ("true", "false"):
            raise invalid_argument(f"{known.name} is true or false")
        return int(text == "true")
    if known.type not in ("integer", "number"):
        return text
    try:
        return float(text)
    except ValueError:
        raise invalid_argument(f"{known.name} is compared with a number") from None
