"""Announced output schemas: an object at the root, without references, no larger than useful."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mcpgen.config import OutputMode
from mcpgen.ir.api import Operation
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.schema_view import SchemaView, SchemaViews
from mcpgen.lower.flatten.types import schema_types
from mcpgen.lower.response_schemas import Chosen, ResponseSchemas, field_tree, successful_responses
from mcpgen.lower.sanitize_text import is_injection, plain_text, sentences, truncate

_KEPT = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems")
"""Keywords of the document that mode `full` repeats unchanged."""

_SURVIVING = ("description", "properties", "items", "anyOf", "minItems", "maxItems")
"""Keywords that stay true for a value reduced to chosen fields."""

# Limits of one announced schema, measured in mode `full` on the 3,923 tools with an output schema of 17
# public descriptions (GitHub, Stripe, Kubernetes and others): 20 MB in all, 2.2 kB in the median, 20 kB at
# the 95th percentile.

_MAX_DEPTH = 8
"""Levels of nesting. 86 % of the schemas have fewer; 10 levels would add 2 % of bytes, 4 levels would
cut 31 % of the schemas."""

_MAX_NODES = 300
"""Subschemas. 88 % of the schemas have fewer; with 1,000 the 95th percentile would be 51 kB, with 3,000
it would be 123 kB."""

_MAX_VALUES = 50
"""Values of an enumeration. 99.5 % of the schemas have fewer; without a limit one schema has 61 kB."""

_MAX_DESCRIPTION = 120
"""Characters of the description of a field, about one sentence. 44 % of the schemas have no longer
description; with 60 characters it would be 23 %."""

_MAX_DESCRIPTIONS = 3_000
"""Characters of all descriptions of a schema. 73 % of the schemas have fewer; without a limit the
descriptions add 45 % of bytes."""

_MAX_UNION_DEPTH = 4
"""Unions inside unions that are searched for a type; public descriptions have at most 2."""

_NOTHING = {"maxProperties": 0}
"""The structured form of a response without content."""


@dataclass(frozen=True, slots=True)
class Output:
    """An announced output schema; `wrapped` puts the result under `result`."""

    schema: Json = None
    wrapped: bool = False


def output_schema(
    schemas: SchemaViews, operation: Operation, mode: OutputMode, fields: tuple[str, ...] = ()
) -> Output:
    """Returns the output schema of a tool; `Output()` unless all successful responses are JSON with
    a schema.

    The schema covers every successful response; a response without content has the structured form
    `{}`. In mode `names` only files and texts have no schema.
    """
    if mode is OutputMode.OFF:
        return Output()
    responses = successful_responses(schemas, operation)
    if responses.others:
        return Output()
    if mode is OutputMode.NAMES:
        return _name_fields(schemas, responses, field_tree(fields))
    if not responses.schemas or True in responses.schemas:
        return Output()
    announced = _build_schema(schemas, responses, _SchemaWriter(schemas, mode), field_tree(fields))
    if mode is OutputMode.SHALLOW and not any(map(_names_fields, _values_of(announced))):
        return Output()
    return announced


def _name_fields(schemas: SchemaViews, responses: ResponseSchemas, fields: Chosen) -> Output:
    """Returns the names of the fields of a result, or of list elements, below `result`.

    No name has a type and nothing is required, so no response breaks the schema.
    """
    writer = _SchemaWriter(schemas, OutputMode.NAMES)
    values = () if responses.items else responses.schemas
    elements = [schemas.view(schema).get("items") for schema in values] or responses.schemas
    names = writer.names(values, fields)
    if inner := writer.names(elements, fields):
        names["items"] = inner
    return Output({"type": "object", "properties": {"result": names}}, True)


def _build_schema(
    schemas: SchemaViews, responses: ResponseSchemas, writer: _SchemaWriter, fields: Chosen
) -> Output:
    """Returns the schema of the responses within the limits of the writer."""
    if not responses.items and all(_is_object(schemas, schema) for schema in responses.schemas):
        return Output(_objects(writer, responses, fields))
    write = writer.element if responses.items else writer.value
    inner = [write(schema, fields) for schema in responses.schemas]
    only = inner[0] if len(inner) == 1 else {"anyOf": inner}
    if responses.items:
        only = {"type": "array", "items": only}
    required = {} if responses.empty else {"required": ["result"]}
    return Output({"type": "object", "properties": {"result": only}, **required}, True)


def _values_of(announced: Output) -> list[Json]:
    """Returns the schemas of a result, one per response."""
    schema = announced.schema["properties"]["result"] if announced.wrapped else announced.schema
    return list(schema.get("anyOf", [schema]))


def _names_fields(schema: Json) -> bool:
    """True if a schema names properties of an object or of array items."""
    elements = schema.get("items", {})
    inside = [schema, elements, *elements.get("anyOf", ())]
    return any(part.get("properties") for part in inside)


def _objects(writer: _SchemaWriter, responses: ResponseSchemas, fields: Chosen) -> Json:
    """Returns the schema of a result that is an object in every response."""
    schemas = [writer.root(schema, fields) for schema in responses.schemas]
    if len(schemas) > 1:
        branches = [*schemas, _NOTHING] if responses.empty else schemas
        return {"type": "object", "anyOf": branches}
    only = schemas[0]
    if responses.empty:
        only.pop("required", None)
        if "anyOf" in only:
            only["anyOf"].append(_NOTHING)
    return only


def _is_object(schemas: SchemaViews, schema: Json) -> bool:
    view = schemas.view(schema)
    return not view.nullable and schema_types(schemas, view) == {"object"}


class _SchemaWriter:
    """Writes schemas without references, and counts nodes and characters.

    Values that are too deep, recursive or beyond the limits are reduced to their type: a looser
    schema is still true.
    """

    def __init__(self, schemas: SchemaViews, mode: OutputMode) -> None:
        self._schemas = schemas
        self._full = mode is OutputMode.FULL
        self._typed = mode is not OutputMode.NAMES
        self._nodes = 0
        self._prose = 0

    def names(self, schemas: Iterable[Json], fields: Chosen) -> dict[str, Json]:
        """Returns the properties of all schemas, `{}` without any."""
        properties: Json = {}
        for schema in schemas:
            view = self._schemas.view(schema)
            properties |= self._properties(view, 0, frozenset(), fields)
        return {"properties": properties} if properties else {}

    def root(self, schema: Json, fields: Chosen) -> dict[str, Json]:
        """Returns the schema of an object; in mode `shallow` names and types of properties only."""
        if self._full:
            return {**self.write(schema, 0, frozenset(), fields), "type": "object"}
        view = self._schemas.view(schema)
        return {"type": "object", "properties": self._properties(view, 0, frozenset(), fields)}

    def value(self, schema: Json, fields: Chosen) -> dict[str, Json]:
        """Returns the schema of any result; in mode `shallow` its type and the type of array
        items."""
        announced = self.write(schema, 0, frozenset(), fields)
        elements = _items_of_list(self._schemas.view(schema))
        if not self._full and isinstance(elements, dict) and "array" in announced.get("type", ()):
            announced["items"] = self.element(elements, fields)
        return announced

    def element(self, schema: Json, fields: Chosen) -> dict[str, Json]:
        """Returns the schema of array items; in mode `shallow` names and types of properties
        only."""
        announced = self.write(schema, 0, frozenset(), fields)
        view = self._schemas.view(schema)
        if not self._full and "properties" in view.keywords:
            announced["properties"] = self._properties(view, 0, frozenset(), fields)
        return announced

    def write(
        self, schema: Json, depth: int, above: frozenset[str], fields: Chosen
    ) -> dict[str, Json]:
        """Returns a schema with references resolved, reduced to `fields`."""
        view = self._schemas.view(schema)
        announced = self._types(view)
        self._nodes += 1
        if not self._full or self._nodes > _MAX_NODES or depth > _MAX_DEPTH or view.names & above:
            return _project(announced, fields) if fields else announced
        above |= view.names
        announced |= {key: view.get(key) for key in _KEPT if key in view.keywords}
        announced |= _few_enumerated_values(view)
        announced |= self._description(view)
        if "properties" in view.keywords:
            announced["properties"] = self._properties(view, depth, above, fields)
            required = [
                name for name in view.get("required", ()) if name in announced["properties"]
            ]
            announced |= {"required": required} if required else {}
        additional = view.get("additionalProperties")
        # A name that matches a pattern may have another schema; patterns are not announced.
        is_uniform = not fields and "patternProperties" not in view.keywords
        if isinstance(additional, dict) and additional and is_uniform:
            announced["additionalProperties"] = self.write(additional, depth + 1, above, {})
        items = _items_of_list(view)
        if isinstance(items, dict):
            announced["items"] = self.write(items, depth + 1, above, fields)
        if view.branches:
            options = [self.write(branch, depth + 1, above, fields) for branch in view.branches]
            announced["anyOf"] = [*options, {"type": "null"}] if view.nullable else options
        return _project(announced, fields) if fields else announced

    def _properties(
        self, view: SchemaView, depth: int, above: frozenset[str], fields: Chosen
    ) -> dict[str, Json]:
        return {
            name: self.write(part, depth + 1, above, fields.get(name, {}))
            for name, part in view.get("properties", {}).items()
            if (not fields or name in fields) and not self._schemas.view(part).get("writeOnly")
        }

    def _types(self, view: SchemaView) -> dict[str, Json]:
        """Returns the types written in the schema; types implied by keywords are not promised."""
        if not self._typed or not self._has_type(view, 0):
            return {}
        kinds = sorted(schema_types(self._schemas, view))
        if not kinds:
            return {}
        if "number" in kinds and "integer" in kinds:
            kinds.remove("integer")
        if view.nullable and "null" not in kinds:
            kinds.append("null")
        return {"type": kinds[0] if len(kinds) == 1 else kinds}

    def _has_type(self, view: SchemaView, depth: int) -> bool:
        if any(keyword in view.keywords for keyword in ("type", "enum", "const")):
            return True
        branches = [self._schemas.view(branch) for branch in view.branches]
        return (
            bool(branches)
            and depth < _MAX_UNION_DEPTH
            and all(self._has_type(branch, depth + 1) for branch in branches)
        )

    def _description(self, view: SchemaView) -> dict[str, Json]:
        """The beginning of a description, as long as there is room for descriptions at all."""
        prose = view.get("description")
        if not isinstance(prose, str) or self._prose >= _MAX_DESCRIPTIONS:
            return {}
        shown_text = " ".join(
            sentence for sentence in sentences(plain_text(prose)) if not is_injection(sentence)
        )
        text = truncate(shown_text, _MAX_DESCRIPTION)
        self._prose += len(text)
        return {"description": text} if text else {}


def _items_of_list(view: SchemaView) -> Json:
    """Returns the schema of every item, None for a tuple, whose first items have schemas of their
    own."""
    return None if view.get("prefixItems") else view.get("items")


def _few_enumerated_values(view: SchemaView) -> dict[str, Json]:
    """Returns the enumerated values, `{}` for more than `_MAX_VALUES`."""
    values = [view.get("const")] if "const" in view.keywords else view.get("enum", [])
    if not values or len(values) > _MAX_VALUES:
        return {}
    return {"enum": [*values, None] if view.nullable and None not in values else values}


def _project(schema: dict[str, Json], fields: Chosen) -> dict[str, Json]:
    """Returns the schema reduced to chosen members: a scalar becomes null, so a member that may
    be scalar is optional."""
    reduced = {key: schema[key] for key in _SURVIVING if key in schema}
    if "type" in schema:
        written_types = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        kinds = list(
            dict.fromkeys(k if k in ("object", "array") else "null" for k in written_types)
        )
        reduced["type"] = kinds[0] if len(kinds) == 1 else kinds
    required = [
        name
        for name in schema.get("required", ())
        if not fields.get(name) or schema["properties"][name].get("type") in ("object", "array")
    ]
    return reduced | ({"required": required} if required else {})
