"""Parameters in path, query and headers."""

from __future__ import annotations

from collections.abc import Iterable

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import Parameter, Place
from mcpgen.parse.node import shown
from mcpgen.parse.scope import Scope
from mcpgen.parse.swagger2.declared import BODY, FORM, Declared
from mcpgen.parse.swagger2.values import examples_of, schema_of, writing
from mcpgen.parse.values import flag, text


def parameters(scope: Scope, listed: Iterable[Declared]) -> tuple[Parameter, ...]:
    """Those of the declared parameters that are outside the body, in order."""
    found = [_parameter(scope, each) for each in listed if each.place not in (BODY, FORM)]
    return tuple(each for each in found if each is not None)


def _parameter(scope: Scope, declared: Declared) -> Parameter | None:
    """One parameter; None, told, where it cannot be written into a request."""
    node, place = declared.node, Place(declared.place)
    schema = schema_of(scope, declared)
    style = writing(scope, declared, schema)
    if style is None:
        return None
    required = flag(scope, node, "required")
    if place is Place.PATH and not required:
        scope.tell(
            codes.OPTIONAL_PATH_PARAMETER,
            declared.element,
            name=shown(declared.name),
            operation=scope.operation,
        )
    return Parameter(
        name=declared.name,
        place=place,
        schema=schema,
        required=required or place is Place.PATH,
        at=declared.element.at,
        description=text(scope, node, "description"),
        deprecated=flag(scope, node, "deprecated"),
        style=style.style,
        explode=style.explode,
        rows=style.rows,
        examples=examples_of(node),
        announced=text(scope, node, "x-mcp-name"),
    )
