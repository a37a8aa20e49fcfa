"""Announced output schemas: an object at the root, without references, no larger than useful."""

from __future__ import annotations

from dataclasses import dataclass

from mcpgen.config import OutputMode
from mcpgen.ir.api import Operation
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.schema_view import SchemaView, SchemaViews
from mcpgen.lower.flatten.types import types
from mcpgen.lower.response_fields import Chosen, tree
from mcpgen.lower.response_schemas import ResponseSchemas, successful_responses
from mcpgen.lower.sanitize_text import plain_text, sentences, suspicious, truncate

_KEPT = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems")
_SURVIVING = ("description", "properties", "items", "anyOf", "minItems", "maxItems")
_DEEPEST = 8
_MOST_NODES = 300
_MOST_VALUES = 50
_DESCRIPTION = 120
_DESCRIPTIONS = 3_000
_NOTHING = {"maxProperties": 0}


@dataclass(frozen=True, slots=True)
class Output:
    """An announced output schema; `wrapped` puts the result under `result`."""

    schema: Json = None
    wrapped: bool = False


def output(
    schemas: SchemaViews, operation: Operation, mode: OutputMode, fields: tuple[str, ...] = ()
) -> Output:
    """Returns the output schema of a tool; `Output()` unless all successful responses are JSON with
    a schema.

    The schema covers every successful response; a response without content has the structured form
    `{}`.
    """
    found = successful_responses(schemas, operation)
    if mode is OutputMode.OFF or found.others or not found.schemas or True in found.schemas:
        return Output()
    made = _build_schema(schemas, found, _SchemaWriter(schemas, mode), tree(fields))
    if mode is OutputMode.SHALLOW and not any(map(_names_fields, _values_of(made))):
        return Output()
    return made


def _build_schema(
    schemas: SchemaViews, found: ResponseSchemas, writer: _SchemaWriter, chosen: Chosen
) -> Output:
    """Returns the schema of the responses within the limits of the writer."""
    if not found.items and all(_is_object(schemas, schema) for schema in found.schemas):
        return Output(_objects(writer, found, chosen))
    one = writer.element if found.items else writer.value
    inner = [one(schema, chosen) for schema in found.schemas]
    only = inner[0] if len(inner) == 1 else {"anyOf": inner}
    if found.items:
        only = {"type": "array", "items": only}
    required = {} if found.empty else {"required": ["result"]}
    return Output({"type": "object", "properties": {"result": only}, **required}, True)


def _values_of(made: Output) -> list[Json]:
    """Returns the schemas of a result, one per response."""
    schema = made.schema["properties"]["result"] if made.wrapped else made.schema
    return list(schema.get("anyOf", [schema]))


def _names_fields(schema: Json) -> bool:
    """True if a schema names properties of an object or of array items."""
    elements = schema.get("items", {})
    inside = [schema, elements, *elements.get("anyOf", ())]
    return any(one.get("properties") for one in inside)


def _objects(writer: _SchemaWriter, found: ResponseSchemas, chosen: Chosen) -> Json:
    """Returns the schema of a result that is an object in every response."""
    written = [writer.root(schema, chosen) for schema in found.schemas]
    if len(written) > 1:
        branches = [*written, _NOTHING] if found.empty else written
        return {"type": "object", "anyOf": branches}
    only = written[0]
    if found.empty:
        only.pop("required", None)
        if "anyOf" in only:
            only["anyOf"].append(_NOTHING)
    return only


def _is_object(schemas: SchemaViews, schema: Json) -> bool:
    view = schemas.view(schema)
    return not view.nullable and types(schemas, view) == {"object"}


