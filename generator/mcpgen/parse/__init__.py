"""From a `Source` to an `ApiDescription`: a parser per dialect, all ending in the same value."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import ApiDescription
from mcpgen.ir.source import Dialect, Source, Syntax
from mcpgen.parse import openapi30, openapi31, openapi32, swagger2

Parser = Callable[[Source, Diagnostics], ApiDescription | None]

PARSERS: Mapping[Dialect, Parser] = {
    Dialect.SWAGGER_2_0: swagger2.parse,
    Dialect.OPENAPI_3_0: openapi30.parse,
    Dialect.OPENAPI_3_1: openapi31.parse,
    Dialect.OPENAPI_3_2: openapi32.parse,
}
"""The parser of each dialect."""


def parse(source: Source, diagnostics: Diagnostics) -> ApiDescription | None:
    """The API that a specification describes; None, with an error told, if there is none.

    Operations that cannot be built are left out of the API and listed in its `missing`; each has
    an error of a code in `codes.parse.PER_OPERATION`. Every other error concerns the whole
    document.
    """
    for document in source.documents.values():
        if document.syntax is Syntax.YAML and document.name.lower().endswith(".json"):
            diagnostics.add(codes.YAML_NAMED_JSON, Location(document.name))
    return PARSERS[source.dialect](source, diagnostics)
