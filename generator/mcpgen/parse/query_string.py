"""Parameters that are a whole query string; https://spec.openapis.org/oas/v3.2.0.html#parameter-object."""

from __future__ import annotations

from mcpgen.ir.api import Parameter, Place, Schema
from mcpgen.parse.media import media_types
from mcpgen.parse.node import Node
from mcpgen.parse.scope import Scope
from mcpgen.parse.values import examples, flag, text

_FORM = "application/x-www-form-urlencoded"


def query_string(scope: Scope, node: Node, element: Node) -> Parameter | None:
    """The parameter of a query string that is a form, which is the same as an exploded object;
    None, told, for every other media type."""
    media = media_types(scope, node)
    if not media or media[0].name != _FORM:
        scope.malformed(node.child("content"), "`content` of a querystring", f"a `{_FORM}`")
        return None
    return Parameter(
        name=text(scope, node, "name") or "query",
        place=Place.QUERY,
        schema=media[0].schema or Schema({"type": "object"}, media[0].at),
        required=flag(scope, node, "required"),
        at=element.at,
        description=text(scope, node, "description"),
        deprecated=flag(scope, node, "deprecated"),
        examples=(*examples(scope, node), *media[0].examples),
        announced=text(scope, node, "x-mcp-name"),
    )
