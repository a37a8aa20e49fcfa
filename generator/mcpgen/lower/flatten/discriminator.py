"""Unions distinguished by a discriminator alone.

https://spec.openapis.org/oas/v3.0.4.html#discriminator-object: the discriminator selects the branch
for validation.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from mcpgen.ir.source import Json
from mcpgen.lower.flatten.schema_view import (
    CONDITIONS,
    PREFIX,
    SAME_VALUE,
    SchemaView,
    SchemaViews,
    map_subschemas,
    reference_name,
)

_UNIONS = ("oneOf", "anyOf")


@dataclass(frozen=True, slots=True)
class Subtype:
    """One branch of a union with its selecting discriminator values."""

    branch: Json
    values: tuple[str, ...]

    def labeled_branch(self, key: str) -> Json:
        """Returns the branch with its discriminator values as an `enum` of `key`."""
        return {"allOf": [self.branch, {"properties": {key: {"enum": list(self.values)}}}]}


def branch_choices(schemas: SchemaViews, schema: Json) -> dict[str, list[Subtype]]:
    """Returns the branches of each union keyword, in order; `{}` without a discriminator, or if
    the schemas exclude one another already. Branches that no value selects have empty `values`."""
    declared = schema.get("discriminator") if isinstance(schema, dict) else None
    if not declared or "defaultMapping" in declared:
        return {}
    key, mapping = declared["propertyName"], declared.get("mapping") or {}
    by_union: dict[str, list[Subtype]] = {}
    for union in _UNIONS:
        branches = schema.get(union, [])
        if any(
            reference_name(branch) and not _own_values(schemas, branch, key) for branch in branches
        ):
            by_union[union] = [
                Subtype(branch, _discriminator_values(schemas, branch, key, mapping))
                for branch in branches
            ]
    return {union: of for union, of in by_union.items() if _are_distinct(of)}


def subtypes(schemas: SchemaViews, view: SchemaView) -> list[Subtype]:
    """Returns the definitions that inherit from a schema with a discriminator, the schema itself
    included.

    The schema is left out if its property excludes its name. `[]` for a definition with an
    inherited discriminator. `values` is empty where no discriminator value selects exactly this
    definition.
    """
    declared = view.get("discriminator")
    mapping = (declared or {}).get("mapping") or {}
    definitions = schemas.definitions
    targets = dict.fromkeys(target.removeprefix(PREFIX) for target in mapping.values())
    schemas_of = {name: definitions[name].json for name in targets if name in definitions}
    schemas_of = {name: json for name, json in schemas_of.items() if isinstance(json, dict)}
    bases = schemas_of.keys() & view.names
    if view.branches or len(bases) == len(schemas_of):
        return []
    if any(schemas_of[name].get("discriminator") != declared for name in bases):
        return []
    key = declared["propertyName"]
    own = _own_values(schemas, view.keywords, key)
    claimed: dict[str, list[str]] = {}
    for name, json in schemas_of.items():
        own_values = _own_values(schemas, json, key)
        mapped = [value for value, to in mapping.items() if to == PREFIX + name]
        is_own = bool(own_values) and own_values != own
        claimed[name] = (
            list(own_values) if is_own else [value for value in mapped if not own or value in own]
        )
    times = Counter(value for values in claimed.values() for value in values)
    values_of = {
        name: tuple(v for v in values if times[v] == 1) for name, values in claimed.items()
    }
    return [
        Subtype({"$ref": PREFIX + name}, values)
        for name, values in values_of.items()
        if values or name not in bases
    ]


def discriminated_subtypes(schemas: SchemaViews, schema: Json) -> list[Json]:
    """Returns the subtypes of a schema, each with an `enum` of its discriminator values.

    The schema itself stands among them without its discriminator.
    """
    view = _discriminator_view(schemas, schema)
    if view is None:
        return []
    key = view.get("discriminator")["propertyName"]
    bare = {
        keyword: value for keyword, value in view.keywords.items() if keyword != "discriminator"
    }
    alternatives = [
        replace(choice, branch=bare) if reference_name(choice.branch) in view.names else choice
        for choice in subtypes(schemas, view)
    ]
    return [
        choice.labeled_branch(key) if choice.values else choice.branch for choice in alternatives
    ]


def subtype_constraints(schemas: SchemaViews, schema: Json) -> list[Json]:
    """Returns conditions of the form "if the discriminator names `Cat`, the value matches `Cat`".

    Only uses of a schema carry the conditions; in definitions they would recurse, since subtypes
    refer to their parent.
    """
    view = _discriminator_view(schemas, schema)
    if view is None:
        return []
    key = view.get("discriminator")["propertyName"]
    return [
        {"if": _value_condition(key, choice.values), "then": choice.branch}
        for choice in subtypes(schemas, view)
        if choice.values and reference_name(choice.branch) not in view.names
    ]


def _discriminator_view(schemas: SchemaViews, schema: Json) -> SchemaView | None:
    """Returns the view of a schema whose own keywords or definition have a discriminator, else
    None."""
    if not schemas.has_discriminators and "discriminator" not in schema:
        return None
    return schemas.view(schema) if schemas.keyword_of(schema, "discriminator") is not None else None


def discriminator_schema(key: str, union: str, of: list[Subtype]) -> list[Json]:
    """Returns conditions by which the discriminator selects the branch; without a known value
    the union itself applies."""
    values = [value for choice in of for value in choice.values]
    otherwise = {
        "if": _value_condition(key, values),
        "else": {union: [choice.branch for choice in of]},
    }
    return [
        *(
            {"if": _value_condition(key, choice.values), "then": choice.branch}
            for choice in of
            if choice.values
        ),
        otherwise,
    ]


def expand_discriminator(schemas: SchemaViews, schema: Json, *, is_use: bool = True) -> Json:
    """Returns the schema with discriminator values as `enum`s of the branches, at any depth.

    Unchanged without discriminators. `is_use`: subtypes become branches where the schema is used,
    but not in its definition.
    """
    if not isinstance(schema, dict):
        return schema
    named = discriminated_subtypes(schemas, schema) if is_use else []
    is_open = is_use and not named

    def change(part: Json, keyword: str) -> Json:
        inside = is_open if keyword in SAME_VALUE else keyword not in CONDITIONS
        return expand_discriminator(schemas, part, is_use=inside)

    expanded = map_subschemas(schema, change)
    expanded = schema if expanded == schema else expanded
    for union, of in branch_choices(schemas, schema).items():
        key = schema["discriminator"]["propertyName"]
        expanded = expanded | {
            union: [choice.labeled_branch(key) if choice.values else choice.branch for choice in of]
        }
    return expanded | {"anyOf": named} if named else expanded


def _value_condition(key: str, values: list[str] | tuple[str, ...]) -> Json:
    return {"type": "object", "required": [key], "properties": {key: {"enum": list(values)}}}


def _own_values(schemas: SchemaViews, branch: Json, key: str) -> tuple[str, ...]:
    """Returns the discriminator values that the branch itself enumerates, `()` if none."""
    part = schemas.view(schemas.view(branch).get("properties", {}).get(key, True))
    values = part.get("enum", [part.get("const")])
    return tuple(values) if all(isinstance(value, str) for value in values) else ()


def _discriminator_values(
    schemas: SchemaViews, branch: Json, key: str, mapping: Json
) -> tuple[str, ...]:
    """Returns the discriminator values of a branch: enumerated, mapped, or the name of its
    definition."""
    name = reference_name(branch)
    if not name:
        return ()
    mapped = tuple(value for value, to in mapping.items() if to == PREFIX + name)
    return _own_values(schemas, branch, key) or mapped or (name,)


def _are_distinct(of: list[Subtype]) -> bool:
    times = Counter(value for choice in of for value in choice.values)
    return bool(times) and max(times.values()) == 1
