"""Containment of JSON Schemas: whether a schema allows every value of a second schema, as far as
provable."""

from __future__ import annotations

from mcpgen.conformance.strict_json import Json

SPOKEN = frozenset({"title", "description", "examples", "$comment", "deprecated", "readOnly"})
"""Annotations, without effect on allowed values."""

WIDER = {("integer", "number")}
"""Pairs of types in which the first is contained in the second."""

WIDER_FORMATS = {("int32", "int64"), ("float", "double")}
"""The same of formats."""

SWAYING = frozenset({"patternProperties", "prefixItems", "minContains", "maxContains"})
"""Keywords with effect on sibling keywords; a difference makes containment unprovable."""

SWAYED = frozenset({"unevaluatedItems", "unevaluatedProperties"})
"""Keywords that depend on all siblings; any difference makes containment unprovable."""

LEAST = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
MOST = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})
"""Upper bounds; `LEAST` are lower bounds."""

UNDERSTOOD = frozenset(
    {"type", "format", "enum", "anyOf", "properties", "required", "additionalProperties", "items"}
)
"""Keywords compared one by one."""

NOTED = frozenset({"default"})
"""Keywords without effect on allowed values whose change has its own kind."""


def admits(wide: Json, narrow: Json) -> bool:
    """True if `wide` provably allows every value of `narrow`.

    `admits({"type": "number"}, {"type": "integer"})` is True. False also for unprovable cases,
    which then count as breaking.
    """
    try:
        return _admits(wide, narrow)
    except RecursionError:
        return False


def is_same_json(one: Json, other: Json) -> bool:
    """True for equal JSON values; `1` and `true` differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same_json(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_same_json, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def _admits(wide: Json, narrow: Json) -> bool:
    if wide is True or wide == {} or is_same_json(wide, narrow):
        return True
    if not isinstance(wide, dict) or not isinstance(narrow, dict):
        return narrow is False
    return (
        not _is_swayed(wide, narrow)
        and _types(wide, narrow)
        and _format(wide, narrow)
        and _values(wide, narrow)
        and _alternatives(wide, narrow)
        and _bounds(wide, narrow)
        and _items(wide, narrow)
        and _members(wide, narrow)
        and _rest(wide, narrow)
    )


def _is_swayed(wide: dict[str, Json], narrow: dict[str, Json]) -> bool:
    """True if a differing keyword may change the meaning of siblings."""
    parted = any(
        (key in wide) != (key in narrow) or not is_same_json(wide.get(key), narrow.get(key))
        for key in SWAYING
    )
    return parted or not SWAYED.isdisjoint(wide)


def _types(wide: dict[str, Json], narrow: dict[str, Json]) -> bool:
    mine, others = _named(wide.get("type")), _named(narrow.get("type"))
    if mine is None:
        return True
    if others is None:
        return False
    return all(one in mine or any((one, more) in WIDER for more in mine) for one in others)


def _named(kind: Json) -> frozenset[str] | None:
    """Returns the types of a schema, None for any type."""
    if kind is None:
        return None
    return frozenset(str(one) for one in (kind if isinstance(kind, list) else [kind]))


def _format(wide: dict[str, Json], narrow: dict[str, Json]) -> bool:
    mine, other = wide.get("format"), narrow.get("format")
    return mine is None or mine == other or (other, mine) in WIDER_FORMATS


def _values(wide: dict[str, Json], narrow: dict[str, Json]) -> bool:
    if "enum" not in wide:
        return True
    mine, others = wide["enum"], narrow.get("enum")
    if not isinstance(mine, list) or not isinstance(others, list):
        return False
    return all(any(is_same_json(one, each) for each in mine) for one in others)


def _alternatives(wide: dict[str, Json], narrow: dict[str, Json]) -> bool:
    """True if each branch of `narrow` is contained in some branch of `wide`."""
    if "anyOf" not in wide:
        return True
    mine, others = wide["anyOf"], narrow.get("anyOf", [narrow])
    if not isinstance(mine, list) or not isinstance(others, list):
        return False
    return all(any(_admits(each, one) for each in mine) for one in others)


def _bounds(wide: dict[str, Json], narrow: dict[str, Json]) -> bool:
    for keys, sign in ((LEAST, 1), (MOST, -1)):
        for key in keys & wide.keys():
            mine, other = _number(wide[key]), _number(narrow.get(key))
            if mine is None or other is None or sign * mine > sign * other:
                return False
    return True


def _number(value: Json) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _items(wide: dict[str, Json], narrow: dict[str, Json]) -> bool:
    return "items" not in wide or _admits(wide["items"], narrow.get("items", True))


def _members(wide: dict[str, Json], narrow: dict[str, Json]) -> bool:
    """True if `wide` contains `narrow` in required members, member schemas and additional
    members."""
    if not all(key in _list(narrow, "required") for key in _list(wide, "required")):
        return False
    mine, others = _mapping(wide, "properties"), _mapping(narrow, "properties")
    rest, more = wide.get("additionalProperties", True), narrow.get("additionalProperties", True)
    if not all(_admits(mine.get(key, rest), schema) for key, schema in others.items()):
        return False
    unsaid = [schema for key, schema in mine.items() if key not in others]
    return _admits(rest, more) and all(_admits(schema, more) for schema in unsaid)


def _mapping(schema: dict[str, Json], key: str) -> dict[str, Json]:
    found = schema.get(key)
    return found if isinstance(found, dict) else {}


def _list(schema: dict[str, Json], key: str) -> list[Json]:
    found = schema.get(key)
    return found if isinstance(found, list) else []


def _rest(wide: dict[str, Json], narrow: dict[str, Json]) -> bool:
    """True if each remaining keyword is equal in both or absent in `wide`."""
    known = SPOKEN | NOTED | UNDERSTOOD | LEAST | MOST
    others = wide.keys() - known
    return all(key in narrow and is_same_json(narrow[key], wide[key]) for key in others)
