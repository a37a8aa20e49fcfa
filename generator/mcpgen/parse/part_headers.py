"""The `headers` of an Encoding Object: what may stand at the head of a part;
https://spec.openapis.org/oas/v3.1.1.html#encoding-object."""

from __future__ import annotations

import re

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import Parameter, Place, Schema, Style
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node, format_value
from mcpgen.parse.scalars import mapping, read_flag_key, read_text_key

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_FRAMING = frozenset({"content-type", "content-disposition"})
"""Headers of a part that follow from the rest of its description."""


def part_headers(scope: ParseContext, node: Node) -> tuple[Parameter, ...]:
    """The headers of one part, in document order."""
    listed = mapping(scope, node, "headers")
    found = []
    for name, element in listed.members() if listed is not None else ():
        described = scope.follow(element)
        if described is None or name.lower() in _FRAMING:
            continue
        if not isinstance(described.value, dict) or not _TOKEN.fullmatch(name):
            scope.ignored(element, format_value(name), "a header")
            continue
        found.append(_header(scope, name, element, described))
    return tuple(found)


def _header(scope: ParseContext, name: str, element: Node, node: Node) -> Parameter:
    schema = Schema({"type": "string"}, node.at)
    if node.has("schema"):
        schema = scope.schema(node.child("schema"))
    elif node.has("content"):
        scope.tell(
            codes.PARAMETER_WITHOUT_SCHEMA,
            element,
            place="header",
            name=name,
            operation=scope.operation,
            reason="has `content`, which the head of a part cannot follow; it is read as a string",
        )
    return Parameter(
        name=name,
        place=Place.HEADER,
        schema=schema,
        required=read_flag_key(scope, node, "required"),
        at=element.at,
        description=read_text_key(scope, node, "description"),
        deprecated=read_flag_key(scope, node, "deprecated"),
        style=Style.SIMPLE,
        explode=read_flag_key(scope, node, "explode"),
        announced=read_text_key(scope, node, "x-mcp-name"),
    )
