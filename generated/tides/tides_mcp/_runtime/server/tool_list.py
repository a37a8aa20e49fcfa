# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Entries of `tools/list`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from ..tool import Hints, Tool


def tool_entry(tool: Tool) -> dict[str, Any]:
    """The tool in MCP format."""
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
    """The annotations; brief hints omit default values, and hints without meaning for read-only
    tools.

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


@dataclass(frozen=True, slots=True)
class ListPage:
    """The `tools` of a page, and the cursor of the next page, None for the last page."""

    tools: Sequence[Tool]
    following: str | None


class WholeList:
    """A tool list that fits one page."""

    def page(self, tools: Sequence[Tool], cursor: str | None) -> ListPage:
        """The only page. Raises `MCPError` for a cursor of another page."""
        if cursor not in (None, "1"):
            raise MCPError(INVALID_PARAMS, "There is no such page of the list")
        return ListPage(tools, None)
