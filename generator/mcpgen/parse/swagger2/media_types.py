"""Media types as `consumes` and `produces` list them, and the representations of a response."""

from __future__ import annotations

from dataclasses import replace

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import MediaType, Schema
from mcpgen.parse.context import ParseContext
from mcpgen.parse.media import is_media_type
from mcpgen.parse.node import Node, format_value
from mcpgen.parse.scalars import mapping, read_texts_key

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
"""By object: the fields that belong to OpenAPI 3, and what says the same here."""


def report_foreign_fields(context: ParseContext, node: Node, kind: str) -> None:
    """Warns of the fields of a node that are ignored because they belong to OpenAPI 3."""
    for key, instead in _FOREIGN[kind].items():
        if node.has(key):
            context.report(codes.FOREIGN_FIELD, node.child(key), field=key, instead=instead)


JSON = "application/json"
BYTES = "application/octet-stream"
BINARY = {"type": "string", "format": "binary"}
"""The schema of a file."""


def media_names(context: ParseContext, node: Node, key: str) -> tuple[str, ...]:
    """The media types that a list names, in order, each once."""
    names: dict[str, None] = {}
    for name in read_texts_key(context, node, key):
        if is_media_type(name):
            names[name] = None
        else:
            context.report(codes.IGNORED_MEDIA_TYPE, node.child(key), name=format_value(name))
    return tuple(names)


def response_media(
    produces: tuple[str, ...], context: ParseContext, response: Node
) -> tuple[MediaType, ...]:
    """The representations of a response: its schema in every media type that is produced.

    https://swagger.io/specification/v2/#response-object
    """
    report_foreign_fields(context, response, "response")
    examples = _examples(context, response)
    schema = _schema(context, response)
    names = produces if schema is not None else tuple(examples)
    if schema is not None and not names:
        names = (BYTES if schema.json == BINARY else JSON,)
    for name in examples:
        if name not in names:
            name_node = replace(examples[name], value=name)
            context.ignored(name_node, "the media type of an example", "one that is produced")
    return tuple(
        MediaType(name, schema, response.at, examples=_example_of(examples, name)) for name in names
    )


def _schema(context: ParseContext, response: Node) -> Schema | None:
    """The schema of a response; a file is bytes in a string, None is no content."""
    schema = response.child("schema")
    if schema.value is None:
        return None
    if schema.get("type") == "file":
        return Schema(dict(BINARY), schema.at)
    return context.schema(schema)


def _examples(context: ParseContext, response: Node) -> dict[str, Node]:
    """The example of each media type; https://swagger.io/specification/v2/#example-object."""
    examples = mapping(context, response, "examples")
    members = examples.members() if examples is not None else ()
    return {name: example for name, example in members if is_media_type(name)}


def _example_of(examples: dict[str, Node], name: str) -> tuple[object, ...]:
    return (examples[name].value,) if name in examples else ()
