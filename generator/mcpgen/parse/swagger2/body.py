"""The body of a request: the parameter `in: body`, or all those `in: formData`."""

from __future__ import annotations

from collections.abc import Sequence

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import MediaType, RequestBody, Schema
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import format_value
from mcpgen.parse.scalars import read_flag_key, read_text_key
from mcpgen.parse.swagger2.form import form_body
from mcpgen.parse.swagger2.media_types import JSON
from mcpgen.parse.swagger2.operation_parameters import BODY, FORM, OperationParameter
from mcpgen.parse.swagger2.values import examples_of, parameter_schema


def parse_body(
    scope: ParseContext, listed: Sequence[OperationParameter], consumes: tuple[str, ...]
) -> RequestBody | None:
    """The body that the declared parameters make, or None if they make none.

    `consumes` are the media types that the operation takes.
    """
    whole = [each for each in listed if each.place == BODY]
    fields = [each for each in listed if each.place == FORM]
    if len(whole) + bool(fields) > 1:
        scope.fail(
            codes.SEVERAL_BODIES,
            (whole[1:] or whole)[0].element,
            operation=scope.operation,
            what=", ".join(f"`{format_value(each.name)}`" for each in whole)
            + (" and form fields" if fields else ""),
        )
        return None
    if whole:
        return _whole(scope, whole[0], consumes or (JSON,))
    return form_body(scope, fields, consumes) if fields else None


def _whole(
    scope: ParseContext, parameter: OperationParameter, names: tuple[str, ...]
) -> RequestBody:
    """The body that one schema describes, in every media type that is taken."""
    node = parameter.node
    schema = _schema(scope, parameter)
    examples = examples_of(node)
    return RequestBody(
        required=read_flag_key(scope, node, "required"),
        media=tuple(MediaType(name, schema, node.at, examples=examples) for name in names),
        at=parameter.element.at,
        description=read_text_key(scope, node, "description"),
    )


def _schema(scope: ParseContext, parameter: OperationParameter) -> Schema | None:
    """The schema of a body; None, told, where it has none."""
    node = parameter.node
    if not node.has("schema"):
        if node.has("type"):
            reason = "has its type beside its name; it is read as its `schema`"
            _tell(scope, parameter, reason)
            return parameter_schema(scope, parameter)
        _tell(scope, parameter, "has no `schema`; any value can be sent")
        return None
    found = scope.schema(node.child("schema"))
    announced = read_text_key(scope, node, "x-mcp-name")
    if announced and isinstance(found.json, dict):
        return Schema(found.json | {"x-mcp-name": announced}, found.at)
    return found


def _tell(scope: ParseContext, parameter: OperationParameter, reason: str) -> None:
    scope.tell(
        codes.PARAMETER_WITHOUT_SCHEMA,
        parameter.element,
        place=BODY,
        name=format_value(parameter.name),
        operation=scope.operation,
        reason=reason,
    )
