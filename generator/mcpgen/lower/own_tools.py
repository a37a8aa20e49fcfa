"""Tools that the server answers itself, whatever its API is."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Place
from mcpgen.ir.server import ArgumentSpec, HintsSpec, ToolSpec
from mcpgen.ir.source import Json


def builtin_tool(
    name: str,
    title: str,
    description: str,
    hints: HintsSpec,
    arguments: tuple[ArgumentSpec, ...],
    at: Location,
) -> ToolSpec:
    """A tool without a route and without an operation of the API."""
    return ToolSpec(
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


def builtin_argument(
    name: str, schema: Mapping[str, Json], at: Location, *, required: bool = True
) -> ArgumentSpec:
    """An argument of such a tool, which is placed nowhere but read as it is."""
    return ArgumentSpec(name, schema, required, Place.HANDLER, (name,), at)
