"""Parses parameters: resolved entries, schemas, array serialization.

https://swagger.io/specification/v2/#parameter-object
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mcpgen.diagnostics import Severity
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import Parameter, Place, Schema, Style
from mcpgen.ir.source import Json
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node, format_value
from mcpgen.parse.parameters import (
    parameter_key,
    parse_parameter_list,
    resolve_parameter,
    with_empty_value,
    with_min_length,
)
from mcpgen.parse.scalars import read_flag_key, read_text_key
from mcpgen.parse.swagger2.media_types import BINARY

BODY = "body"
FORM = "formData"
PLACES = ("path", "query", "header", BODY, FORM)


@dataclass(frozen=True, slots=True)
class OperationParameter:
    """A parameter with references followed: `element` is the list entry, `node` its target."""

    name: str
    place: str
    node: Node
    element: Node


def parse_operation_parameters(
    context: ParseContext, operation: Node, path_item: Node
) -> Sequence[OperationParameter]:
    """Parameters of the path item, then of the operation, each by name and place.

    A body or form of the operation replaces the body of the path item, whatever the names.
    """
    shared = parse_parameter_list(context, path_item, _resolve_parameter)
    own_parameters = parse_parameter_list(context, operation, _resolve_parameter)
    places = {parameter.place for parameter in own_parameters.values()}
    if places & {BODY, FORM}:
        replaced_places = {BODY, FORM} if BODY in places else {BODY}
        shared = {
            key: parameter
            for key, parameter in shared.items()
            if parameter.place not in replaced_places
        }
    return tuple((shared | own_parameters).values())


def _resolve_parameter(context: ParseContext, element: Node) -> OperationParameter | None:
    """A parameter, or None after a finding."""
    node = resolve_parameter(context, element)
    if node is None:
        return None
    if node.get("in") == BODY:
        # The name of a body is only for readers.
        return OperationParameter(read_text_key(context, node, "name") or BODY, BODY, node, element)
    identity = parameter_key(context, node, PLACES)
    return OperationParameter(*identity, node, element) if identity is not None else None


def parse_swagger2_parameters(
    context: ParseContext, parameters: Iterable[OperationParameter]
) -> tuple[Parameter, ...]:
    """Parameters outside the body, in order."""
    parsed = [
        _parse_swagger_parameter(context, parameter)
        for parameter in parameters
        if parameter.place not in (BODY, FORM)
    ]
    return tuple(parameter for parameter in parsed if parameter is not None)


def _parse_swagger_parameter(
    context: ParseContext, parameter: OperationParameter
) -> Parameter | None:
    """A parameter, or None after a finding if no request can carry the value."""
    node, place = parameter.node, Place(parameter.place)
    schema = parameter_schema(context, parameter)
    style = parse_serialization(context, parameter, schema)
    if style is None:
        return None
    required = read_flag_key(context, node, "required")
    if place is Place.PATH and not required:
        context.report(
            codes.OPTIONAL_PATH_PARAMETER,
            parameter.element,
            name=format_value(parameter.name),
            operation=context.operation,
        )
    return Parameter(
        name=parameter.name,
        place=place,
        schema=schema,
        required=required or place is Place.PATH,
        at=parameter.element.at,
        description=read_text_key(context, node, "description"),
        deprecated=read_flag_key(context, node, "deprecated"),
        style=style.style,
        explode=style.explode,
        rows=style.rows,
        examples=read_parameter_examples(node),
        announced=read_text_key(context, node, "x-mcp-name"),
    )


_KEYWORDS = (
    *("type", "format", "items", "default", "enum", "multipleOf", "pattern", "uniqueItems"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    *("minLength", "maxLength", "minItems", "maxItems"),
)
_COLLECTIONS = {"csv": None, "ssv": Style.SPACE, "tsv": Style.TAB, "pipes": Style.PIPE}
"""Collection formats of every place; None is a comma."""
_MULTI = "multi"
_REPEATING = ("query", FORM)
"""Places in which a name may occur several times."""


def parameter_schema(context: ParseContext, parameter: OperationParameter) -> Schema:
    """Schema of a parameter outside the body, or of a form field, from the keywords beside the
    name. Adds UNTYPED_PARAMETER."""
    node = parameter.node
    keywords = {key: node.get(key) for key in _KEYWORDS if node.has(key)}
    if "type" not in keywords and node.has("schema"):
        _report_untyped(context, parameter, "has a `schema`, which only a body has; it counts")
        schema = context.schema(node.child("schema"))
    else:
        if "type" not in keywords:
            keywords["type"] = "array" if "items" in keywords else "string"
            _report_untyped(context, parameter, f"has no type; it is read as `{keywords['type']}`")
        if parameter.place == FORM and keywords["type"] == "file":
            keywords |= BINARY
        if "items" in keywords:
            keywords["items"] = _without_collection_format(keywords["items"])
        schema = context.schema(Node(keywords, node.document, node.path))
    if parameter.place in _REPEATING:
        non_empty = with_min_length(context, node, schema)
        return with_empty_value(context, node, non_empty, parameter.name)
    return schema


@dataclass(frozen=True, slots=True)
class ArraySerialization:
    """Style of a parameter. `rows`: style of arrays inside the array, or None."""

    style: Style
    explode: bool
    rows: Style | None = None


def parse_serialization(
    context: ParseContext, parameter: OperationParameter, schema: Schema
) -> ArraySerialization | None:
    """Style of a parameter; None after NESTED_ARRAY.

    Nested arrays are refused in a form field, beyond two levels, and with one separator for both
    levels.
    """
    repeating = parameter.place in _REPEATING
    plain = Style.FORM if repeating else Style.SIMPLE
    if not _is_array(schema.json):
        return ArraySerialization(plain, repeating)
    outer = _array_serialization(context, parameter, parameter.node, repeating=repeating)
    items = schema.json.get("items")
    if not _is_array(items):
        return outer
    inner = _array_serialization(context, parameter, parameter.node.child("items"), repeating=False)
    is_divided = outer.explode or inner.style != outer.style
    if parameter.place == FORM or _is_array(items.get("items")) or not is_divided:
        _report_nested_array(context, parameter)
        return None
    return replace(outer, rows=inner.style)


def _array_serialization(
    context: ParseContext, parameter: OperationParameter, node: Node, *, repeating: bool
) -> ArraySerialization:
    """Style of an array by its `collectionFormat`. Adds UNKNOWN_STYLE."""
    plain = Style.FORM if parameter.place in _REPEATING else Style.SIMPLE
    collection_format = node.get("collectionFormat")
    if collection_format == _MULTI and repeating:
        return ArraySerialization(plain, True)
    if collection_format is not None and collection_format not in tuple(_COLLECTIONS):
        allowed = [*_COLLECTIONS, *([_MULTI] if repeating else [])]
        context.report(
            codes.UNKNOWN_STYLE,
            node.child("collectionFormat"),
            style=format_value(collection_format),
            place=parameter.place,
            used="csv",
            allowed=", ".join(allowed),
        )
        collection_format = None
    return ArraySerialization(_COLLECTIONS[collection_format or "csv"] or plain, False)


def read_parameter_examples(node: Node) -> tuple[Json, ...]:
    """Examples of a parameter, from the extension `x-example` and from `example`."""
    return tuple(node.get(key) for key in ("x-example", "example") if node.has(key))


def _without_collection_format(items: Json) -> Json:
    """Items of an array without `collectionFormat`, at every level."""
    if not isinstance(items, dict):
        return items
    keywords = {key: value for key, value in items.items() if key != "collectionFormat"}
    return (
        keywords | {"items": _without_collection_format(keywords["items"])}
        if "items" in keywords
        else keywords
    )


def _is_array(json: Json) -> bool:
    return isinstance(json, dict) and json.get("type") == "array"


def _report_untyped(context: ParseContext, parameter: OperationParameter, reason: str) -> None:
    context.report(
        codes.UNTYPED_PARAMETER,
        parameter.element,
        place=parameter.place,
        name=format_value(parameter.name),
        operation=context.operation,
        reason=reason,
    )


def _report_nested_array(context: ParseContext, parameter: OperationParameter) -> None:
    """Reports an array of arrays: an error for a required parameter, otherwise a warning."""
    facts = {
        "place": parameter.place,
        "name": format_value(parameter.name),
        "operation": context.operation,
    }
    if parameter.node.get("required") is True or parameter.place == "path":
        context.fail(codes.NESTED_ARRAY, parameter.element, **facts)
    else:
        context.report(codes.NESTED_ARRAY, parameter.element, severity=Severity.WARNING, **facts)
