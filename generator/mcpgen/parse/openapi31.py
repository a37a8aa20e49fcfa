"""OpenAPI 3.1: schemas are JSON Schema 2020-12; https://spec.openapis.org/oas/v3.1.1.html."""

from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.api import ApiDescription
from mcpgen.ir.source import Dialect, Source
from mcpgen.parse.dialect_rules import DialectRules
from mcpgen.parse.document import parse_openapi
from mcpgen.parse.openapi30 import METHODS

FOREIGN = {
    "nullable": "in OpenAPI 3.0",
    "dependencies": "in older drafts of JSON Schema",
    "additionalItems": "in older drafts of JSON Schema",
}

RULES = DialectRules(
    dialect=Dialect.OPENAPI_3_1,
    name="OpenAPI 3.1",
    methods=METHODS,
    older_schemas=False,
    foreign=FOREIGN,
)


def parse(source: Source, diagnostics: Diagnostics) -> ApiDescription | None:
    """The API that an OpenAPI 3.1 document describes."""
    return parse_openapi(source, RULES, diagnostics)
