"""Parses Swagger 2.0 documents, operations, servers and security schemes.

https://swagger.io/specification/v2/#swagger-object

https://swagger.io/specification/v2/

https://swagger.io/specification/v2/
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import ApiDescription, ApiSecurityScheme, ApiServer, Operation, SchemeKind
from mcpgen.ir.source import Dialect, Source
from mcpgen.parse import security as openapi3
from mcpgen.parse.context import ParseContext
from mcpgen.parse.dialects import METHODS, OPENAPI_3_0, DialectRules
from mcpgen.parse.document import Grammar, open_document, parse_document
from mcpgen.parse.node import Node, format_value
from mcpgen.parse.operation import DialectParts, OperationDefaults, build_operation, parse_responses
from mcpgen.parse.scalars import read_mapping_key, read_text_key, read_texts_key
from mcpgen.parse.servers import url_fault
from mcpgen.parse.swagger2.body import parse_body
from mcpgen.parse.swagger2.media_types import (
    parse_response_media,
    read_media_types,
    report_foreign_fields,
)
from mcpgen.parse.swagger2.parameters import parse_operation_parameters, parse_swagger2_parameters

_HOST = re.compile(r"[^\s/?#@\\{}]+")
_USABLE = ("https", "http")
"""URL schemes for requests, preferred first."""


@dataclass(frozen=True, slots=True)
class Address:
    """Address of an API: `scheme` and `host` are `""` if unknown, `base_path` is `""` or begins
    with a slash."""

    scheme: str
    host: str
    base_path: str
    at: Location

    def url(self, scheme: str) -> str:
        """Base URL with a scheme: `https://example.com/v1`."""
        return f"{scheme}://{self.host}{self.base_path}"


def server_address(context: ParseContext, root: Node) -> Address:
    """Address of a document. Adds ASSUMED_SCHEME, UNUSABLE_SERVER and MENDED_PATH."""
    host, base_path = _host_of_document(context, root), _base_path(context, root)
    at = root.child("host" if host else "basePath").at
    if not host:
        return Address("", "", base_path, at)
    scheme = _preferred_scheme(context, root, host)
    if not scheme and root.get("schemes"):
        return Address("", "", base_path, at)
    if not scheme:
        scheme = _USABLE[0]
        context.report(
            codes.ASSUMED_SCHEME, root.child("host"), host=format_value(host), scheme=scheme
        )
    return Address(scheme, host, base_path, at)


def document_servers(base: Address) -> tuple[ApiServer, ...]:
    """Server of a document: a relative URL without `host`, none without `host` and `basePath`."""
    url = base.url(base.scheme) if base.host else base.base_path
    return (ApiServer(url, base.at),) if url else ()


def operation_servers(context: ParseContext, node: Node, base: Address) -> tuple[ApiServer, ...]:
    """Server of an operation with other `schemes` than the document's, otherwise none. The result
    is `()` then."""
    if not base.host:
        return ()
    scheme = _preferred_scheme(context, node, base.host)
    if scheme in ("", base.scheme):
        return ()
    return (ApiServer(base.url(scheme), node.child("schemes").at),)


def _preferred_scheme(context: ParseContext, node: Node, host: str) -> str:
    """Preferred scheme in the list of a node; `""` if none is usable, with UNUSABLE_SERVER for a
    non-empty list."""
    schemes = read_texts_key(context, node, "schemes")
    lower_schemes = {scheme.lower() for scheme in schemes}
    usable_scheme = next((scheme for scheme in _USABLE if scheme in lower_schemes), "")
    if schemes and not usable_scheme:
        url = format_value(f"{schemes[0]}://{host}")
        reason = f"`{format_value(schemes[0])}` is neither http nor https"
        context.report(codes.UNUSABLE_SERVER, node.child("schemes"), url=url, reason=reason)
    return usable_scheme


def _host_of_document(context: ParseContext, root: Node) -> str:
    """Host with port; `""` after UNUSABLE_SERVER."""
    host = read_text_key(context, root, "host").strip()
    if not host:
        return ""
    fault = "`host` holds a name and a port, and nothing else"
    if _HOST.fullmatch(host):
        fault = url_fault(f"https://{host}")
    if not fault:
        return host
    context.report(codes.UNUSABLE_SERVER, root.child("host"), url=format_value(host), reason=fault)
    return ""


def _base_path(context: ParseContext, root: Node) -> str:
    """Path before every path, without slash at the end. Adds MENDED_PATH."""
    base_path = read_text_key(context, root, "basePath").strip()
    path = base_path.rstrip("/")
    if not path or path.startswith("/"):
        return path
    context.report(
        codes.MENDED_PATH,
        root.child("basePath"),
        path=format_value(base_path, 200),
        mended=format_value(f"/{path}", 200),
        reason="it begins with a slash",
    )
    return f"/{path}"


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
    """Parses the operation at `node`; invalid if `context.fault_reasons` is not empty afterwards.

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


__all__ = ["parse"]
