"""A schema with its references followed and its `allOf` joined, one level deep."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mcpgen.sampling.intersect import intersect
from mcpgen.sampling.validators import Json, SchemaValidators, definition_name, reference_only

PARTS = 200
"""Parts that one schema is joined from; one that has more goes round in circles."""


JOINING = frozenset({"$ref", "allOf"})
NO_NAMES: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ResolvedSchema:
    """A schema without `$ref`. `names` are the named schemas it is joined from; `cut` tells that
    there were too many parts. An `allOf` that is left waits until an alternative is chosen."""

    schema: dict[str, Json]
    names: frozenset[str]
    cut: bool = False

    def mapped(self, keyword: str) -> dict[str, Json]:
        """The keyword's mapping; empty where it has none."""
        value = self.schema.get(keyword)
        return value if isinstance(value, dict) else {}

    def listed(self, keyword: str) -> list[Json]:
        """The keyword's list; empty where it has none."""
        value = self.schema.get(keyword)
        return value if isinstance(value, list) else []

    def narrowed(self, keyword: str, branch: Json) -> dict[str, Json]:
        """The schema with one alternative in place of all that stand under the keyword."""
        rest = {key: value for key, value in self.schema.items() if key != keyword}
        return {**rest, "allOf": [branch, *rest.get("allOf", [])]}


def resolve_schema(schema: Json, library: SchemaValidators) -> ResolvedSchema:
    """The schema joined with everything it refers to and everything in `allOf`. A mere reference is
    joined once: the properties of large documents refer to the same schemas again and again."""
    if isinstance(schema, dict) and JOINING.isdisjoint(schema):
        return ResolvedSchema(schema, NO_NAMES)
    name = reference_only(schema)
    if not name:
        return _joined(schema, library)
    if name not in library.joined:
        library.joined[name] = _joined(schema, library)
    found: ResolvedSchema = library.joined[name]
    return found


def _joined(schema: Json, library: SchemaValidators) -> ResolvedSchema:
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
    """The named schemas that every value of a schema, or of its items, is one of."""
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
