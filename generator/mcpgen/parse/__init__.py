"""Parses a `Source` of any dialect into an `ApiDescription`."""

from __future__ import annotations

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import ApiDescription
from mcpgen.ir.source import Dialect, Source, Syntax
from mcpgen.parse import swagger2
from mcpgen.parse.dialects import OPENAPI_3_0, OPENAPI_3_1, OPENAPI_3_2
from mcpgen.parse.document import parse_openapi

OPENAPI_RULES = {rules.dialect: rules for rules in (OPENAPI_3_0, OPENAPI_3_1, OPENAPI_3_2)}


def parse(source: Source, diagnostics: Diagnostics) -> ApiDescription | None:
    """Parses a specification; None if the document holds no API, which is then an error.

    An operation that cannot become a tool is listed in `ApiDescription.missing`, and has an error
    whose code is in `codes.parse.PER_OPERATION`. Every other error concerns the whole document.
    Adds MG2xx.
    """
    for document in source.documents.values():
        if document.syntax is Syntax.YAML and document.name.lower().endswith(".json"):
            diagnostics.add(codes.YAML_NAMED_JSON, Location(document.name))
    if source.dialect is Dialect.SWAGGER_2_0:
        return swagger2.parse(source, diagnostics)
    return parse_openapi(source, OPENAPI_RULES[source.dialect], diagnostics)
