"""Parses `consumes`, `produces` and the media types of responses; reports fields of OpenAPI 3."""

from __future__ import annotations

from dataclasses import replace

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import MediaType, Schema
from mcpgen.parse.context import ParseContext
from mcpgen.parse.media import is_media_type
from mcpgen.parse.node import Node, format_value
from mcpgen.parse.scalars import read_mapping_key, read_texts_key

_FOREIGN = {
    "document": {
        "servers": "`host`, `basePath` and `schemes`",
        "components": "`definitions`, `parameters`, `responses` and `securityDefinitions`",
    },
    "operation": {
        "requestBody": "a parameter with `in: body`, or several with `in: formData`",
        "servers": "`schemes`",
    },
    "response": {"content": "`schema` and `produces`"},
}
"""OpenAPI 3 fields by object, with the equivalents in Swagger 2.0."""


def report_foreign_fields(context: ParseContext, node: Node, kind: str) -> None:
    """Warns of ignored OpenAPI 3 fields of a node; `kind` is a key of `_FOREIGN`. Adds
    FOREIGN_FIELD."""
    for key, instead in _FOREIGN[kind].items():
        if node.has(key):
            context.report(codes.FOREIGN_FIELD, node.child(key), field=key, instead=instead)


JSON = "application/json"
BYTES = "application/octet-stream"
BINARY = {"type": "string", "format": "binary"}
"""Schema of a file."""


def read_media_types(context: ParseContext, node: Node, key: str) -> tuple[str, ...]:
    """Distinct media types of a list, in order. Adds IGNORED_MEDIA_TYPE."""
    names: dict[str, None] = {}
    for name in read_texts_key(context, node, key):
        if is_media_type(name):
            names[name] = None
        else:
            context.report(codes.IGNORED_MEDIA_TYPE, node.child(key), name=format_value(name))
    return tuple(names)


def parse_response_media(
    produces: tuple[str, ...], context: ParseContext, response: Node
) -> tuple[MediaType, ...]:
    """Media types of a response: the schema in every type of `produces`.

    https://swagger.io/specification/v2/#response-object
    """
    report_foreign_fields(context, response, "response")
    examples = _examples(context, response)
    schema = _response_schema(context, response)
    names = produces if schema is not None else tuple(examples)
    if schema is not None and not names:
        names = (BYTES if schema.json == BINARY else JSON,)
    for name in examples:
        if name not in names:
            name_node = replace(examples[name], value=name)
            context.report_ignored(
                name_node,
                "examples",
                "a media type of `produces`",
                what="a key of `examples`",
                outcome="the example is ignored",
            )
    return tuple(
        MediaType(name, schema, response.at, examples=_example_of(examples, name)) for name in names
    )


def _response_schema(context: ParseContext, response: Node) -> Schema | None:
    """Schema of a response; a binary string for `type: file`, None without content."""
    schema = response.child("schema")
    if schema.value is None:
        return None
    if schema.get("type") == "file":
        return Schema(dict(BINARY), schema.at)
    return context.schema(schema)


def _examples(context: ParseContext, response: Node) -> dict[str, Node]:
    """Examples by media type; https://swagger.io/specification/v2/#example-object."""
    examples = read_mapping_key(context, response, "examples")
    members = examples.members() if examples is not None else ()
    return {name: example for name, example in members if is_media_type(name)}


def _example_of(examples: dict[str, Node], name: str) -> tuple[object, ...]:
    return (examples[name].value,) if name in examples else ()
