"""Forms: the parameters `in: formData`, which together are one body."""

from __future__ import annotations

from collections.abc import Sequence

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import MediaType, PropertyEncoding, RequestBody, Schema
from mcpgen.ir.source import Json
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node, format_value
from mcpgen.parse.scalars import read_flag_key, read_text_key
from mcpgen.parse.swagger2.media_types import BINARY
from mcpgen.parse.swagger2.operation_parameters import OperationParameter
from mcpgen.parse.swagger2.values import examples_of, parameter_schema, writing

_URLENCODED = "application/x-www-form-urlencoded"
_MULTIPART = "multipart/form-data"


def form_body(
    scope: ParseContext, fields: Sequence[OperationParameter], consumes: tuple[str, ...]
) -> RequestBody:
    """The body of a form with these fields, at least one. It is closed: it holds nothing else."""
    properties: dict[str, Json] = {}
    encodings: list[PropertyEncoding] = []
    required: list[str] = []
    for field in fields:
        schema = parameter_schema(scope, field)
        style = writing(scope, field, schema)
        if style is None:
            continue
        properties[field.name] = _described(scope, field.node, schema.json)
        if read_flag_key(scope, field.node, "required"):
            required.append(field.name)
        if _type(schema.json) == "array":
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
    files = [name for name, each in properties.items() if _has_file(each)]
    media = tuple(
        MediaType(name, schema, at, encodings=tuple(encodings))
        for name in _names(scope, fields[0].element, consumes, files)
    )
    return RequestBody(bool(required), media, at)


def _described(scope: ParseContext, node: Node, json: Json) -> Json:
    """The schema of a field with the texts that stand beside it."""
    if not isinstance(json, dict):
        return json
    texts = {key: read_text_key(scope, node, key) for key in ("description", "x-mcp-name")}
    examples = {"examples": list(examples_of(node))} if examples_of(node) else {}
    return json | {key: each for key, each in texts.items() if each} | examples


def _names(
    scope: ParseContext, at: Node, consumes: tuple[str, ...], files: Sequence[str]
) -> tuple[str, ...]:
    """The media types a form is sent in: of those the operation takes the ones that can carry it,
    or the usual one, told."""
    forms = [name for name in consumes if _is_form(name)]
    usable = [name for name in forms if name.lower().startswith("multipart/") or not files]
    if usable:
        return tuple(usable)
    used = _MULTIPART if files else _URLENCODED
    reason = "no `consumes` of its operation names the media type of a form"
    if files and forms:
        reason = f"only `{_MULTIPART}` can carry the file `{format_value(files[0])}`"
    scope.tell(codes.UNFIT_FORM, at, operation=scope.operation, used=used, reason=reason)
    return (used,)


def _is_form(name: str) -> bool:
    essence = name.partition(";")[0].strip().lower()
    return essence == _URLENCODED or essence.startswith("multipart/")


def _has_file(json: Json) -> bool:
    """Whether a field holds a file, or several."""
    held = json.get("items") if _type(json) == "array" else json
    return isinstance(held, dict) and BINARY.items() <= held.items()


def _type(json: Json) -> Json:
    return json.get("type") if isinstance(json, dict) else None
