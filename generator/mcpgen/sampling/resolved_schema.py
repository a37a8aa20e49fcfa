"""Resolution of `$ref` and `allOf` into one flat schema, as far as one schema can express the
intersection.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from mcpgen.sampling.validators import Json, SchemaValidators, definition_name, reference_only

Combine = Callable[[Json, Json], Json]


def intersect(left: Mapping[str, Json], right: Mapping[str, Json]) -> dict[str, Json]:
    """The conjunction of two schemas; a keyword that cannot be combined goes to `allOf` or keeps
    the value of `left`."""
    whole = dict(left)
    for key, value in right.items():
        if key not in whole or whole[key] == value:
            whole[key] = value
        elif key in COMBINED:
            whole[key] = COMBINED[key](whole[key], value)
        elif key in ONCE:
            whole.setdefault("allOf", [])
            whole["allOf"] = [*whole["allOf"], {key: value}]
    return whole


def _both(left: Json, right: Json) -> Json:
    return {"allOf": [left, right]}


def _properties(left: Json, right: Json) -> Json:
    shared = {name: _both(left[name], right[name]) for name in left if name in right}
    return {**left, **right, **shared}


def _union(left: Json, right: Json) -> Json:
    return list(dict.fromkeys([*left, *right]))


def _common(left: Json, right: Json) -> Json:
    return [value for value in left if value in right] or left


def _types(left: Json, right: Json) -> Json:
    left = [left] if isinstance(left, str) else left
    right = [right] if isinstance(right, str) else right
    shared = [
        name
        for name in ("null", "boolean", "object", "array", "number", "string", "integer")
        if (name in left or (name == "integer" and "number" in left))
        and (name in right or (name == "integer" and "number" in right))
    ]
    order = [name for name in (*left, *right) if name in shared] or left
    return list(dict.fromkeys(order))


def _dependents(left: Json, right: Json) -> Json:
    return {key: _union(left.get(key, []), right.get(key, [])) for key in {**left, **right}}


COMBINED: dict[str, Combine] = {
    "type": _types,
    "properties": _properties,
    "patternProperties": _properties,
    "dependentSchemas": _properties,
    "dependentRequired": _dependents,
    "$defs": lambda left, right: {**left, **right},
    "required": _union,
    "enum": _common,
    "allOf": lambda left, right: [*left, *right],
    "items": _both,
    "additionalProperties": _both,
    "propertyNames": _both,
    "minimum": max,
    "exclusiveMinimum": max,
    "minLength": max,
    "minItems": max,
    "minProperties": max,
    "maximum": min,
    "exclusiveMaximum": min,
    "maxLength": min,
    "maxItems": min,
    "maxProperties": min,
}
"""Intersection function per keyword; any keyword without one keeps the first value."""

ONCE = frozenset({"anyOf", "oneOf"})
"""Keywords without an intersection; the second value moves to `allOf` and is resolved in turn."""

PARTS = 200
"""Most parts of one schema; more parts indicate a cycle."""


JOINING = frozenset({"$ref", "allOf"})
NO_NAMES: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ResolvedSchema:
    """A schema without `$ref`.

    `names`: merged definitions. `cut`: more than `PARTS` parts. A remaining `allOf` waits for the
    choice of a branch.
    """

    schema: dict[str, Json]
    names: frozenset[str]
    cut: bool = False

    def mapped(self, keyword: str) -> dict[str, Json]:
        """Returns the mapping of a keyword, `{}` if absent."""
        value = self.schema.get(keyword)
        return value if isinstance(value, dict) else {}

    def listed(self, keyword: str) -> list[Json]:
        """Returns the list of a keyword, `[]` if absent."""
        value = self.schema.get(keyword)
        return value if isinstance(value, list) else []

    def narrowed(self, keyword: str, branch: Json) -> dict[str, Json]:
        """Returns the schema with one branch, first in `allOf`, in place of the union."""
        remaining = {key: value for key, value in self.schema.items() if key != keyword}
        return {**remaining, "allOf": [branch, *remaining.get("allOf", [])]}


def resolve_schema(schema: Json, library: SchemaValidators) -> ResolvedSchema:
    """Returns the schema merged with its references and `allOf`.

    Plain references are cached: properties of large documents share schemas.
    """
    if isinstance(schema, dict) and JOINING.isdisjoint(schema):
        return ResolvedSchema(schema, NO_NAMES)
    name = reference_only(schema)
    if not name:
        return _merge_parts(schema, library)
    if name not in library.joined:
        library.joined[name] = _merge_parts(schema, library)
    cached: ResolvedSchema = library.joined[name]
    return cached


def _merge_parts(schema: Json, library: SchemaValidators) -> ResolvedSchema:
    whole: dict[str, Json] = {}
    names: set[str] = set()
    waiting = [schema]
    parts = 0
    while waiting and parts < PARTS:
        part = waiting.pop(0)
        parts += 1
        if part is False:
            whole["not"] = {}
        if not isinstance(part, dict):
            continue
        own = {key: part[key] for key in part if key not in JOINING}
        whole = intersect(whole, own)
        target = part.get("$ref")
        if isinstance(target, str) and definition_name(target) not in names:
            names.add(definition_name(target))
            waiting.append(library.resolved(target))
        below = part.get("allOf")
        waiting.extend(below if isinstance(below, list) else ())
    return ResolvedSchema(whole, frozenset(names), bool(waiting))


def applied_schemas(schema: Json, depth: int = 0) -> Iterator[str]:
    """Yields the names of the definitions to which a schema refers, also as parts, alternatives or
    items."""
    if not isinstance(schema, dict) or depth > 3:
        return
    if isinstance(reference := schema.get("$ref"), str):
        yield definition_name(reference)
    for keyword in ("allOf", "anyOf", "oneOf"):
        if keyword in schema:
            for part in schema[keyword]:
                yield from applied_schemas(part, depth + 1)
    for keyword in ("items", "additionalProperties"):
        if keyword in schema:
            yield from applied_schemas(schema[keyword], depth + 1)
