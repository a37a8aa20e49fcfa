"""Parses Swagger 2.0 documents, operations and security schemes.

https://swagger.io/specification/v2/
"""

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
from mcpgen.parse.operation import DialectParts, OperationDefaults, build_operation, parse_responses
from mcpgen.parse.scalars import read_mapping_key, read_text_key
from mcpgen.parse.swagger2.body import parse_body
from mcpgen.parse.swagger2.media_types import (
    parse_response_media,
    read_media_types,
    report_foreign_fields,
)
from mcpgen.parse.swagger2.parameters import parse_operation_parameters, parse_swagger2_parameters
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
    """Parses a Swagger 2.0 document; None if there is no API, after an error."""
    context, root = open_document(source, RULES, diagnostics)
    report_foreign_fields(context, root, "document")
    base = server_address(context, root)
    defaults = Swagger2Defaults(
        base,
        read_media_types(context, root, "consumes"),
        read_media_types(context, root, "produces"),
    )
    schemes = read_mapping_key(context, root, RULES.schemes)
    target = context.follow(schemes) if schemes is not None else None
    grammar = Grammar(
        servers=document_servers(base),
        local_servers=_no_servers,
        schemes=target or Node(None, root.document, ()),
        scheme=parse_swagger2_scheme,
        operation=partial(parse_swagger2_operation, defaults),
    )
    return parse_document(context, root, grammar)


def _no_servers(context: ParseContext, path_item: Node) -> tuple[()]:
    """Path items of Swagger 2.0 have no servers."""
    return ()


@dataclass(frozen=True, slots=True)
class Swagger2Defaults:
    """Document-wide values for operations without their own."""

    address: Address
    consumes: tuple[str, ...]
    produces: tuple[str, ...]


def parse_swagger2_operation(
    document_defaults: Swagger2Defaults,
    context: ParseContext,
    method: str,
    node: Node,
    defaults_of_path: OperationDefaults,
) -> Operation:
    """Parses the operation at `node`; invalid if `context.faults` is not empty afterwards.

    https://swagger.io/specification/v2/#operation-object
    """
    report_foreign_fields(context, node, "operation")
    parameters = parse_operation_parameters(context, node, defaults_of_path.path_item)
    consumes, produces = document_defaults.consumes, document_defaults.produces
    if node.get("consumes") is not None:
        consumes = read_media_types(context, node, "consumes")
    if node.get("produces") is not None:
        produces = read_media_types(context, node, "produces")
    parts = DialectParts(
        parameters=parse_swagger2_parameters(context, parameters),
        body=parse_body(context, parameters, consumes),
        responses=parse_responses(context, node, partial(parse_response_media, produces)),
        servers=operation_servers(context, node, document_defaults.address)
        or defaults_of_path.servers,
    )
    return build_operation(context, method, node, defaults_of_path, parts)


_CLIENT_CREDENTIALS = "application"
"""Name of the client credentials flow in Swagger 2.0."""


def parse_swagger2_scheme(
    context: ParseContext, id_: str, node: Node, servers: tuple[ApiServer, ...]
) -> ApiSecurityScheme | str:
    """A security scheme, or the reason for an unusable scheme. Types of OpenAPI 3 are parsed as in
    OpenAPI 3.

    https://swagger.io/specification/v2/#security-scheme-object
    """
    kind = node.get("type")
    description = read_text_key(context, node, "description")
    if kind == "basic":
        return ApiSecurityScheme(id_, SchemeKind.BASIC, node.at, description=description)
    if kind != "oauth2" or node.has("flows"):
        return openapi3.parse_scheme(context, id_, node, servers)
    scopes = read_mapping_key(context, node, "scopes")
    flow = read_text_key(context, node, "flow")
    url = ""
    if flow in (_CLIENT_CREDENTIALS, "password"):
        url = openapi3.token_url(context, id_, node.child("tokenUrl"), servers)
    return ApiSecurityScheme(
        id_,
        SchemeKind.OAUTH2,
        node.at,
        token_url=url if flow == _CLIENT_CREDENTIALS else "",
        password_url=url if flow == "password" else "",
        scopes=tuple(name for name, _ in scopes.members()) if scopes is not None else (),
        description=description,
    )
