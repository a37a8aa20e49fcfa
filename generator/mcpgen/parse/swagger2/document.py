"""A Swagger 2.0 document: what it says once, and the walk that it shares with OpenAPI 3."""

from __future__ import annotations

from functools import partial

from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.api import Api
from mcpgen.ir.source import Dialect, Source
from mcpgen.parse.document import Grammar, opened, walked
from mcpgen.parse.node import Node
from mcpgen.parse.openapi30 import METHODS
from mcpgen.parse.openapi30 import RULES as NEXT
from mcpgen.parse.rules import Rules
from mcpgen.parse.scope import Scope
from mcpgen.parse.swagger2.fields import tell_foreign
from mcpgen.parse.swagger2.operation import Defaults, operation
from mcpgen.parse.swagger2.representations import media_names
from mcpgen.parse.swagger2.security import scheme
from mcpgen.parse.swagger2.servers import address, document_servers
from mcpgen.parse.values import mapping

_LATER = ("anyOf", "oneOf", "not", "nullable", "writeOnly", "deprecated")

RULES = Rules(
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


def parse(source: Source, diagnostics: Diagnostics) -> Api | None:
    """The API that a Swagger 2.0 document describes."""
    scope, root = opened(source, RULES, diagnostics)
    tell_foreign(scope, root, "document")
    base = address(scope, root)
    defaults = Defaults(
        base, media_names(scope, root, "consumes"), media_names(scope, root, "produces")
    )
    declared = mapping(scope, root, RULES.schemes)
    found = scope.follow(declared) if declared is not None else None
    grammar = Grammar(
        servers=document_servers(base),
        local_servers=_no_servers,
        schemes=found or Node(None, root.document, ()),
        scheme=scheme,
        operation=partial(operation, defaults),
    )
    return walked(scope, root, grammar)


def _no_servers(scope: Scope, path_item: Node) -> tuple[()]:
    """A path item of Swagger 2.0 has no servers of its own."""
    return ()
