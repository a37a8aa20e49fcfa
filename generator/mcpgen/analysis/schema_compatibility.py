"""Containment of JSON Schemas: whether a schema allows every value of a second schema, as far as
provable."""

from __future__ import annotations

from mcpgen.conformance.strict_json import Json

ANNOTATIONS = frozenset({"title", "description", "examples", "$comment", "deprecated", "readOnly"})
"""Annotations, without effect on allowed values."""

CONTAINED_TYPES = {("integer", "number")}
"""Pairs of types in which the first is contained in the second."""

CONTAINED_FORMATS = {("int32", "int64"), ("float", "double")}
"""Pairs of formats in which the first is contained in the second."""

AFFECTS_SIBLINGS = frozenset({"patternProperties", "prefixItems", "minContains", "maxContains"})
"""Keywords with effect on sibling keywords; a difference makes containment unprovable."""

DEPENDS_ON_SIBLINGS = frozenset({"unevaluatedItems", "unevaluatedProperties"})
"""Keywords that depend on all siblings; any difference makes containment unprovable."""

LOWER_BOUNDS = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
UPPER_BOUNDS = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})


COMPARED = frozenset(
    {"type", "format", "enum", "anyOf", "properties", "required", "additionalProperties", "items"}
)
"""Keywords compared one by one."""

DEFINITIONS = frozenset({"$defs", "definitions"})
"""Keywords with definitions, which have an effect only where a reference leads to them."""

ANCHORS = frozenset({"$id", "$anchor", "$dynamicAnchor"})
"""Keywords by which a reference can lead to a definition under another name."""

WITHOUT_EFFECT = frozenset({"default"})
"""Keywords without effect on allowed values whose change has its own kind."""


def contains_schema(wide: Json, narrow: Json) -> bool:
    """True if `wide` provably allows every value of `narrow`.

    `contains_schema({"type": "number"}, {"type": "integer"})` is True. False also for unprovable cases,
    which then count as breaking.

    Example: `contains_schema({"type": "number"}, {"type": "integer"})` gives `True`.
    """
    try:
        return _contains_keywords(wide, narrow)
    except RecursionError:
        return False


def is_same_json(first: Json, second: Json) -> bool:
    """True for equal JSON values; `1` and `true` differ.

    Example: `is_same_json(1, True)` gives `False`.
    """
    # Without recursion: a listing may be nested deeper than Python calls.
    pairs = [(first, second)]
    while pairs:
        mine, other = pairs.pop()
        if isinstance(mine, dict) and isinstance(other, dict):
            if mine.keys() != other.keys():
                return False
            pairs.extend((mine[key], other[key]) for key in mine)
        elif isinstance(mine, list) and isinstance(other, list):
            if len(mine) != len(other):
                return False
            pairs.extend(zip(mine, other, strict=True))
        elif isinstance(mine, bool) != isinstance(other, bool) or mine != other:
            return False
    return True


def _contains_keywords(wide: Json, narrow: Json) -> bool:
    if wide is True or wide == {} or is_same_json(wide, narrow):
        return True
    if not isinstance(wide, dict) or not isinstance(narrow, dict):
        return narrow is False
    return (
        not _is_uncertain(wide, narrow)
        and _contains_types(wide, narrow)
        and _contains_format(wide, narrow)
        and _contains_values(wide, narrow)
        and _contains_alternatives(wide, narrow)
        and _contains_bounds(wide, narrow)
        and _contains_items(wide, narrow)
        and _contains_members(wide, narrow)
        and _has_same_definitions(wide, narrow)
        and _other_keywords(wide, narrow)
    )


def _is_uncertain(wide: dict[str, Json], narrow: dict[str, Json]) -> bool:
    """True if a differing keyword may change the meaning of siblings."""
    parted = any(
        (key in wide) != (key in narrow) or not is_same_json(wide.get(key), narrow.get(key))
        for key in AFFECTS_SIBLINGS
    )
    return parted or not DEPENDS_ON_SIBLINGS.isdisjoint(wide)


def _contains_types(wide: dict[str, Json], narrow: dict[str, Json]) -> bool:
    mine, other_types = _type_names(wide.get("type")), _type_names(narrow.get("type"))
    if mine is None:
        return True
    if other_types is None:
        return False
    return all(
        kind_name in mine or any((kind_name, more) in CONTAINED_TYPES for more in mine)
        for kind_name in other_types
    )


