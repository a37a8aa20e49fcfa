"""How a tool is announced in `tools/list`."""

from __future__ import annotations

from typing import Any

from .tool import Hints, Tool


def tool_entry(tool: Tool) -> dict[str, Any]:
    """The tool as MCP writes it."""
    wire: dict[str, Any] = {"name": tool.name}
    if tool.title:
        wire["title"] = tool.title
    if tool.description:
        wire["description"] = tool.description
    wire["inputSchema"] = tool.input_schema
    if tool.output is not None:
        wire["outputSchema"] = tool.output
    wire["annotations"] = _annotations(tool.hints)
    return wire


def _annotations(hints: Hints) -> dict[str, bool]:
    """The hints; brief ones without what a missing hint means anyway, or means nothing because the
    tool only reads.

    https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations
    """
    told = {"readOnlyHint": hints.read_only}
    if not (hints.brief and hints.read_only):
        told["destructiveHint"] = hints.destructive
    if not hints.brief or (hints.idempotent and not hints.read_only):
        told["idempotentHint"] = hints.idempotent
    if not (hints.brief and hints.open_world):
        told["openWorldHint"] = hints.open_world
    return told
