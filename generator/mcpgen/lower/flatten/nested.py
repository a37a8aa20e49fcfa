"""Announced schemas of mode `nested`: the document's own schemas, for hosts that accept any JSON
Schema."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import jsonschema_rs

from mcpgen.diagnostics import Location
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.checks import RequestSchemaBuilder, compilable_pattern
from mcpgen.lower.flatten.discriminator import branch_choices
from mcpgen.lower.flatten.schema_view import (
    LISTS,
    MAPS,
    PREFIX,
    SAME_VALUE,
    SCHEMAS,
    map_subschemas,
    subschemas,
)
from mcpgen.lower.sanitize_text import sanitize, truncate

_OMITTED_KEYWORDS = {
    "readOnly",
    "writeOnly",
    "discriminator",
    "xml",
    "externalDocs",
    "example",
    "examples",
    "contentSchema",
    "$comment",
    "$defs",
    "$id",
    "$schema",
    "$anchor",
}
"""Keywords without effect on a request, or that make no sense outside the document."""

_MAX_PROSE = 400
"""Characters of a title or description."""

_MAX_SUBSCHEMAS = 400
"""Largest number of subschemas in one argument before repeated definitions move to `$defs`."""


@dataclass
class ArgumentSchemas:
    """Builds announced schemas, each definition once.

    Leaves out `readOnly` properties; cleans all prose.
    """

    checks: RequestSchemaBuilder
    _definitions: dict[str, Json] = field(default_factory=dict)
    _recursive: dict[str, bool] = field(default_factory=dict)

    def schema(self, json: Json, at: Location) -> dict[str, Json]:
        """Returns the announced schema with references resolved.

        Recursive definitions, and repeated definitions of a large schema, stay references into
        `shared`.
        """
        announced = self._request_schema(json, at)
        uses = self._uses(announced)
        kept_names = {name for name in uses if self._is_recursive(name)}
        if self._is_large(announced, kept_names):
            kept_names |= {name for name, times in uses.items() if times > 1}
        inlined = self._inline(frozenset(kept_names), announced)
        if inlined is True or not jsonschema_rs.meta.is_valid(inlined):
            # `{}` allows every value: the schema says nothing, or is invalid, which
            # `RequestSchemaBuilder` reports.
            return {}
        # `False` allows no value.
        return inlined if isinstance(inlined, dict) else {"not": {}}

    def shared(self, schemas: Iterable[Json]) -> dict[str, Json]:
        """Returns the definitions reachable from announced schemas, by name."""
        definitions: dict[str, Json] = {}
        waiting = list(schemas)
        while waiting:
            for name in _referenced_definitions(waiting.pop()):
                if name not in definitions:
                    definitions[name] = self._definition(name)
                    waiting.append(definitions[name])
        return dict(sorted(definitions.items()))

    def _definition(self, name: str) -> Json:
        if name not in self._definitions:
            original = self.checks.schemas.definitions[name]
            announced = self._request_schema(original.json, original.at)
            # `RequestSchemaBuilder` reports invalid schemas.
            self._definitions[name] = announced if jsonschema_rs.meta.is_valid(announced) else True
        return self._definitions[name]

    def _is_recursive(self, name: str) -> bool:
        if name not in self._recursive:
            self._recursive[name] = name in self._uses(self._definition(name))
        return self._recursive[name]

    def _uses(self, schema: Json) -> Counter[str]:
        """Counts the references to each definition reachable from a schema."""
        uses: Counter[str] = Counter()
        waiting = [schema]
        while waiting:
            for name in _referenced_definitions(waiting.pop()):
                uses[name] += 1
                if uses[name] == 1:
                    waiting.append(self._definition(name))
        return uses

    def _is_large(self, schema: Json, kept_names: set[str]) -> bool:
        """True if the schema has more than `_MAX_SUBSCHEMAS` subschemas after all references are
        resolved, except those to the definitions in `kept_names`."""
        waiting = [schema]
        for _ in range(_MAX_SUBSCHEMAS):
            if not waiting:
                return False
            part = waiting.pop()
            waiting += subschemas(part)
            name = _referenced_definition(part)
            if name and name not in kept_names:
                waiting.append(self._definition(name))
        return bool(waiting)

    def _inline(self, kept_names: frozenset[str], json: Json) -> Json:
        """Returns the schema with all references resolved, except those to the definitions in
        `kept_names`."""
        if not isinstance(json, dict):
            return json
        inlined = map_subschemas(json, lambda part, _: self._inline(kept_names, part))
        name = _referenced_definition(json)
        if not name or name in kept_names:
            return inlined
        del inlined["$ref"]
        target = self._inline(kept_names, self._definition(name))
        if not inlined:
            return target
        if isinstance(target, dict) and inlined.keys() <= {"title", "description", "default"}:
            return target | inlined
        return inlined | {"allOf": [*inlined.get("allOf", ()), target]}

    def _request_schema(
        self, schema: Json, at: Location, unsent: frozenset[str] = frozenset()
    ) -> Json:
        """Returns the schema for requests; `unsent` are the names of `readOnly` properties, also of a
        surrounding `allOf`."""
        if not isinstance(schema, dict):
            return schema
        unsent |= self.checks.read_only(schema)
        request: dict[str, Json] = {}
        for keyword, value in schema.items():
            if keyword in _OMITTED_KEYWORDS or keyword.startswith("x-"):
                continue
            reduced = self._request_keyword(keyword, value, at, unsent)
            if reduced is not None:
                request[keyword] = reduced
        for union, choices in branch_choices(self.checks.schemas, schema).items():
            key = schema["discriminator"]["propertyName"]
            request[union] = [
                replace(choice, branch=branch).labeled_branch(key) if choice.values else branch
                for choice, branch in zip(choices, request[union], strict=True)
            ]
        return request

    def _request_keyword(
        self, keyword: str, value: Json, at: Location, unsent: frozenset[str]
    ) -> Json:
        diagnostics = self.checks.diagnostics
        if keyword in ("description", "title"):
            return truncate(sanitize(str(value), at, diagnostics), _MAX_PROSE) or None
        if keyword == "required":
            return [name for name in value if name not in unsent] or None
        if keyword == "pattern":
            return compilable_pattern(value, at, diagnostics)
        if keyword == "properties":
            return {
                k: self._request_schema(part, at) for k, part in value.items() if k not in unsent
            }
        if keyword == "patternProperties":
            value = {
                k: v for k, v in value.items() if compilable_pattern(k, at, diagnostics) is not None
            }
        inherited = unsent if keyword in SAME_VALUE else frozenset()
        if keyword in MAPS:
            return {key: self._request_schema(part, at) for key, part in value.items()}
        if keyword in LISTS:
            return [self._request_schema(part, at, inherited) for part in value]
        return self._request_schema(value, at, inherited) if keyword in SCHEMAS else value


def _referenced_definition(schema: Json) -> str:
    """Returns the name of the referenced definition, or `""`."""
    target = schema.get("$ref") if isinstance(schema, dict) else None
    return target.removeprefix(PREFIX) if isinstance(target, str) else ""


def _referenced_definitions(schema: Json) -> list[str]:
    """Returns the names of referenced definitions, with repetitions."""
    names: list[str] = []
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if name := _referenced_definition(part):
            names.append(name)
        waiting += subschemas(part)
    return names