def _type_names(kind: Json) -> frozenset[str] | None:
    """Returns the types of a schema, None for any type."""
    if kind is None:
        return None
    return frozenset(str(kind_name) for kind_name in (kind if isinstance(kind, list) else [kind]))


def _contains_format(wide: dict[str, Json], narrow: dict[str, Json]) -> bool:
    mine, other = wide.get("format"), narrow.get("format")
    return mine is None or mine == other or (other, mine) in CONTAINED_FORMATS


def _contains_values(wide: dict[str, Json], narrow: dict[str, Json]) -> bool:
    if "enum" not in wide:
        return True
    mine, other_values = wide["enum"], narrow.get("enum")
    if not isinstance(mine, list) or not isinstance(other_values, list):
        return False
    return all(
        any(is_same_json(candidate, own_value) for own_value in mine) for candidate in other_values
    )


def _contains_alternatives(wide: dict[str, Json], narrow: dict[str, Json]) -> bool:
    """True if each branch of `narrow` is contained in some branch of `wide`."""
    if "anyOf" not in wide:
        return True
    mine, other_branches = wide["anyOf"], narrow.get("anyOf", [narrow])
    if not isinstance(mine, list) or not isinstance(other_branches, list):
        return False
    return all(
        any(_contains_keywords(branch, candidate) for branch in mine)
        for candidate in other_branches
    )


def _contains_bounds(wide: dict[str, Json], narrow: dict[str, Json]) -> bool:
    for keys, sign in ((LOWER_BOUNDS, 1), (UPPER_BOUNDS, -1)):
        for key in keys & wide.keys():
            mine, other = _number_or_none(wide[key]), _number_or_none(narrow.get(key))
            if mine is None or other is None or sign * mine > sign * other:
                return False
    return True


def _number_or_none(value: Json) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _contains_items(wide: dict[str, Json], narrow: dict[str, Json]) -> bool:
    return "items" not in wide or _contains_keywords(wide["items"], narrow.get("items", True))


def _contains_members(wide: dict[str, Json], narrow: dict[str, Json]) -> bool:
    """True if `wide` contains `narrow` in required members, member schemas and additional
    members."""
    if not all(key in _required_members(narrow) for key in _required_members(wide)):
        return False
    mine, other_members = _member_schemas(wide), _member_schemas(narrow)
    additional, more = wide.get("additionalProperties", True), narrow.get(
        "additionalProperties", True
    )
    if not all(
        _contains_keywords(mine.get(key, additional), schema)
        for key, schema in other_members.items()
    ):
        return False
    unsaid = [schema for key, schema in mine.items() if key not in other_members]
    return _contains_keywords(additional, more) and all(
        _contains_keywords(schema, more) for schema in unsaid
    )


def _member_schemas(schema: dict[str, Json]) -> dict[str, Json]:
    properties = schema.get("properties")
    return properties if isinstance(properties, dict) else {}


def _required_members(schema: dict[str, Json]) -> list[Json]:
    required = schema.get("required")
    return required if isinstance(required, list) else []


def _has_same_definitions(wide: dict[str, Json], narrow: dict[str, Json]) -> bool:
    """True if every definition in both schemas allows the same values, so that equal references mean
    the same. A definition in one schema alone is no target of a reference in the other."""
    for key in DEFINITIONS:
        mine, other = wide.get(key, {}), narrow.get(key, {})
        if not isinstance(mine, dict) or not isinstance(other, dict):
            return False
        for name in mine.keys() ^ other.keys():
            if _has_anchor(mine.get(name, other.get(name))):
                return False
        for name in mine.keys() & other.keys():
            if not _contains_keywords(mine[name], other[name]) or not _contains_keywords(
                other[name], mine[name]
            ):
                return False
    return True


def _has_anchor(schema: Json) -> bool:
    """True if a key at any depth is one of `ANCHORS`."""
    if isinstance(schema, list):
        return any(map(_has_anchor, schema))
    return isinstance(schema, dict) and (
        not ANCHORS.isdisjoint(schema) or any(map(_has_anchor, schema.values()))
    )


def _other_keywords(wide: dict[str, Json], narrow: dict[str, Json]) -> bool:
    """True if each remaining keyword is equal in both or absent in `wide`."""
    handled = ANNOTATIONS | WITHOUT_EFFECT | COMPARED | DEFINITIONS | LOWER_BOUNDS | UPPER_BOUNDS
    keywords = wide.keys() - handled
    return all(key in narrow and is_same_json(narrow[key], wide[key]) for key in keywords)
