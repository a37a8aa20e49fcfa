"""One operation; https://swagger.io/specification/v2/#operation-object."""

from __future__ import annotations

from functools import partial

from mcpgen.frozen import frozen
from mcpgen.ir.api import Operation
from mcpgen.parse.node import Node
from mcpgen.parse.operation import Parts, Surroundings, assembled
from mcpgen.parse.responses import responses
from mcpgen.parse.scope import Scope
from mcpgen.parse.swagger2.body import body
from mcpgen.parse.swagger2.declared import declared
from mcpgen.parse.swagger2.fields import tell_foreign
from mcpgen.parse.swagger2.parameters import parameters
from mcpgen.parse.swagger2.representations import media_names, response_media
from mcpgen.parse.swagger2.servers import Address, operation_servers


@frozen
class Defaults:
    """What a document says for the operations that say nothing themselves."""

    address: Address
    consumes: tuple[str, ...]
    produces: tuple[str, ...]


def operation(
    defaults: Defaults, scope: Scope, method: str, node: Node, around: Surroundings
) -> Operation:
    """The operation that stands at `node`; it counts only if the scope has no faults after it."""
    tell_foreign(scope, node, "operation")
    listed = declared(scope, node, around.path_item)
    consumes, produces = defaults.consumes, defaults.produces
    if node.get("consumes") is not None:
        consumes = media_names(scope, node, "consumes")
    if node.get("produces") is not None:
        produces = media_names(scope, node, "produces")
    parts = Parts(
        parameters=parameters(scope, listed),
        body=body(scope, listed, consumes),
        responses=responses(scope, node, partial(response_media, produces)),
        servers=operation_servers(scope, node, defaults.address) or around.servers,
    )
    return assembled(scope, method, node, around, parts)
