"""Parses the request body: one parameter `in: body`, or all parameters `in: formData`."""

from __future__ import annotations

from collections.abc import Sequence

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import MediaType, PropertyEncoding, RequestBody, Schema
from mcpgen.ir.source import Json
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node, format_value
from mcpgen.parse.scalars import read_flag_key, read_text_key
from mcpgen.parse.swagger2.media_types import BINARY, JSON
from mcpgen.parse.swagger2.parameters import (
    BODY,
    FORM,
    OperationParameter,
    parameter_schema,
    parse_serialization,
    read_parameter_examples,
)


def parse_body(
    context: ParseContext, parameters: Sequence[OperationParameter], consumes: tuple[str, ...]
) -> RequestBody | None:
    """Request body of the parameters, or None. `consumes`: media types of the operation. Adds
    SEVERAL_BODIES."""
    bodies = [parameter for parameter in parameters if parameter.place == BODY]
    fields = [parameter for parameter in parameters if parameter.place == FORM]
    if len(bodies) + bool(fields) > 1:
        context.fail(
            codes.SEVERAL_BODIES,
            (bodies[1:] or bodies)[0].element,
            operation=context.operation,
            what=", ".join(f"`{format_value(parameter.name)}`" for parameter in bodies)
            + (" and form fields" if fields else ""),
        )
        return None
    if bodies:
        return _body_of(context, bodies[0], consumes or (JSON,))
    return parse_form_body(context, fields, consumes) if fields else None


def _body_of(
    context: ParseContext, parameter: OperationParameter, names: tuple[str, ...]
) -> RequestBody:
    """Request body of a parameter `in: body`, in every media type."""
    node = parameter.node
    schema = _body_schema(context, parameter)
    examples = read_parameter_examples(node)
    return RequestBody(
        required=read_flag_key(context, node, "required"),
        media=tuple(MediaType(name, schema, node.at, examples=examples) for name in names),
        at=parameter.element.at,
        description=read_text_key(context, node, "description"),
    )


def _body_schema(context: ParseContext, parameter: OperationParameter) -> Schema | None:
    """Schema of a body, or None after PARAMETER_WITHOUT_SCHEMA."""
    node = parameter.node
    if not node.has("schema"):
        if node.has("type"):
            reason = "has its type beside its name; it is read as its `schema`"
            _report_without_schema(context, parameter, reason)
            return parameter_schema(context, parameter)
        _report_without_schema(context, parameter, "has no `schema`; any value can be sent")
        return None
    schema = context.schema(node.child("schema"))
    argument_name = read_text_key(context, node, "x-mcp-name")
    if argument_name and isinstance(schema.json, dict):
        return Schema(schema.json | {"x-mcp-name": argument_name}, schema.at)
    return schema


def _report_without_schema(
    context: ParseContext, parameter: OperationParameter, reason: str
) -> None:
    context.report(
        codes.PARAMETER_WITHOUT_SCHEMA,
        parameter.element,
        place=BODY,
        name=format_value(parameter.name),
        operation=context.operation,
        reason=reason,
    )


_URLENCODED = "application/x-www-form-urlencoded"
_MULTIPART = "multipart/form-data"


def parse_form_body(
    context: ParseContext, fields: Sequence[OperationParameter], consumes: tuple[str, ...]
) -> RequestBody:
    """Request body of at least one form field, with a closed object schema."""
    properties: dict[str, Json] = {}
    encodings: list[PropertyEncoding] = []
    required: list[str] = []
    for field in fields:
        schema = parameter_schema(context, field)
        style = parse_serialization(context, field, schema)
        if style is None:
            continue
        properties[field.name] = _with_texts(context, field.node, schema.json)
        if read_flag_key(context, field.node, "required"):
            required.append(field.name)
        if _type_of_schema(schema.json) == "array":
            encodings.append(
                PropertyEncoding(
                    field.name, "", style.style, style.explode, False, field.element.at
                )
            )
    at = fields[0].element.at
    schema = Schema(
        {"type": "object", "properties": properties, "additionalProperties": False}
        | ({"required": required} if required else {}),
        at,
    )
    files = [name for name, field_schema in properties.items() if _has_file(field_schema)]
    media = tuple(
        MediaType(name, schema, at, encodings=tuple(encodings))
        for name in _form_media_types(context, fields[0].element, consumes, files)
    )
    return RequestBody(bool(required), media, at)


def _with_texts(context: ParseContext, node: Node, json: Json) -> Json:
    """Schema of a field with description, argument name and examples of the parameter."""
    if not isinstance(json, dict):
        return json
    texts = {key: read_text_key(context, node, key) for key in ("description", "x-mcp-name")}
    examples = (
        {"examples": list(read_parameter_examples(node))} if read_parameter_examples(node) else {}
    )
    return json | {key: text for key, text in texts.items() if text} | examples


def _form_media_types(
    context: ParseContext, at: Node, consumes: tuple[str, ...], files: Sequence[str]
) -> tuple[str, ...]:
    """Media types of `consumes` that can carry the form, or the default after UNFIT_FORM."""
    forms = [name for name in consumes if _is_form(name)]
    usable_forms = [name for name in forms if name.lower().startswith("multipart/") or not files]
    if usable_forms:
        return tuple(usable_forms)
    fallback = _MULTIPART if files else _URLENCODED
    reason = "no `consumes` of its operation names the media type of a form"
    if files and forms:
        reason = f"only `{_MULTIPART}` can carry the file `{format_value(files[0])}`"
    context.report(codes.UNFIT_FORM, at, operation=context.operation, used=fallback, reason=reason)
    return (fallback,)


def _is_form(name: str) -> bool:
    essence = name.partition(";")[0].strip().lower()
    return essence == _URLENCODED or essence.startswith("multipart/")


def _has_file(json: Json) -> bool:
    """True for a field with a file or an array of files."""
    schema = json.get("items") if _type_of_schema(json) == "array" else json
    return isinstance(schema, dict) and BINARY.items() <= schema.items()


def _type_of_schema(json: Json) -> Json:
    return json.get("type") if isinstance(json, dict) else None
