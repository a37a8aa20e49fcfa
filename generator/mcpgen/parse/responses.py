"""The Responses Object; https://spec.openapis.org/oas/v3.1.1.html#responses-object."""

from __future__ import annotations

import re
from collections.abc import Callable

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import MediaType, Response
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node, format_value
from mcpgen.parse.scalars import mapping, read_text_key

_STATUS = re.compile(r"[1-5](?:[0-9]{2}|XX)|default")


def responses(
    scope: ParseContext, node: Node, media: Callable[[ParseContext, Node], tuple[MediaType, ...]]
) -> tuple[Response, ...]:
    """The answers by status, in document order; `media` reads the representations of one.

    A fault in a response is a warning: the request does not depend on the response.
    """
    scope = scope.for_responses()
    listed = mapping(scope, node, "responses")
    found = []
    for status, each in listed.members() if listed is not None else ():
        if status.startswith("x-"):
            continue
        written = status if status == "default" else status.upper()
        if not _STATUS.fullmatch(written):
            scope.tell(
                codes.NO_STATUS, each, status=format_value(status), operation=scope.operation
            )
            continue
        described = scope.follow(each)
        if described is None:
            continue
        if not isinstance(described.value, dict):
            scope.ignored(described, f"responses/{status}", "a mapping")
            continue
        found.append(
            Response(
                written,
                read_text_key(scope, described, "description")
                or read_text_key(scope, described, "summary"),
                media(scope, described),
                each.at,
            )
        )
        _follow_unused(scope, described)
    return tuple(found)


def _follow_unused(scope: ParseContext, response: Node) -> None:
    """Tells references that lead nowhere in parts of a response that no tool needs."""
    for key in ("headers", "links"):
        unused = mapping(scope, response, key)
        for _, each in unused.members() if unused is not None else ():
            if each.has("$ref"):
                scope.follow(each, needed=False)
