"""Arrays: of the right length, with distinct items where they must be."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.sampling.objects import ValueMaker
from mcpgen.sampling.resolved_schema import applied_schemas
from mcpgen.sampling.validators import Json

LONGEST = 1_000
"""Items that are made up at most, whatever `minItems` says."""

ATTEMPTS = 20
"""Values that are tried to find one that is not there yet."""


def array(
    maker: ValueMaker, schema: Mapping[str, Json], depth: int, inside: frozenset[str], nth: int
) -> list[Json]:
    """An array that fits the schema; one item where none need be, so that it can be seen."""
    length = _length(maker, schema, depth, inside)
    distinct = schema.get("uniqueItems") is True
    made: list[Json] = []
    for index, item in enumerate(_items(schema, length)):
        value = maker.value(item, depth + 1, inside, nth + (index if distinct else 0))
        if distinct:
            for other in range(ATTEMPTS):
                if value not in made:
                    break
                value = maker.value(item, depth + 1, inside, nth + index + other + 1)
        made.append(value)
    return made


def _length(
    maker: ValueMaker, schema: Mapping[str, Json], depth: int, inside: frozenset[str]
) -> int:
    least = _count(schema.get("minItems"), 0)
    if "contains" in schema:
        least = max(least, _count(schema.get("minContains"), 1))
    most = _count(schema.get("maxItems"), LONGEST)
    first = schema.get("prefixItems") or ()
    rest = schema.get("items", True)
    if rest is False:
        most = min(most, len(first))
    wanted = max(1, len(first)) if inside.isdisjoint(applied_schemas(rest)) else 0
    return max(least, min(wanted, most))


def _items(schema: Mapping[str, Json], length: int) -> list[Json]:
    """The schemas of the items: the prefix, those that must be contained, the others."""
    first = list(schema.get("prefixItems") or ())
    rest = schema.get("items", True)
    if "contains" in schema:
        wanted = schema["contains"] if rest is True else {"allOf": [rest, schema["contains"]]}
        first += [wanted] * _count(schema.get("minContains"), 1)
    return (first + [rest] * max(0, length - len(first)))[:length]


def _count(value: Json, default: int) -> int:
    """A count as a schema gives it, bounded."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return max(0, min(int(value), LONGEST))
    return default
