"""OpenAPI 3.2: 3.1 with further methods, streams and query strings;
https://spec.openapis.org/oas/v3.2.0.html."""

from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.api import ApiDescription
from mcpgen.ir.source import Dialect, Source
from mcpgen.parse.dialect_rules import DialectRules
from mcpgen.parse.document import parse_openapi
from mcpgen.parse.openapi30 import METHODS
from mcpgen.parse.openapi31 import FOREIGN

RULES = DialectRules(
    dialect=Dialect.OPENAPI_3_2,
    name="OpenAPI 3.2",
    methods=METHODS | {"query"},
    older_schemas=False,
    foreign=FOREIGN,
    additional_operations=True,
    query_strings=True,
    cookie_style=True,
)


def parse(source: Source, diagnostics: Diagnostics) -> ApiDescription | None:
    """The API that an OpenAPI 3.2 document describes."""
    return parse_openapi(source, RULES, diagnostics)
