"""Request schemas: the document's schemas, reduced for checking requests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial

import jsonschema_rs

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.discriminator import (
    branch_choices,
    discriminator_schema,
    subtype_constraints,
)
from mcpgen.lower.flatten.schema_view import (
    CONDITIONS,
    LISTS,
    MAPS,
    PREFIX,
    SAME_VALUE,
    SCHEMAS,
    SchemaViews,
)

_ANNOTATIONS = {
    "title",
    "description",
    "default",
    "examples",
    "example",
    "deprecated",
    "readOnly",
    "writeOnly",
    "discriminator",
    "xml",
    "externalDocs",
    "format",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "$comment",
    "$defs",
    "$id",
    "$schema",
    "$anchor",
}
"""Annotations, and keywords that would change the target of a reference."""


@dataclass
class RequestSchemaBuilder:
    """Builds request schemas, each definition once.

    A request schema neither requires nor allows a `readOnly` property, and drops a `pattern`
    unknown to jsonschema-rs.
    """

    schemas: SchemaViews
    diagnostics: Diagnostics
    _made: dict[str, Json] = field(default_factory=dict)

    def check(self, schema: Json, at: Location) -> Json:
        """Returns the request schema of an inline schema, None where it allows every value."""
        request = self._request(schema, at, frozenset(), is_use=True)
        if request is True or request == {}:
            return None
        if not self._compiles(request, at):
            return None
        return request

    def definition(self, name: str) -> Json:
        """The request schema of a definition."""
        if name not in self._made:
            original = self.schemas.definitions[name]
            request = self._request(original.json, original.at, frozenset(), is_use=False)
            self._made[name] = request if self._compiles(request, original.at, name) else True
        return self._made[name]

    def reached(self, names: Iterable[str]) -> frozenset[str]:
        """Returns `names` and every definition reachable from them by references."""
        reached: set[str] = set()
        waiting = sorted(names)
        while waiting:
            name = waiting.pop()
            if name not in reached and name in self.schemas.definitions:
                reached.add(name)
                waiting += sorted(schema_references(self.definition(name)) - reached)
        return frozenset(reached)

    def _request(
        self, schema: Json, at: Location, read_only: frozenset[str], *, is_use: bool
    ) -> Json:
        """Returns the request schema. `is_use`: a value naming a subtype must match the subtype;
        definitions and conditions set False."""
        if not isinstance(schema, dict):
            return schema
        read_only |= self.read_only(schema)
        subtypes = subtype_constraints(self.schemas, schema) if is_use else []
        is_use = is_use and not subtypes
        request: dict[str, Json] = {}
        for keyword, value in schema.items():
            if keyword in _ANNOTATIONS or keyword.startswith("x-"):
                continue
            reduced = self._keyword(keyword, value, at, read_only, is_use=is_use)
            if reduced is not None:
                request[keyword] = reduced
        if subtypes:
            request["allOf"] = [*request.get("allOf", ()), *subtypes]
        return self._apply_discriminator(schema, request, at)

    def _apply_discriminator(
        self, schema: dict[str, Json], request: dict[str, Json], at: Location
    ) -> Json:
        """Returns the request schema with undistinguished unions decided by their discriminator."""
        for union, of in branch_choices(self.schemas, schema).items():
            key = schema["discriminator"]["propertyName"]
            of = [
                replace(choice, branch=branch)
                for choice, branch in zip(of, request.pop(union), strict=True)
            ]
            request["allOf"] = [*request.get("allOf", ()), *discriminator_schema(key, union, of)]
            self.diagnostics.add(codes.TOLD_BY_DISCRIMINATOR, at, key=key)
        return request

    def _keyword(
        self, keyword: str, value: Json, at: Location, read_only: frozenset[str], *, is_use: bool
    ) -> Json:
        is_same = keyword in SAME_VALUE
        inherited = read_only if is_same else frozenset()
        request = partial(
            self._request,
            at=at,
            read_only=inherited,
            is_use=is_use if is_same else keyword not in CONDITIONS,
        )
        if keyword == "required":
            return [name for name in value if name not in read_only] or None
        if keyword == "pattern":
            return compilable_pattern(value, at, self.diagnostics)
        if keyword == "patternProperties":
            value = {
                key: part
                for key, part in value.items()
                if compilable_pattern(key, at, self.diagnostics) is not None
            }
        if keyword == "properties":
            return {key: key not in read_only and request(part) for key, part in value.items()}
        if keyword in MAPS:
            return {key: request(part) for key, part in value.items()}
        if keyword in LISTS:
            return [request(part) for part in value]
        if keyword in SCHEMAS:
            return request(value)
        return value

    def read_only(self, schema: Json) -> frozenset[str]:
        """Returns the names of the `readOnly` properties of an object."""
        if not any(keyword in schema for keyword in ("required", "properties", *SAME_VALUE)):
            return frozenset()
        properties: Mapping[str, Json] = self.schemas.view(schema).get("properties", {})
        return frozenset(
            name for name, part in properties.items() if self.schemas.keyword_of(part, "readOnly")
        )

    def _compiles(self, schema: Json, at: Location, name: str = "") -> bool:
        try:
            jsonschema_rs.meta.validate(schema)
        except jsonschema_rs.ValidationError as error:
            reason = error.message.splitlines()[0][:160]
            name = name or at.pointer.rpartition("/")[2] or "schema"
            self.diagnostics.add(codes.UNCHECKED_SCHEMA, at, name=name, reason=reason)
            return False
        return True


class RequestSchemas(Mapping[str, Json]):
    """Mapping of definition names to request schemas, built on first access."""

    def __init__(self, checks: RequestSchemaBuilder) -> None:
        self._checks = checks

    def __getitem__(self, name: str) -> Json:
        return self._checks.definition(name)

    def __contains__(self, name: object) -> bool:
        return name in self._checks.schemas.definitions

    def __iter__(self) -> Iterator[str]:
        return iter(self._checks.schemas.definitions)

    def __len__(self) -> int:
        return len(self._checks.schemas.definitions)


def compilable_pattern(pattern: str, at: Location, diagnostics: Diagnostics) -> str | None:
    """Returns the pattern; None if jsonschema-rs cannot compile the pattern. Adds
    UNUSABLE_PATTERN."""
    if _regular(pattern):
        return pattern
    diagnostics.add(codes.UNUSABLE_PATTERN, at, pattern=pattern[:80])
    return None


@lru_cache(maxsize=4096)
def _regular(pattern: str) -> bool:
    try:
        jsonschema_rs.Draft202012Validator({"pattern": pattern})
    except jsonschema_rs.ValidationError:
        return False
    return True


def schema_references(schema: Json) -> frozenset[str]:
    """Returns the names of the definitions in a schema's references."""
    references: set[str] = set()
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            target = part.get("$ref")
            if isinstance(target, str):
                references.add(target.removeprefix(PREFIX))
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part
    return frozenset(references)
