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


def report_foreign_fields(scope: ParseContext, node: Node, kind: str) -> None:
    """Warns of the fields of a node that are ignored because they belong to OpenAPI 3."""
    for key, instead in _FOREIGN[kind].items():
        if node.has(key):
            scope.tell(codes.FOREIGN_FIELD, node.child(key), field=key, instead=instead)


JSON = "application/json"
BYTES = "application/octet-stream"
BINARY = {"type": "string", "format": "binary"}
"""The schema of a file."""


def media_names(scope: ParseContext, node: Node, key: str) -> tuple[str, ...]:
    """The media types that a list names, in order, each once."""
    found: dict[str, None] = {}
    for name in read_texts_key(scope, node, key):
        if is_media_type(name):
            found[name] = None
        else:
            scope.tell(codes.IGNORED_MEDIA_TYPE, node.child(key), name=format_value(name))
    return tuple(found)


def response_media(
    produces: tuple[str, ...], scope: ParseContext, response: Node
) -> tuple[MediaType, ...]:
    """The representations of a response: its schema in every media type that is produced.

    https://swagger.io/specification/v2/#response-object
    """
    report_foreign_fields(scope, response, "response")
    examples = _examples(scope, response)
    schema = _schema(scope, response)
    names = produces if schema is not None else tuple(examples)
    if schema is not None and not names:
        names = (BYTES if schema.json == BINARY else JSON,)
    for name in examples:
        if name not in names:
            written = replace(examples[name], value=name)
            scope.ignored(written, "the media type of an example", "one that is produced")
    return tuple(
        MediaType(name, schema, response.at, examples=_of(examples, name)) for name in names
    )


def _schema(scope: ParseContext, response: Node) -> Schema | None:
    """The schema of a response; a file is bytes in a string, None is no content."""
    written = response.child("schema")
    if written.value is None:
        return None
    if written.get("type") == "file":
        return Schema(dict(BINARY), written.at)
    return scope.schema(written)


def _examples(scope: ParseContext, response: Node) -> dict[str, Node]:
    """The example of each media type; https://swagger.io/specification/v2/#example-object."""
    listed = mapping(scope, response, "examples")
    members = listed.members() if listed is not None else ()
    return {name: each for name, each in members if is_media_type(name)}


def _of(examples: dict[str, Node], name: str) -> tuple[object, ...]:
    return (examples[name].value,) if name in examples else ()