class _SchemaWriter:
    """Writes schemas without references, and counts nodes and characters.

    Values that are too deep, recursive or beyond the limits are reduced to their type: a looser
    schema is still true.
    """

    def __init__(self, schemas: SchemaViews, mode: OutputMode) -> None:
        self._schemas = schemas
        self._full = mode is OutputMode.FULL
        self._nodes = 0
        self._prose = 0

    def root(self, schema: Json, chosen: Chosen) -> dict[str, Json]:
        """Returns the schema of an object; in mode `shallow` names and types of properties only."""
        if self._full:
            return {**self.written(schema, 0, frozenset(), chosen), "type": "object"}
        view = self._schemas.view(schema)
        return {"type": "object", "properties": self._properties(view, 0, frozenset(), chosen)}

    def value(self, schema: Json, chosen: Chosen) -> dict[str, Json]:
        """Returns the schema of any result; in mode `shallow` its type and the type of array
        items."""
        out = self.written(schema, 0, frozenset(), chosen)
        elements = self._schemas.view(schema).get("items")
        if not self._full and isinstance(elements, dict) and "array" in out.get("type", ()):
            out["items"] = self.element(elements, chosen)
        return out

    def element(self, schema: Json, chosen: Chosen) -> dict[str, Json]:
        """Returns the schema of array items; in mode `shallow` names and types of properties
        only."""
        out = self.written(schema, 0, frozenset(), chosen)
        view = self._schemas.view(schema)
        if not self._full and "properties" in view.keywords:
            out["properties"] = self._properties(view, 0, frozenset(), chosen)
        return out

    def written(
        self, schema: Json, depth: int, above: frozenset[str], chosen: Chosen
    ) -> dict[str, Json]:
        """Returns a schema with references resolved, reduced to the `chosen` fields."""
        view = self._schemas.view(schema)
        out = self._types(view)
        self._nodes += 1
        if not self._full or self._nodes > _MOST_NODES or depth > _DEEPEST or view.names & above:
            return _projected(out, chosen) if chosen else out
        above |= view.names
        out |= {key: view.get(key) for key in _KEPT if key in view.keywords}
        out |= _values(view)
        out |= self._description(view)
        if "properties" in view.keywords:
            out["properties"] = self._properties(view, depth, above, chosen)
            kept = [name for name in view.get("required", ()) if name in out["properties"]]
            out |= {"required": kept} if kept else {}
        others = view.get("additionalProperties")
        if isinstance(others, dict) and others and not chosen:
            out["additionalProperties"] = self.written(others, depth + 1, above, {})
        if isinstance(view.get("items"), dict):
            out["items"] = self.written(view.get("items"), depth + 1, above, chosen)
        if view.branches:
            options = [self.written(one, depth + 1, above, chosen) for one in view.branches]
            out["anyOf"] = [*options, {"type": "null"}] if view.nullable else options
        return _projected(out, chosen) if chosen else out

    def _properties(
        self, view: SchemaView, depth: int, above: frozenset[str], chosen: Chosen
    ) -> dict[str, Json]:
        return {
            name: self.written(part, depth + 1, above, chosen.get(name, {}))
            for name, part in view.get("properties", {}).items()
            if (not chosen or name in chosen) and not self._schemas.view(part).get("writeOnly")
        }

    def _types(self, view: SchemaView) -> dict[str, Json]:
        """Returns the types written in the schema; types implied by keywords are not promised."""
        if not self._says(view, 0):
            return {}
        kinds = sorted(types(self._schemas, view))
        if "number" in kinds and "integer" in kinds:
            kinds.remove("integer")
        if view.nullable:
            kinds.append("null")
        return {"type": kinds[0] if len(kinds) == 1 else kinds} if kinds else {}

    def _says(self, view: SchemaView, depth: int) -> bool:
        if any(keyword in view.keywords for keyword in ("type", "enum", "const")):
            return True
        branches = [self._schemas.view(branch) for branch in view.branches]
        return bool(branches) and depth < 4 and all(self._says(one, depth + 1) for one in branches)

    def _description(self, view: SchemaView) -> dict[str, Json]:
        """The beginning of a description, as long as there is room for descriptions at all."""
        told = view.get("description")
        if not isinstance(told, str) or self._prose >= _DESCRIPTIONS:
            return {}
        kept = " ".join(one for one in sentences(plain_text(told)) if not suspicious(one))
        text = truncate(kept, _DESCRIPTION)
        self._prose += len(text)
        return {"description": text} if text else {}


def _values(view: SchemaView) -> dict[str, Json]:
    """Returns the enumerated values, `{}` for more than `_MOST_VALUES`."""
    values = [view.get("const")] if "const" in view.keywords else view.get("enum", [])
    if not values or len(values) > _MOST_VALUES:
        return {}
    return {"enum": [*values, None] if view.nullable and None not in values else values}


def _projected(out: dict[str, Json], chosen: Chosen) -> dict[str, Json]:
    """Returns the schema reduced to chosen members: a scalar becomes null, so a member that may
    be scalar is optional."""
    kept = {key: out[key] for key in _SURVIVING if key in out}
    if "type" in out:
        told = [out["type"]] if isinstance(out["type"], str) else out["type"]
        kinds = list(dict.fromkeys(k if k in ("object", "array") else "null" for k in told))
        kept["type"] = kinds[0] if len(kinds) == 1 else kinds
    required = [
        name
        for name in out.get("required", ())
        if not chosen.get(name) or out["properties"][name].get("type") in ("object", "array")
    ]
    return kept | ({"required": required} if required else {})
