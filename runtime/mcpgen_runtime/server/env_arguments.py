"""Argument values from the environment, sent with every call of a tool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..settings import ServerSettings
from ..tool import Json, Tool
from ..validation.validate import LazyValidator


def fill_from_settings(tools: Sequence[Tool], settings: ServerSettings) -> tuple[Tool, ...]:
    """The tools with argument values from the settings.

    Raises `ValueError` for an invalid value, with which every call would be refused.
    """
    return tuple(_supplied(tool, settings) if tool.settings else tool for tool in tools)


def _supplied(tool: Tool, settings: ServerSettings) -> Tool:
    values = {name: getattr(settings, field) for name, field in tool.settings.items()}
    for argument in tool.arguments:
        if argument.name in values and not _fits_schema(argument.schema, values[argument.name]):
            variable = settings.variable(tool.settings[argument.name])
            raise ValueError(f"{variable}: is not what `{argument.name}` of {tool.name} takes")
    return replace(tool, filled={**tool.filled, **values})


def _fits_schema(schema: Mapping[str, Json], value: Json) -> bool:
    return not LazyValidator(lambda: schema).problems(value)
