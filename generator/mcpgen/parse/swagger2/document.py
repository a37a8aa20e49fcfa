"""A Swagger 2.0 document: what it says once, and the walk that it shares with OpenAPI 3."""

from __future__ import annotations

from functools import partial

from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.api import ApiDescription
from mcpgen.ir.source import Dialect, Source
from mcpgen.parse.context import ParseContext
from mcpgen.parse.dialect_rules import DialectRules
from mcpgen.parse.document import Grammar, open_document, parse_document
from mcpgen.parse.node import Node
from mcpgen.parse.openapi30 import METHODS
from mcpgen.parse.openapi30 import RULES as NEXT
from mcpgen.parse.scalars import mapping
from mcpgen.parse.swagger2.foreign_fields import report_foreign_fields
from mcpgen.parse.swagger2.media_types import media_names
from mcpgen.parse.swagger2.operation import Swagger2Defaults, parse_swagger2_operation
from mcpgen.parse.swagger2.security import parse_swagger2_scheme
from mcpgen.parse.swagger2.servers import document_servers, server_address

_LATER = ("anyOf", "oneOf", "not", "nullable", "writeOnly", "deprecated")

RULES = DialectRules(
    dialect=Dialect.SWAGGER_2_0,
    name="Swagger 2.0",
    methods=METHODS - {"trace"},
    older_schemas=True,
    foreign={**NEXT.foreign, **dict.fromkeys(_LATER, "in OpenAPI 3.0")},
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
