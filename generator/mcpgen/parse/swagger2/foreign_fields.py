"""Fields of OpenAPI 3 that people write into a Swagger 2.0 document."""

from __future__ import annotations

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node

_FOREIGN = {
    "document": {
        "servers": "`host`, `basePath` and `schemes`",
        "components": "`definitions`, `parameters`, `responses` and `securityDefinitions`",
    },
    "operation": {
        "requestBody": "a parameter with `in: body`, or several with `in: formData`",
        "servers": "`schemes`",
    },
    "response": {"content": "`schema` and `produces`"},
}
"""By object: the fields that belong to OpenAPI 3, and what says the same here."""


def report_foreign_fields(scope: ParseContext, node: Node, kind: str) -> None:
    """Warns of the fields of a node that are ignored because they belong to OpenAPI 3."""
    for key, instead in _FOREIGN[kind].items():
        if node.has(key):
            scope.tell(codes.FOREIGN_FIELD, node.child(key), field=key, instead=instead)
