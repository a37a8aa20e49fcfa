"""Parameters that are a whole query string; https://spec.openapis.org/oas/v3.2.0.html#parameter-object."""

from __future__ import annotations

from mcpgen.ir.api import Parameter, Place, Schema, Style
from mcpgen.parse.context import ParseContext
from mcpgen.parse.media import media_types
from mcpgen.parse.node import Node
from mcpgen.parse.scalars import example_values, read_flag_key, read_text_key

_FORM = "application/x-www-form-urlencoded"


def query_string(scope: ParseContext, node: Node, element: Node) -> Parameter | None:
    """The parameter of a query string: of one that is a form, which is the same as an exploded
    object, or of one in another media type, which stands there without a name.

    None, told, where it has no media type.
    """
    media = media_types(scope, node)
    if not media:
        scope.malformed(node.child("content"), "`content` of a querystring", "a media type")
        return None
    is_form = media[0].name.partition(";")[0].strip().lower() == _FORM
    return Parameter(
        name=read_text_key(scope, node, "name") or "query",
        place=Place.QUERY,
        schema=media[0].schema or Schema({"type": "object"} if is_form else True, media[0].at),
        style=Style.FORM if is_form else Style.WHOLE,
        content="" if is_form else media[0].name,
        required=read_flag_key(scope, node, "required"),
        at=element.at,
        description=read_text_key(scope, node, "description"),
        deprecated=read_flag_key(scope, node, "deprecated"),
        examples=(*example_values(scope, node), *media[0].examples),
        announced=read_text_key(scope, node, "x-mcp-name"),
    )
