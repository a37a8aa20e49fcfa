"""The schemas that checks refer to, read from the project's `schemas.json` when first needed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from .tool import Json

_PREFIX = "#/$defs/"


class SchemaStore:
    """Schemas by name; `closed` gives a schema those it reaches."""

    def __init__(self, path: Path = Path(__file__).parents[1] / "schemas.json") -> None:
        self._path = path

    @cached_property
    def schemas(self) -> dict[str, Json]:
        """All of them."""
        schemas: dict[str, Json] = json.loads(self._path.read_bytes())
        return schemas

    def closed(self, schema: Json) -> Json:
        """The schema with every definition it reaches, so that no reference leads outside."""
        reached: dict[str, Json] = {}
        waiting = list(_references(schema))
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached[name] = self.schemas[name]
                waiting += _references(reached[name])
        return {**schema, "$defs": reached} if reached else schema


def _references(schema: Json) -> Iterator[str]:
    """The names that a schema refers to directly."""
    if isinstance(schema, dict):
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference.startswith(_PREFIX):
            name, _, _ = reference[len(_PREFIX) :].partition("/")
            yield name.replace("~1", "/").replace("~0", "~")
        for value in schema.values():
            yield from _references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _references(value)
