"""OpenAPI 3.0: schemas are a dialect of their own; https://spec.openapis.org/oas/v3.0.4.html."""

from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.api import ApiDescription
from mcpgen.ir.source import Dialect, Source
from mcpgen.parse.dialect_rules import DialectRules
from mcpgen.parse.document import parse_openapi

METHODS = frozenset({"get", "put", "post", "delete", "options", "head", "patch", "trace"})

_LATER = (
    "const",
    "examples",
    "prefixItems",
    "contains",
    "minContains",
    "maxContains",
    "patternProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "if",
    "then",
    "else",
    "unevaluatedProperties",
    "unevaluatedItems",
    "additionalItems",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
)

RULES = DialectRules(
    dialect=Dialect.OPENAPI_3_0,
    name="OpenAPI 3.0",
    methods=METHODS,
    older_schemas=True,
    foreign=dict.fromkeys(_LATER, "in JSON Schema"),
)


def parse(source: Source, diagnostics: Diagnostics) -> ApiDescription | None:
    """The API that an OpenAPI 3.0 document describes."""
    return parse_openapi(source, RULES, diagnostics)
