"""Alternatives that only a discriminator tells apart, since their schemas do not.

https://spec.openapis.org/oas/v3.0.4.html#discriminator-object lets it select the one alternative
that a value is held against.
"""

from __future__ import annotations

from collections import Counter

from mcpgen.frozen import frozen
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.view import PREFIX, Schemas, reference
from mcpgen.lower.flatten.walk import inner, rebuilt

_UNIONS = ("oneOf", "anyOf")


@frozen
class Choice:
    """One alternative of a union, and the values of the discriminator that choose it."""

    branch: Json
    values: tuple[str, ...]

    def told(self, key: str) -> Json:
        """The alternative with its values said in its own words."""
        return {"allOf": [self.branch, {"properties": {key: {"enum": list(self.values)}}}]}


def choices(schemas: Schemas, schema: Json) -> dict[str, list[Choice]]:
    """The alternatives of each union in a schema, in their order; nothing where they tell
    themselves apart or there is no discriminator. Those that it does not choose have no values."""
    declared = schema.get("discriminator") if isinstance(schema, dict) else None
    if not declared or "defaultMapping" in declared:
        return {}
    key, mapping = declared["propertyName"], declared.get("mapping") or {}
    found: dict[str, list[Choice]] = {}
    for union in _UNIONS:
        branches = schema.get(union, [])
        if any(reference(each) and not _says(schemas, each, key) for each in branches):
            found[union] = [Choice(each, _values(schemas, each, key, mapping)) for each in branches]
    return {union: of for union, of in found.items() if _are_distinct(of)}


def selected(key: str, union: str, of: list[Choice]) -> list[Json]:
    """What a value must meet: the alternative that the discriminator chooses, or, for a value that
    chooses none, the union itself."""
    known = [value for choice in of for value in choice.values]
    rest = {"if": _is(key, known), "else": {union: [choice.branch for choice in of]}}
    return [
        *({"if": _is(key, choice.values), "then": choice.branch} for choice in of if choice.values),
        rest,
    ]


def spelled_out(schemas: Schemas, schema: Json) -> Json:
    """The schema with the values of its discriminators said by the alternatives themselves, at any
    depth; itself where there are none."""
    parts = list(inner(schema))
    changed = {id(part): spelled_out(schemas, part) for part in parts}
    made = schema
    if any(changed[id(part)] is not part for part in parts):
        made = rebuilt(schema, lambda part: changed[id(part)])
    for union, of in choices(schemas, schema).items():
        key = schema["discriminator"]["propertyName"]
        made = made | {union: [each.told(key) if each.values else each.branch for each in of]}
    return made


def _is(key: str, values: list[str] | tuple[str, ...]) -> Json:
    return {"type": "object", "required": [key], "properties": {key: {"enum": list(values)}}}


def _says(schemas: Schemas, branch: Json, key: str) -> tuple[str, ...]:
    """The values that the alternative itself allows for the discriminator, if it says so."""
    part = schemas.view(schemas.view(branch).get("properties", {}).get(key, True))
    values = part.get("enum", [part.get("const")])
    return tuple(values) if all(isinstance(value, str) for value in values) else ()


def _values(schemas: Schemas, branch: Json, key: str, mapping: Json) -> tuple[str, ...]:
    """The values that choose an alternative: its own, those mapped to it, or its name."""
    name = reference(branch)
    if not name:
        return ()
    mapped = tuple(value for value, to in mapping.items() if to == PREFIX + name)
    return _says(schemas, branch, key) or mapped or (name,)


def _are_distinct(of: list[Choice]) -> bool:
    times = Counter(value for choice in of for value in choice.values)
    return bool(times) and max(times.values()) == 1
