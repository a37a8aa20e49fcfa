"""Unions whose branches only a discriminator distinguishes.

https://spec.openapis.org/oas/v3.0.4.html#discriminator-object: the discriminator selects the one
branch that a value is validated against.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from mcpgen.ir.source import Json
from mcpgen.lower.flatten.schema_view import PREFIX, SchemaView, SchemaViews, reference_name
from mcpgen.lower.flatten.schema_walk import CONDITIONS, SAME_VALUE, rebuilt

_UNIONS = ("oneOf", "anyOf")


@dataclass(frozen=True, slots=True)
class DiscriminatorChoice:
    """One branch of a union and the discriminator values that select the branch."""

    branch: Json
    values: tuple[str, ...]

    def told(self, key: str) -> Json:
        """Returns the branch with its discriminator values as an `enum` of `key`."""
        return {"allOf": [self.branch, {"properties": {key: {"enum": list(self.values)}}}]}


def choices(schemas: SchemaViews, schema: Json) -> dict[str, list[DiscriminatorChoice]]:
    """Returns the branches of each union keyword, in order; `{}` without a discriminator, or if
    the schemas exclude one another already. Branches that no value selects have empty `values`."""
    declared = schema.get("discriminator") if isinstance(schema, dict) else None
    if not declared or "defaultMapping" in declared:
        return {}
    key, mapping = declared["propertyName"], declared.get("mapping") or {}
    found: dict[str, list[DiscriminatorChoice]] = {}
    for union in _UNIONS:
        branches = schema.get(union, [])
        if any(reference_name(each) and not _says(schemas, each, key) for each in branches):
            found[union] = [
                DiscriminatorChoice(each, _values(schemas, each, key, mapping)) for each in branches
            ]
    return {union: of for union, of in found.items() if _are_distinct(of)}


def subtypes(schemas: SchemaViews, view: SchemaView) -> list[DiscriminatorChoice]:
    """Returns the definitions that inherit from a schema with a discriminator, the schema itself
    included.

    The schema is left out if its property excludes its name. `[]` for a definition with an
    inherited discriminator. `values` is empty where no discriminator value selects exactly this
    definition.
    """
    declared = view.get("discriminator")
    mapping = (declared or {}).get("mapping") or {}
    known = schemas.definitions
    targets = dict.fromkeys(target.removeprefix(PREFIX) for target in mapping.values())
    written = {name: known[name].json for name in targets if name in known}
    written = {name: json for name, json in written.items() if isinstance(json, dict)}
    bases = written.keys() & view.names
    if view.branches or len(bases) == len(written):
        return []
    if any(written[name].get("discriminator") != declared for name in bases):
        return []
    key = declared["propertyName"]
    own = _says(schemas, view.keywords, key)
    claimed: dict[str, list[str]] = {}
    for name, json in written.items():
        said = _says(schemas, json, key)
        mapped = [value for value, to in mapping.items() if to == PREFIX + name]
        is_own = bool(said) and said != own
        claimed[name] = (
            list(said) if is_own else [each for each in mapped if not own or each in own]
        )
    times = Counter(value for values in claimed.values() for value in values)
    found = {name: tuple(v for v in values if times[v] == 1) for name, values in claimed.items()}
    return [
        DiscriminatorChoice({"$ref": PREFIX + name}, values)
        for name, values in found.items()
        if values or name not in bases
    ]


def discriminated_subtypes(schemas: SchemaViews, schema: Json) -> list[Json]:
    """Returns the subtypes of a schema, each with an `enum` of its discriminator values.

    The schema itself stands among them without its discriminator.
    """
    view = _discriminated(schemas, schema)
    if view is None:
        return []
    key = view.get("discriminator")["propertyName"]
    bare = {
        keyword: value for keyword, value in view.keywords.items() if keyword != "discriminator"
    }
    found = [
        replace(choice, branch=bare) if reference_name(choice.branch) in view.names else choice
        for choice in subtypes(schemas, view)
    ]
    return [choice.told(key) if choice.values else choice.branch for choice in found]


def subtype_constraints(schemas: SchemaViews, schema: Json) -> list[Json]:
    """Returns conditions of the form "if the discriminator names `Cat`, the value matches `Cat`".

    Only uses of a schema carry the conditions; in definitions they would recurse, since subtypes
    refer to their parent.
    """
    view = _discriminated(schemas, schema)
    if view is None:
        return []
    key = view.get("discriminator")["propertyName"]
    return [
        {"if": _is(key, choice.values), "then": choice.branch}
        for choice in subtypes(schemas, view)
        if choice.values and reference_name(choice.branch) not in view.names
    ]


def _discriminated(schemas: SchemaViews, schema: Json) -> SchemaView | None:
    """Returns the view of a schema whose own keywords or definition have a discriminator, else
    None."""
    if not schemas.has_discriminators and "discriminator" not in schema:
        return None
    return schemas.view(schema) if schemas.said(schema, "discriminator") is not None else None


def discriminator_schema(key: str, union: str, of: list[DiscriminatorChoice]) -> list[Json]:
    """Returns conditions by which the discriminator selects the branch; without a known value
    the union itself applies."""
    known = [value for choice in of for value in choice.values]
    rest = {"if": _is(key, known), "else": {union: [choice.branch for choice in of]}}
    return [
        *({"if": _is(key, choice.values), "then": choice.branch} for choice in of if choice.values),
        rest,
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

    made = rebuilt(schema, change)
    made = schema if made == schema else made
    for union, of in choices(schemas, schema).items():
        key = schema["discriminator"]["propertyName"]
        made = made | {union: [each.told(key) if each.values else each.branch for each in of]}
    return made | {"anyOf": named} if named else made


def _is(key: str, values: list[str] | tuple[str, ...]) -> Json:
    return {"type": "object", "required": [key], "properties": {key: {"enum": list(values)}}}


def _says(schemas: SchemaViews, branch: Json, key: str) -> tuple[str, ...]:
    """Returns the discriminator values that the branch itself enumerates, `()` if none."""
    part = schemas.view(schemas.view(branch).get("properties", {}).get(key, True))
    values = part.get("enum", [part.get("const")])
    return tuple(values) if all(isinstance(value, str) for value in values) else ()


def _values(schemas: SchemaViews, branch: Json, key: str, mapping: Json) -> tuple[str, ...]:
    """Returns the discriminator values of a branch: enumerated, mapped, or the name of its
    definition."""
    name = reference_name(branch)
    if not name:
        return ()
    mapped = tuple(value for value, to in mapping.items() if to == PREFIX + name)
    return _says(schemas, branch, key) or mapped or (name,)


def _are_distinct(of: list[DiscriminatorChoice]) -> bool:
    times = Counter(value for choice in of for value in choice.values)
    return bool(times) and max(times.values()) == 1
