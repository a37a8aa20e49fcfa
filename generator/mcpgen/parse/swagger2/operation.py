"""One operation; https://swagger.io/specification/v2/#operation-object."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from mcpgen.ir.api import Operation
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node
from mcpgen.parse.operation import DialectParts, OperationDefaults, build_operation
from mcpgen.parse.responses import responses
from mcpgen.parse.swagger2.body import parse_body
from mcpgen.parse.swagger2.foreign_fields import report_foreign_fields
from mcpgen.parse.swagger2.media_types import media_names, response_media
from mcpgen.parse.swagger2.operation_parameters import operation_parameters
from mcpgen.parse.swagger2.parameters import parse_swagger2_parameters
from mcpgen.parse.swagger2.servers import Address, operation_servers


@dataclass(frozen=True, slots=True)
class Swagger2Defaults:
    """What a document says for the operations that say nothing themselves."""

    address: Address
    consumes: tuple[str, ...]
    produces: tuple[str, ...]


def parse_swagger2_operation(
    defaults: Swagger2Defaults,
    scope: ParseContext,
    method: str,
    node: Node,
    around: OperationDefaults,
) -> Operation:
    """The operation that stands at `node`; it counts only if the scope has no faults after it."""
    report_foreign_fields(scope, node, "operation")
    listed = operation_parameters(scope, node, around.path_item)
    consumes, produces = defaults.consumes, defaults.produces
    if node.get("consumes") is not None:
        consumes = media_names(scope, node, "consumes")
    if node.get("produces") is not None:
        produces = media_names(scope, node, "produces")
    parts = DialectParts(
        parameters=parse_swagger2_parameters(scope, listed),
        body=parse_body(scope, listed, consumes),
        responses=responses(scope, node, partial(response_media, produces)),
        servers=operation_servers(scope, node, defaults.address) or around.servers,
    )
    return build_operation(scope, method, node, around, parts)
