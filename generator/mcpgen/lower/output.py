"""Announced output schemas: an object at the root, without references."""

from __future__ import annotations

from dataclasses import dataclass

from mcpgen.config import OutputMode
from mcpgen.ir.api import Operation
from mcpgen.ir.source import Json
from mcpgen.lower.answers import representation, success
from mcpgen.lower.flatten.types import types
from mcpgen.lower.flatten.view import Schemas, View
from mcpgen.lower.media import Media, media_kind
from mcpgen.lower.text import cut, plain

_KEPT = ("enum", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "required")
_DEEPEST = 8
_MOST_NODES = 300


@dataclass(frozen=True, slots=True)
class Output:
    """The announced schema of a result; `wrapped` tells that it stands below `result`."""

    schema: Json = None
    wrapped: bool = False


def output(schemas: Schemas, operation: Operation, mode: OutputMode) -> Output:
    """The output schema of an operation's tool, none where its answer is not JSON."""
    found = success(operation) if mode is not OutputMode.OFF else None
    media = representation(found[1]) if found else None
    if media is None or media.schema is None:
        return Output()
    if media_kind(media.name) not in (Media.JSON, Media.JSON_SUFFIX):
        return Output()
    view = schemas.view(media.schema.json)
    if view.nullable or types(schemas, view) != {"object"}:
        inner = _full(schemas, media.schema.json, mode) or _shallow_type(schemas, view)
        return Output(
            {"type": "object", "properties": {"result": inner}, "required": ["result"]}, True
        )
    return Output(_full(schemas, media.schema.json, mode) or _shallow(schemas, view))


def _shallow(schemas: Schemas, view: View) -> Json:
    """The names and types of an object's properties."""
    properties = {
        name: _shallow_type(schemas, schemas.view(part))
        for name, part in view.get("properties", {}).items()
        if not schemas.view(part).get("writeOnly")
    }
    return {"type": "object", "properties": properties}


def _shallow_type(schemas: Schemas, view: View) -> Json:
    kinds = sorted(types(schemas, view))
    if not kinds:
        return {}
    if view.nullable:
        kinds.append("null")
    return {"type": kinds[0] if len(kinds) == 1 else kinds}


def _full(schemas: Schemas, schema: Json, mode: OutputMode) -> Json:
    """The schema with every reference written out, None where it recurs or is too large."""
    if mode is not OutputMode.FULL:
        return None
    try:
        return _Writer(schemas).written(schema, 0, frozenset())
    except _Unbounded:
        return None


class _Unbounded(Exception):
    """A schema recurs or grows beyond what is announced."""


class _Writer:
    """Writes one schema out, counting what it writes."""

    def __init__(self, schemas: Schemas) -> None:
        self._schemas = schemas
        self._count = 0

    def written(self, schema: Json, depth: int, above: frozenset[str]) -> dict[str, Json]:
        view = self._schemas.view(schema)
        self._count += 1
        if self._count > _MOST_NODES or depth > _DEEPEST or view.names & above:
            raise _Unbounded
        above |= view.names
        out = dict(_shallow_type(self._schemas, view))
        out |= {key: view.get(key) for key in _KEPT if key in view.keywords}
        if view.nullable and "enum" in out:
            out["enum"] = [*out["enum"], None]
        if "const" in view.keywords:
            out["enum"] = [view.get("const")]
        if view.get("description"):
            out["description"] = cut(plain(view.get("description")), 200)
        if "properties" in view.keywords:
            out["properties"] = self._properties(view, depth, above)
            kept = [n for n in view.get("required", ()) if n in out["properties"]]
            out["required"] = kept
        if isinstance(view.get("additionalProperties"), dict):
            out["additionalProperties"] = self.written(
                view.get("additionalProperties"), depth + 1, above
            )
        if isinstance(view.get("items"), dict):
            out["items"] = self.written(view.get("items"), depth + 1, above)
        if view.branches:
            options = [self.written(branch, depth + 1, above) for branch in view.branches]
            out["anyOf"] = [*options, {"type": "null"}] if view.nullable else options
        return out

    def _properties(self, view: View, depth: int, above: frozenset[str]) -> dict[str, Json]:
        return {
            name: self.written(part, depth + 1, above)
            for name, part in view.get("properties", {}).items()
            if not self._schemas.view(part).get("writeOnly")
        }
