"""Parameters in path, query and headers."""

from __future__ import annotations

from collections.abc import Iterable

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import Parameter, Place
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import format_value
from mcpgen.parse.scalars import read_flag_key, read_text_key
from mcpgen.parse.swagger2.operation_parameters import BODY, FORM, OperationParameter
from mcpgen.parse.swagger2.values import examples_of, parameter_schema, writing


def parse_swagger2_parameters(
    scope: ParseContext, listed: Iterable[OperationParameter]
) -> tuple[Parameter, ...]:
    """Those of the declared parameters that are outside the body, in order."""
    found = [_parameter(scope, each) for each in listed if each.place not in (BODY, FORM)]
    return tuple(each for each in found if each is not None)


def _parameter(scope: ParseContext, declared: OperationParameter) -> Parameter | None:
    """One parameter; None, told, where it cannot be written into a request."""
    node, place = declared.node, Place(declared.place)
    schema = parameter_schema(scope, declared)
    style = writing(scope, declared, schema)
    if style is None:
        return None
    required = read_flag_key(scope, node, "required")
    if place is Place.PATH and not required:
        scope.tell(
            codes.OPTIONAL_PATH_PARAMETER,
            declared.element,
            name=format_value(declared.name),
            operation=scope.operation,
        )
    return Parameter(
        name=declared.name,
        place=place,
        schema=schema,
        required=required or place is Place.PATH,
        at=declared.element.at,
        description=read_text_key(scope, node, "description"),
        deprecated=read_flag_key(scope, node, "deprecated"),
        style=style.style,
        explode=style.explode,
        rows=style.rows,
        examples=examples_of(node),
        announced=read_text_key(scope, node, "x-mcp-name"),
    )
