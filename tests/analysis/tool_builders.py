"""Builders of small announced tools and listings."""

from __future__ import annotations

from typing import Any

from mcpgen.analysis import ToolListing

HINTS = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": True,
}


def make_tool(name: str, properties: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """Returns a tool accepted by every host; `needs` are its required arguments."""
    return {
        "name": name,
        "title": more.pop("title", name),
        "description": more.pop("description", f"Does what {name} says."),
        "inputSchema": {
            "type": "object",
            "properties": properties or {},
            "required": more.pop("needs", []),
            "additionalProperties": False,
        },
        "annotations": {**HINTS, **more.pop("hints", {})},
        **more,
    }


def text(description: str = "A text.", **more: Any) -> dict[str, Any]:
    """Returns the schema of a text argument."""
    return {"type": "string", "description": description, **more}


def surface(*tools: dict[str, Any], **more: Any) -> ToolListing:
    """Returns a listing of these tools."""
    return ToolListing("here", tools, **more)
