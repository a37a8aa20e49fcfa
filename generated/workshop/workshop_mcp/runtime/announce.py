"""How a tool is announced in `tools/list`."""

from __future__ import annotations

from typing import Any

from .tool import Tool


def announced(tool: Tool) -> dict[str, Any]:
    """The tool as MCP writes it."""
    wire: dict[str, Any] = {"name": tool.name, "title": tool.title}
    if tool.description:
        wire["description"] = tool.description
    wire["inputSchema"] = tool.input_schema
    if tool.output is not None:
        wire["outputSchema"] = tool.output
    wire["annotations"] = {
        "readOnlyHint": tool.hints.read_only,
        "destructiveHint": tool.hints.destructive,
        "idempotentHint": tool.hints.idempotent,
        "openWorldHint": tool.hints.open_world,
    }
    return wire
