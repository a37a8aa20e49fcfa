"""Schemas shared by the tools of a package."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property
from importlib.resources import files

from ..extensions import Definitions, Extensions
from ..tool import Json

_PREFIX = "#/$defs/"


class SchemaStore(Definitions):
    """The schemas in `schemas.json` of a package, by name, loaded on first use."""

    @cached_property
    def schemas(self) -> dict[str, Json]:
        """All schemas by name."""
        schemas: dict[str, Json] = json.loads(
            files(self.package).joinpath("schemas.json").read_bytes()
        )
        return schemas

    def with_definitions(self, schema: Json) -> Json:
        """The schema with all reachable definitions, so that every reference resolves inside."""
        reached: dict[str, Json] = {}
        pending = list(_definition_references(schema))
        while pending:
            name = pending.pop()
            if name not in reached:
                reached[name] = self.schemas[name]
                pending += _definition_references(reached[name])
        return {**schema, "$defs": reached} if reached else schema


def _definition_references(schema: Json) -> Iterator[str]:
    """The names of directly referenced definitions."""
    if isinstance(schema, dict):
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference.startswith(_PREFIX):
            name, _, _ = reference[len(_PREFIX) :].partition("/")
            yield name.replace("~1", "/").replace("~0", "~")
        for value in schema.values():
            yield from _definition_references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _definition_references(value)


def shared_schemas(installed: Extensions) -> None:
    """Installs the schemas of `schemas.json`."""
    installed.definitions = SchemaStore
