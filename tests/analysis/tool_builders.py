"""Small announced tools, and surfaces of them."""

from __future__ import annotations

from typing import Any

from mcpgen.analysis import ToolListing

HINTS = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": True,
}


def announced(name: str, properties: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """A tool that every host takes; its `required` arguments are those named in `needs`."""
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
    """The schema of an argument that is a text."""
    return {"type": "string", "description": description, **more}


def surface(*tools: dict[str, Any], **more: Any) -> ToolListing:
    """A surface of these tools."""
    return ToolListing("here", tools, **more)
