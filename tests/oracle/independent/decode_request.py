"""Reads styles, forms and empty values for openapi-core.

openapi-core finds the operation, resolves references and validates; the classes here replace its
readers of styles and forms, and follow the specification without code of mcpgen. `deviations.md` lists
the differences.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import documents_of_xml
from decode_values import Valid, cast, index_keys_to_list, members, types
from jsonschema_path import SchemaPath
from openapi_core.deserializing.exceptions import DeserializeError
from openapi_core.deserializing.media_types import deserializers as media
from openapi_core.deserializing.styles import factories, util
from openapi_core.deserializing.styles.exceptions import EmptyQueryParameterValue
from openapi_core.validation.request import validators as of_requests
from openapi_core.validation.request.exceptions import (
    MissingRequestBody,
    MissingRequiredRequestBody,
)
from openapi_core.validation.validators import BaseValidator

BYTES = ("binary", "base64")
WAS_OLD: list[bool] = []
"""Holds something if the document at hand was written in Swagger 2.0."""

LINES = ("application/x-ndjson", "application/jsonl", "application/json-seq")
"""Sequences of JSON texts; the last puts a record separator before each."""


def deep(name: str, location: Mapping[str, Any]) -> Any:
    """The tree of `name[key]=text` pairs, to any depth; `name[]=text` is an array. A name without
    brackets is kept, since `deepObject` defines nothing for scalars."""
    tree: dict[str, Any] = {}
    for key in location:
        if key.startswith(f"{name}["):
            steps = re.findall(r"\[([^\]]*)\]", key[len(name) :])
            texts = location.getlist(key) if hasattr(location, "getlist") else [location[key]]
            inner = tree
            for step in steps[:-1]:
                inner = inner.setdefault(step, {})
            inner[steps[-1]] = texts
    return index_keys_to_list(tree) if tree else location[name]


class StyleReader:
    """Reads one parameter, or one field of a form, in a style."""

    def __init__(
        self, schema: SchemaPath, style: str, explode: bool, name: str, valid: Valid
    ) -> None:
        self.schema, self.style, self.explode, self.name = schema, style, explode, name
        self.valid = valid
        self.kinds = types(schema)

    def deserialize(self, location: Mapping[str, Any]) -> Any:
        """The value of a place. Raises KeyError for an absent value."""
        try:
            raw = self._raw(location)
        except (ValueError, TypeError, AttributeError, IndexError) as fault:
            raise DeserializeError(self.style, self.name) from fault
        return cast(self.schema, raw, self.valid)

    def _raw(self, location: Mapping[str, Any]) -> Any:
        if self.style == "deepObject":
            return deep(self.name, location)
        if self.style == "form" and self.explode and self._is("object"):
            return self._spread(location)
        if self.style == "matrix" and location.get(f";{self.name}") == f";{self.name}":
            return ""
        if self.style == "simple" and self.explode and self._is("object"):
            pairs = [pair.partition("=") for pair in location[self.name].split(",")]
            if not all(separator for _, separator, _ in pairs):
                raise ValueError("no `name=value`")
            return {unquote(key): text for key, _, text in pairs}
        loads = LOADS[self.style]
        return loads(self.explode, self.name, self._kind(location), location)

    def _spread(self, location: Mapping[str, Any]) -> Any:
        """Members that are written into the place under their own names (exploded objects)."""
        properties = members(self.schema)
        result = {}
        for name in properties:
            if name in location:
                is_list = any("array" in types(item) for item in properties[name])
                result[name] = location.getlist(name) if is_list else location[name]
        if not result:
            raise KeyError(self.name)
        return result

    def _is(self, kind: str) -> bool:
        return bool(self.kinds) and self.kinds <= {kind, "null"}

    def _kind(self, location: Mapping[str, Any]) -> str:
        """The type that selects the reading: `array`, `object` or `string`. Several types with `array`
        are read as `string` for a name that occurs once."""
        if "array" not in self.kinds:
            return "object" if self._is("object") else "string"
        if self._is("array") or not hasattr(location, "getlist") or not self.explode:
            return "array"
        return "array" if len(location.getlist(self.name)) > 1 else "string"


LOADS: dict[str, Callable[..., Any]] = {
    "matrix": util.matrix_loads,
    "label": util.label_loads,
    "form": util.form_loads,
    "simple": util.simple_loads,
    "spaceDelimited": lambda explode, name, kind, location: util.delimited_loads(
        explode, name, kind, location, delimiter=" "
    ),
    "pipeDelimited": util.pipe_delimited_loads,
}


class FormReader(media.MediaTypeDeserializer):
    """Reads a body; the parts of a form by content type or style."""

    def deserialize(self, value: bytes) -> Any:
        """The value of a body."""
        if self.mimetype in LINES:
            texts = re.split(rb"[\n\x1e]+", value)
            return [json.loads(text) for text in texts if text]
        is_form = self.mimetype == "application/x-www-form-urlencoded"
        if is_form and self.schema is not None and types(self.schema) == {"string"}:
            return value.decode()
        if "*" in self.mimetype and self.schema is not None and types(self.schema) != {"string"}:
            return self._json(value)
        is_xml = self.mimetype.endswith(("/xml", "+xml"))
        if is_xml and self.schema is not None and self.schema_validator is not None:
            return self._xml(self.schema, value)
        return super().deserialize(value)

    def _json(self, content: bytes) -> Any:
        try:
            return json.loads(content)
        except ValueError as fault:
            raise media.MediaTypeDeserializeError(self.mimetype, content) from fault

    def _xml(self, schema: SchemaPath, content: bytes) -> Any:
        try:
            root = ElementTree.fromstring(content)
            if types(schema) <= {"string"}:
                return content.decode()
            return documents_of_xml.value(schema, root, self._valid)
        except (ElementTree.ParseError, ValueError) as fault:
            raise media.MediaTypeDeserializeError(self.mimetype, content) from fault

    def decode(self, location: Mapping[str, Any], schema_only: bool = False) -> Mapping[str, Any]:
        """The object of a form's fields."""
        result: dict[str, Any] = {}
        for name, schemas in members(self.schema).items():
            values = []
            for schema in schemas:
                try:
                    values.append((schema, self.decode_property(name, schema, location)))
                except KeyError:
                    continue
            if values:
                fitting = (value for schema, value in values if self._valid(schema, value))
                result[name] = next(fitting, values[0][1])
        return result

    def decode_property(self, name: str, schema: SchemaPath, location: Mapping[str, Any]) -> Any:
        """The value of a field. Raises KeyError for an absent field."""
        encoding = self.encoding / name if self.encoding and name in self.encoding else None
        if encoding and any(key in encoding for key in ("style", "explode", "allowReserved")):
            return self.decode_property_style(name, schema, texts(location), encoding)
        if self.mimetype.startswith("multipart/"):
            return self._part(name, schema, location)
        style = SchemaPath.from_dict({"style": "form"})
        if types(schema) <= {"object", "null"} and name in location:
            return cast(schema, json.loads(location[name]), self._valid)
        return self.decode_property_style(name, schema, location, style)

    def decode_property_style(
        self, name: str, schema: SchemaPath, location: Mapping[str, Any], encoding: SchemaPath
    ) -> Any:
        """The value of a field with a style."""
        style, explode = media.get_style_and_explode(encoding, default_location="query")
        return StyleReader(schema, style, explode, name, self._valid).deserialize(location)

    def _part(self, name: str, schema: SchemaPath, location: Mapping[str, Any]) -> Any:
        if name not in location:
            raise KeyError(name)
        if "array" in types(schema) and "items" in schema:
            return [self._value(schema / "items", item) for item in location.getlist(name)]
        return self._value(schema, location[name])

    def _value(self, schema: SchemaPath, content: bytes) -> Any:
        """The value of a part: a string with one character per byte, or an object from JSON."""
        is_bytes = (schema / "format").read_str("") in BYTES or "contentMediaType" in schema
        if is_bytes or not types(schema):
            return content.decode("latin-1")
        text = content.decode("utf-8", errors="surrogateescape")
        return cast(schema, text, self._valid)

    def _valid(self, schema: SchemaPath, value: Any) -> bool:
        return is_valid(self.schema_validator, schema, value)


