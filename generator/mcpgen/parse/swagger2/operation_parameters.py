"""The parameters of an operation in all their places;
https://swagger.io/specification/v2/#parameter-object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node
from mcpgen.parse.parameter_list import parameter_key, parse_parameter_list, resolve_parameter
from mcpgen.parse.scalars import read_text_key

BODY = "body"
FORM = "formData"
PLACES = ("path", "query", "header", BODY, FORM)


@dataclass(frozen=True, slots=True)
class OperationParameter:
    """A parameter as it was found: `element` is where it is listed, `node` what that means."""

    name: str
    place: str
    node: Node
    element: Node


def operation_parameters(
    scope: ParseContext, operation: Node, path_item: Node
) -> Sequence[OperationParameter]:
    """The operation's parameters and those of its path item that it has not itself, the latter
    first. A body of the operation replaces any of the path item, whatever its name."""
    shared = parse_parameter_list(scope, path_item, _read)
    own = parse_parameter_list(scope, operation, _read)
    places = {each.place for each in own.values()}
    if places & {BODY, FORM}:
        unwanted = {BODY, FORM} if BODY in places else {BODY}
        shared = {key: each for key, each in shared.items() if each.place not in unwanted}
    return tuple((shared | own).values())


def _read(scope: ParseContext, element: Node) -> OperationParameter | None:
    """One parameter; None, told, where it is none."""
    node = resolve_parameter(scope, element)
    if node is None:
        return None
    if node.get("in") == BODY:
        # The name of a body is only for readers.
        return OperationParameter(read_text_key(scope, node, "name") or BODY, BODY, node, element)
    identity = parameter_key(scope, node, PLACES)
    return OperationParameter(*identity, node, element) if identity is not None else None
