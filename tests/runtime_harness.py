"""Runs the runtime of generated servers on lowered tools, without writing a project."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))


from tests.runtime import apps  # noqa: F401  installs the optional modules of the runtime

from mcpgen.ir.server import Server, ToolSpec
from mcpgen_runtime import tool, tool_parts
from mcpgen_runtime.upstream.exchange import InvalidArguments, UpstreamRequest
from mcpgen_runtime.upstream.general_operation import GeneralOperation
from mcpgen_runtime.upstream.operation import ToolOperation
from mcpgen_runtime.validation.definitions import SchemaStore

__all__ = [
    "InvalidArguments",
    "ToolOperation",
    "UpstreamRequest",
    "at_work",
    "build_request",
    "declaration_of",
    "unchecked_request",
]

_DECLARATIONS = {**vars(tool), **vars(tool_parts)}
"""The classes of a tool's declaration, by name."""

_RENAMED = {"BodyPlan": "Body", "allow_reserved": "reserved", "target": "to"}
"""What the declaration of a tool calls otherwise."""

_LEFT_OUT = {"output", "settings", "answer"}
"""Fields about results, and about the environment, which has no values here."""


class _ServerDefinitions(SchemaStore):
    """Schema definitions of a lowered server."""

    def __init__(self, schemas: Mapping[str, Any]) -> None:
        super().__init__()
        self.schemas = dict(schemas)


def at_work(server: Server, tool: ToolSpec) -> ToolOperation:
    """A lowered tool as the runtime's object."""
    return GeneralOperation(declaration_of(tool), _ServerDefinitions(server.definitions))


def build_request(
    server: Server, arguments: Mapping[str, Any], tool: ToolSpec | None = None
) -> UpstreamRequest:
    """The request for arguments. Raises InvalidArguments for arguments that the server refuses."""
    operation = at_work(server, tool or server.tools[0])
    operation.refuse_invalid(arguments)
    return operation.request(arguments)


def unchecked_request(
    server: Server, tool: ToolSpec, arguments: Mapping[str, Any]
) -> UpstreamRequest:
    """The request for arguments without validation. Raises InvalidArguments for values that no request
    can contain."""
    route = tool.route
    if route and route.body:
        route = replace(route, body=replace(route.body, check=None))
    parts = tuple(replace(argument, check=None) for argument in tool.arguments)
    return at_work(server, replace(tool, route=route, arguments=parts)).request(arguments)


def declaration_of(value: Any) -> Any:
    """A value in the form of a generated declaration."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        name = type(value).__name__
        result = _DECLARATIONS[_RENAMED.get(name, name.removesuffix("Spec"))]
        field_names = {field.name for field in fields(result)} - _LEFT_OUT
        fields_by_declared_name = {
            _RENAMED.get(field.name, field.name): field.name for field in fields(value)
        }
        values = {
            declared_name: getattr(value, field_name)
            for declared_name, field_name in fields_by_declared_name.items()
            if declared_name in field_names
        }
        # What is not said is "" there.
        unset_names = {word for word in ("style", "rows", "text") if values.get(word, "") is None}
        return result(
            **{word: declaration_of(values[word]) for word in values if word not in unset_names}
        )
    if isinstance(value, tuple):
        return tuple(declaration_of(field) for field in value)
    if isinstance(value, Mapping):
        return {key: declaration_of(field) for key, field in value.items()}
    return value