def texts(location: Any) -> Any:
    """A form with text parts only."""
    pairs = [
        (key, value.decode() if isinstance(value, bytes) else value)
        for key, value in location.items(multi=True)
    ]
    return type(location)(pairs)


def is_valid(validator: Any, schema: SchemaPath, value: Any) -> bool:
    """True if openapi-core accepts a value."""
    try:
        validator.evolve(schema).validate(value)
    except Exception:  # noqa: BLE001 - whatever it is, the value is not found right
        return False
    return True


def _create(self: Any, spec: Any, schema: Any, style: str, explode: bool, name: str) -> Any:
    validator = self.schema_casters_factory.create(spec, schema).schema_validator
    return StyleReader(
        schema, style, explode, name, lambda part, value: is_valid(validator, part, value)
    )


def _simple(self: Any, parameter: Any, location: Any, name: str | None = None) -> Any:
    """As openapi-core reads it, but for an empty text in the query, which is a value unless the
    document was of Swagger 2.0."""
    value = self._deserialise_style(parameter, location, name=name)
    may_be_empty = not WAS_OLD or (parameter / "allowEmptyValue").read_bool(default=False)
    if value == "" and (parameter / "in").read_str("header") == "query" and not may_be_empty:
        raise EmptyQueryParameterValue((parameter / "name").read_str())
    return value, parameter / "schema"


def _body(self: Any, body: bytes | None, request_body: Any) -> bytes:
    """The body; one of no bytes is a body if a content type came with it."""
    if body is not None:
        return body
    is_required = (request_body / "required").read_bool(default=False)
    raise MissingRequiredRequestBody if is_required else MissingRequestBody


def install() -> None:
    """Replaces the readers of openapi-core."""
    factories.StyleDeserializersFactory.create = _create
    BaseValidator._get_simple_param_or_header = _simple
    of_requests.BaseRequestValidator._get_body_value = _body
    from openapi_core.deserializing.media_types import factories as of_media

    of_media.MediaTypeDeserializer = FormReader
