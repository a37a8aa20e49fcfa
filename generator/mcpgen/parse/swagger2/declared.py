"""The parameters of an operation in all their places;
https://swagger.io/specification/v2/#parameter-object."""

from __future__ import annotations

from collections.abc import Sequence

from mcpgen.frozen import frozen
from mcpgen.parse.listing import followed, identified, listed
from mcpgen.parse.node import Node
from mcpgen.parse.scope import Scope
from mcpgen.parse.values import text

BODY = "body"
FORM = "formData"
PLACES = ("path", "query", "header", BODY, FORM)


@frozen
class Declared:
    """A parameter as it was found: `element` is where it is listed, `node` what that means."""

    name: str
    place: str
    node: Node
    element: Node


def declared(scope: Scope, operation: Node, path_item: Node) -> Sequence[Declared]:
    """The operation's parameters and those of its path item that it has not itself, the latter
    first. A body of the operation replaces any of the path item, whatever its name."""
    shared = listed(scope, path_item, _read)
    own = listed(scope, operation, _read)
    places = {each.place for each in own.values()}
    if places & {BODY, FORM}:
        unwanted = {BODY, FORM} if BODY in places else {BODY}
        shared = {key: each for key, each in shared.items() if each.place not in unwanted}
    return tuple((shared | own).values())


def _read(scope: Scope, element: Node) -> Declared | None:
    """One parameter; None, told, where it is none."""
    node = followed(scope, element)
    if node is None:
        return None
    if node.get("in") == BODY:
        # The name of a body is only for readers.
        return Declared(text(scope, node, "name") or BODY, BODY, node, element)
    identity = identified(scope, node, PLACES)
    return Declared(*identity, node, element) if identity is not None else None
