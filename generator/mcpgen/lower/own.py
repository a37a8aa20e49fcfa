"""Tools that the server answers itself, whatever its API is."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Place
from mcpgen.ir.server import Argument, Hints, Tool
from mcpgen.ir.source import Json


def own_tool(
    name: str,
    title: str,
    description: str,
    hints: Hints,
    arguments: tuple[Argument, ...],
    at: Location,
) -> Tool:
    """A tool without a route and without an operation of the API."""
    return Tool(
        name=name,
        module=name,
        title=title,
        description=description,
        arguments=arguments,
        constants=(),
        route=None,
        hints=hints,
        operation="",
        at=at,
    )


def own_argument(
    name: str, schema: Mapping[str, Json], at: Location, *, required: bool = True
) -> Argument:
    """An argument of such a tool, which is placed nowhere but read as it is."""
    return Argument(name, schema, required, Place.HANDLER, (name,), at)
