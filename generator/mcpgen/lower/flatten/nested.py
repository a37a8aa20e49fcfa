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
from mcpgen.lower.flatten.discriminator import choices
from mcpgen.lower.flatten.schema_view import PREFIX
from mcpgen.lower.flatten.schema_walk import LISTS, MAPS, SAME_VALUE, SCHEMAS, inner, rebuilt
from mcpgen.lower.sanitize_text import clean, truncate

_LEFT_OUT = {
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
_PROSE = 400
_MOST = 400
"""Largest number of subschemas in one argument before repeated definitions move to `$defs`."""


@dataclass
class ArgumentSchemas:
    """Builds announced schemas, each definition once.

    Leaves out `readOnly` properties; cleans all prose.
    """

    checks: RequestSchemaBuilder
    _made: dict[str, Json] = field(default_factory=dict)
    _recursive: dict[str, bool] = field(default_factory=dict)

    def schema(self, json: Json, at: Location) -> dict[str, Json]:
        """Returns the announced schema with references resolved.

        Recursive definitions, and repeated definitions of a large schema, stay references into
        `shared`.
        """
        made = self._request(json, at)
        uses = self._uses(made)
        kept = {name for name in uses if self._is_recursive(name)}
        if self._is_large(made, kept):
            kept |= {name for name, times in uses.items() if times > 1}
        inlined = self._inlined(frozenset(kept), made)
        if inlined is True or not jsonschema_rs.meta.is_valid(inlined):
            return {}
        return inlined if isinstance(inlined, dict) else {"not": {}}

    def shared(self, schemas: Iterable[Json]) -> dict[str, Json]:
        """Returns the definitions reachable from announced schemas, by name."""
        found: dict[str, Json] = {}
        waiting = list(schemas)
        while waiting:
            for name in _references(waiting.pop()):
                if name not in found:
                    found[name] = self._definition(name)
                    waiting.append(found[name])
        return dict(sorted(found.items()))

    def _definition(self, name: str) -> Json:
        if name not in self._made:
            original = self.checks.schemas.definitions[name]
            made = self._request(original.json, original.at)
            # What is no schema is told where its check is made.
            self._made[name] = made if jsonschema_rs.meta.is_valid(made) else True
        return self._made[name]

    def _is_recursive(self, name: str) -> bool:
        if name not in self._recursive:
            self._recursive[name] = name in self._uses(self._definition(name))
        return self._recursive[name]

    def _uses(self, schema: Json) -> Counter[str]:
        """Counts the references to each definition reachable from a schema."""
        found: Counter[str] = Counter()
        waiting = [schema]
        while waiting:
            for name in _references(waiting.pop()):
                found[name] += 1
                if found[name] == 1:
                    waiting.append(self._definition(name))
        return found

    def _is_large(self, schema: Json, kept: set[str]) -> bool:
        """True if the schema has more than `_MOST` subschemas after resolving all references
        except `kept`."""
        waiting = [schema]
        for _ in range(_MOST):
            if not waiting:
                return False
            part = waiting.pop()
            waiting += inner(part)
            name = _target(part)
            if name and name not in kept:
                waiting.append(self._definition(name))
        return bool(waiting)

    def _inlined(self, kept: frozenset[str], json: Json) -> Json:
        """Returns the schema with all references except `kept` resolved."""
        if not isinstance(json, dict):
            return json
        made = rebuilt(json, lambda part, _: self._inlined(kept, part))
        name = _target(json)
        if not name or name in kept:
            return made
        del made["$ref"]
        target = self._inlined(kept, self._definition(name))
        if not made:
            return target
        if isinstance(target, dict) and made.keys() <= {"title", "description", "default"}:
            return target | made
        return made | {"allOf": [*made.get("allOf", ()), target]}

    def _request(self, schema: Json, at: Location, unsent: frozenset[str] = frozenset()) -> Json:
        """Returns the schema for requests; `unsent` are the `readOnly` properties of the whole
        value."""
        if not isinstance(schema, dict):
            return schema
        unsent |= self.checks.read_only(schema)
        made: dict[str, Json] = {}
        for keyword, value in schema.items():
            if keyword in _LEFT_OUT or keyword.startswith("x-"):
                continue
            kept = self._keyword(keyword, value, at, unsent)
            if kept is not None:
                made[keyword] = kept
        for union, of in choices(self.checks.schemas, schema).items():
            key = schema["discriminator"]["propertyName"]
            made[union] = [
                replace(each, branch=branch).told(key) if each.values else branch
                for each, branch in zip(of, made[union], strict=True)
            ]
        return made

    def _keyword(self, keyword: str, value: Json, at: Location, unsent: frozenset[str]) -> Json:
        told = self.checks.diagnostics
        if keyword in ("description", "title"):
            return truncate(clean(str(value), at, told), _PROSE) or None
        if keyword == "required":
            return [name for name in value if name not in unsent] or None
        if keyword == "pattern":
            return compilable_pattern(value, at, told)
        if keyword == "properties":
            return {k: self._request(part, at) for k, part in value.items() if k not in unsent}
        if keyword == "patternProperties":
            value = {k: v for k, v in value.items() if compilable_pattern(k, at, told) is not None}
        inherited = unsent if keyword in SAME_VALUE else frozenset()
        if keyword in MAPS:
            return {key: self._request(part, at) for key, part in value.items()}
        if keyword in LISTS:
            return [self._request(part, at, inherited) for part in value]
        return self._request(value, at, inherited) if keyword in SCHEMAS else value


def _target(schema: Json) -> str:
    """Returns the name of the referenced definition, or `""`."""
    target = schema.get("$ref") if isinstance(schema, dict) else None
    return target.removeprefix(PREFIX) if isinstance(target, str) else ""


def _references(schema: Json) -> list[str]:
    """Returns the names of referenced definitions, with repetitions."""
    found: list[str] = []
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if name := _target(part):
            found.append(name)
        waiting += inner(part)
    return found
