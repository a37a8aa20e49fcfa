"""What a lowered tool sends: the runtime of the generated server, at work on tools that were never
written down."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from templates.project.package.runtime import tool as declared
from templates.project.package.runtime.operation import Operation
from templates.project.package.runtime.request import Refused, Request

from mcpgen.ir.server import Server, Tool

__all__ = ["Refused", "Request", "operation", "sent"]


@dataclass(frozen=True)
class Closed:
    """The definitions of a server, for checks that refer to them."""

    definitions: Mapping[str, Any]

    def closed(self, schema: Any) -> Any:
        """A schema with all it can refer to."""
        return {**schema, "$defs": self.definitions} if isinstance(schema, dict) else schema


def operation(server: Server, tool: Tool) -> Operation:
    """A tool at work, as the generated server has it."""
    route, body = tool.route, tool.route.body
    made = declared.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        route=declared.Route(
            route.method,
            route.path,
            route.security,
            route.accept,
            route.base_url,
            (
                None
                if body is None
                else declared.Body(body.media_type, body.required, body.check, body.part_types)
            ),
        ),
        hints=declared.Hints(read_only=False, destructive=False, idempotent=False),
        arguments=tuple(
            declared.Argument(
                each.name,
                each.place.value,
                each.schema,
                each.required,
                each.target,
                each.style.value if each.style else "",
                each.explode,
                each.allow_reserved,
                each.content,
                each.text.value if each.text else "",
                each.check,
                each.nulls,
            )
            for each in tool.arguments
        ),
        constants=tuple(
            declared.Constant(
                each.place.value,
                each.target,
                each.value,
                each.style.value if each.style else "",
                each.explode,
            )
            for each in tool.constants
        ),
    )
    definitions: Any = Closed({name: server.definitions[name] for name in tool.definitions})
    return Operation(made, definitions)


def sent(server: Server, arguments: Mapping[str, Any], tool: Tool | None = None) -> Request:
    """The request for arguments. Raises `Refused` for those that the server would not send."""
    at_work = operation(server, tool or server.tools[0])
    at_work.refuse_invalid(arguments)
    return at_work.request(arguments)
