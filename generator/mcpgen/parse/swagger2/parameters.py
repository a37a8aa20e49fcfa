"""Parameters in path, query and headers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mcpgen.diagnostics import Severity
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import Parameter, Place, Schema, Style
from mcpgen.ir.source import Json
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node, format_value
from mcpgen.parse.parameter_list import (
    never_empty,
    parameter_key,
    parse_parameter_list,
    resolve_parameter,
    with_empty_value,
)
from mcpgen.parse.scalars import read_flag_key, read_text_key
from mcpgen.parse.swagger2.media_types import BINARY

BODY = "body"
FORM = "formData"
PLACES = ("path", "query", "header", BODY, FORM)


@dataclass(frozen=True, slots=True)
class OperationParameter:
    """A parameter as it was found: `element` is where it is listed, `node` what that means."""

    name: str
    place: str
    node: Node
    element: Node


def operation_parameters(
    scope: ParseContext, operation: Node, path_item: Node
) -> Sequence[OperationParameter]:
    """The operation's parameters and those of its path item that it has not itself, the latter
    first. A body of the operation replaces any of the path item, whatever its name."""
    shared = parse_parameter_list(scope, path_item, _read)
    own = parse_parameter_list(scope, operation, _read)
    places = {each.place for each in own.values()}
    if places & {BODY, FORM}:
        unwanted = {BODY, FORM} if BODY in places else {BODY}
        shared = {key: each for key, each in shared.items() if each.place not in unwanted}
    return tuple((shared | own).values())


def _read(scope: ParseContext, element: Node) -> OperationParameter | None:
    """One parameter; None, told, where it is none."""
    node = resolve_parameter(scope, element)
    if node is None:
        return None
    if node.get("in") == BODY:
        # The name of a body is only for readers.
        return OperationParameter(read_text_key(scope, node, "name") or BODY, BODY, node, element)
    identity = parameter_key(scope, node, PLACES)
    return OperationParameter(*identity, node, element) if identity is not None else None


def parse_swagger2_parameters(
    scope: ParseContext, listed: Iterable[OperationParameter]
) -> tuple[Parameter, ...]:
    """Those of the declared parameters that are outside the body, in order."""
    found = [_parameter(scope, each) for each in listed if each.place not in (BODY, FORM)]
    return tuple(each for each in found if each is not None)


def _parameter(scope: ParseContext, declared: OperationParameter) -> Parameter | None:
    """One parameter; None, told, where it cannot be written into a request."""
    node, place = declared.node, Place(declared.place)
    schema = parameter_schema(scope, declared)
    style = writing(scope, declared, schema)
    if style is None:
        return None
    required = read_flag_key(scope, node, "required")
    if place is Place.PATH and not required:
        scope.tell(
            codes.OPTIONAL_PATH_PARAMETER,
            declared.element,
            name=format_value(declared.name),
            operation=scope.operation,
        )
    return Parameter(
        name=declared.name,
        place=place,
        schema=schema,
        required=required or place is Place.PATH,
        at=declared.element.at,
        description=read_text_key(scope, node, "description"),
        deprecated=read_flag_key(scope, node, "deprecated"),
        style=style.style,
        explode=style.explode,
        rows=style.rows,
        examples=examples_of(node),
        announced=read_text_key(scope, node, "x-mcp-name"),
    )


_KEYWORDS = (
    *("type", "format", "items", "default", "enum", "multipleOf", "pattern", "uniqueItems"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    *("minLength", "maxLength", "minItems", "maxItems"),
)
_COLLECTIONS = {"csv": None, "ssv": Style.SPACE, "tsv": Style.TAB, "pipes": Style.PIPE}
"""The collection formats of every place; None is a comma, whatever the place."""
_MULTI = "multi"
_REPEATING = ("query", FORM)
"""The places where a name may stand several times."""


def parameter_schema(scope: ParseContext, parameter: OperationParameter) -> Schema:
    """The schema of a parameter outside the body, or of a field of a form."""
    node = parameter.node
    written = {key: node.get(key) for key in _KEYWORDS if node.has(key)}
    if "type" not in written and node.has("schema"):
        _tell_untyped(scope, parameter, "has a `schema`, which only a body has; it counts")
        found = scope.schema(node.child("schema"))
    else:
        if "type" not in written:
            written["type"] = "array" if "items" in written else "string"
            _tell_untyped(scope, parameter, f"has no type; it is read as `{written['type']}`")
        if parameter.place == FORM and written["type"] == "file":
            written |= BINARY
        if "items" in written:
            written["items"] = _bare(written["items"])
        found = scope.schema(Node(written, node.document, node.path))
    if parameter.place in _REPEATING:
        filled = never_empty(scope, node, found)
        return with_empty_value(scope, node, filled, parameter.name)
    return found


@dataclass(frozen=True, slots=True)
class Writing:
    """How a parameter is written. `rows` is the style of the arrays inside an array, None if it holds
    none."""

    style: Style
    explode: bool
    rows: Style | None = None


def writing(scope: ParseContext, parameter: OperationParameter, schema: Schema) -> Writing | None:
    """How a parameter is written; None, told, where no request can be written so: arrays in a field
    of a form, in more than two levels, or with one separator for both levels."""
    repeating = parameter.place in _REPEATING
    plain = Style.FORM if repeating else Style.SIMPLE
    if not _is(schema.json, "array"):
        return Writing(plain, repeating)
    outer = _written(scope, parameter, parameter.node, repeating=repeating)
    items = schema.json.get("items")
    if not _is(items, "array"):
        return outer
    inner = _written(scope, parameter, parameter.node.child("items"), repeating=False)
    is_divided = outer.explode or inner.style != outer.style
    if parameter.place == FORM or _is(items.get("items"), "array") or not is_divided:
        _refuse_nested(scope, parameter)
        return None
    return replace(outer, rows=inner.style)


def _written(
    scope: ParseContext, parameter: OperationParameter, node: Node, *, repeating: bool
) -> Writing:
    """How an array is written by its `collectionFormat`."""
    plain = Style.FORM if parameter.place in _REPEATING else Style.SIMPLE
    written = node.get("collectionFormat")
    if written == _MULTI and repeating:
        return Writing(plain, True)
    if written is not None and written not in tuple(_COLLECTIONS):
        allowed = [*_COLLECTIONS, *([_MULTI] if repeating else [])]
        scope.tell(
            codes.UNKNOWN_STYLE,
            node.child("collectionFormat"),
            style=format_value(written),
            place=parameter.place,
            used="csv",
            allowed=", ".join(allowed),
        )
        written = None
    return Writing(_COLLECTIONS[written or "csv"] or plain, False)


def examples_of(node: Node) -> tuple[Json, ...]:
    """The examples of a parameter; Swagger 2.0 has none but by extension."""
    return tuple(node.get(key) for key in ("x-example", "example") if node.has(key))


def _bare(items: Json) -> Json:
    """The items of an array without what says how they are written."""
    if not isinstance(items, dict):
        return items
    kept = {key: each for key, each in items.items() if key != "collectionFormat"}
    return kept | {"items": _bare(kept["items"])} if "items" in kept else kept


def _is(json: Json, kind: str) -> bool:
    return isinstance(json, dict) and json.get("type") == kind


def _tell_untyped(scope: ParseContext, parameter: OperationParameter, reason: str) -> None:
    scope.tell(
        codes.UNTYPED_PARAMETER,
        parameter.element,
        place=parameter.place,
        name=format_value(parameter.name),
        operation=scope.operation,
        reason=reason,
    )


def _refuse_nested(scope: ParseContext, parameter: OperationParameter) -> None:
    """Tells an array of arrays: an error if the operation cannot be called without it."""
    facts = {
        "place": parameter.place,
        "name": format_value(parameter.name),
        "operation": scope.operation,
    }
    if parameter.node.get("required") is True or parameter.place == "path":
        scope.fail(codes.NESTED_ARRAY, parameter.element, **facts)
    else:
        scope.tell(codes.NESTED_ARRAY, parameter.element, severity=Severity.WARNING, **facts)
