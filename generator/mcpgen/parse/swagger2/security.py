"""Security schemes; https://swagger.io/specification/v2/#security-scheme-object."""

from __future__ import annotations

from mcpgen.ir.api import ApiSecurityScheme, ApiServer, SchemeKind
from mcpgen.parse import security as openapi3
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node
from mcpgen.parse.scalars import mapping, read_text_key

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
