"""A Swagger 2.0 document: what it says once, and the walk that it shares with OpenAPI 3."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.api import ApiDescription, ApiSecurityScheme, ApiServer, Operation, SchemeKind
from mcpgen.ir.source import Dialect, Source
from mcpgen.parse import security as openapi3
from mcpgen.parse.context import ParseContext
from mcpgen.parse.dialects import METHODS, OPENAPI_3_0, DialectRules
from mcpgen.parse.document import Grammar, open_document, parse_document
from mcpgen.parse.node import Node
from mcpgen.parse.operation import DialectParts, OperationDefaults, build_operation, responses
from mcpgen.parse.scalars import mapping, read_text_key
from mcpgen.parse.swagger2.body import parse_body
from mcpgen.parse.swagger2.media_types import media_names, report_foreign_fields, response_media
from mcpgen.parse.swagger2.parameters import operation_parameters, parse_swagger2_parameters
from mcpgen.parse.swagger2.servers import (
    Address,
    document_servers,
    operation_servers,
    server_address,
)

_LATER = ("anyOf", "oneOf", "not", "nullable", "writeOnly", "deprecated")

RULES = DialectRules(
    dialect=Dialect.SWAGGER_2_0,
    name="Swagger 2.0",
    methods=METHODS - {"trace"},
    older_schemas=True,
    foreign={**OPENAPI_3_0.foreign, **dict.fromkeys(_LATER, "in OpenAPI 3.0")},
    definitions=("definitions",),
    schemes="securityDefinitions",
    null_keywords=("x-nullable", "nullable"),
    named_discriminators=True,
)


def parse(source: Source, diagnostics: Diagnostics) -> ApiDescription | None:
    """The API that a Swagger 2.0 document describes."""
    scope, root = open_document(source, RULES, diagnostics)
    report_foreign_fields(scope, root, "document")
    base = server_address(scope, root)
    defaults = Swagger2Defaults(
        base, media_names(scope, root, "consumes"), media_names(scope, root, "produces")
    )
    declared = mapping(scope, root, RULES.schemes)
    found = scope.follow(declared) if declared is not None else None
    grammar = Grammar(
        servers=document_servers(base),
        local_servers=_no_servers,
        schemes=found or Node(None, root.document, ()),
        scheme=parse_swagger2_scheme,
        operation=partial(parse_swagger2_operation, defaults),
    )
    return parse_document(scope, root, grammar)


def _no_servers(scope: ParseContext, path_item: Node) -> tuple[()]:
    """A path item of Swagger 2.0 has no servers of its own."""
    return ()


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


_CLIENT_CREDENTIALS = "application"
"""The client credentials flow in Swagger 2.0."""


def parse_swagger2_scheme(
    scope: ParseContext, id_: str, node: Node, servers: tuple[ApiServer, ...]
) -> ApiSecurityScheme | str:
    """A scheme, or why it cannot be used. Kinds that only OpenAPI 3 has are read as there."""
    kind = node.get("type")
    description = read_text_key(scope, node, "description")
    if kind == "basic":
        return ApiSecurityScheme(id_, SchemeKind.BASIC, node.at, description=description)
    if kind != "oauth2" or node.has("flows"):
        return openapi3.parse_scheme(scope, id_, node, servers)
    scopes = mapping(scope, node, "scopes")
    flow = read_text_key(scope, node, "flow")
    url = ""
    if flow in (_CLIENT_CREDENTIALS, "password"):
        url = openapi3.token_url(scope, id_, node.child("tokenUrl"), servers)
    return ApiSecurityScheme(
        id_,
        SchemeKind.OAUTH2,
        node.at,
        token_url=url if flow == _CLIENT_CREDENTIALS else "",
        password_url=url if flow == "password" else "",
        scopes=tuple(name for name, _ in scopes.members()) if scopes is not None else (),
        description=description,
    )
