"""Broken lists of tools."""

from __future__ import annotations

from typing import Any

from base_server import ConformingServer, Refusal
from builder import TEXT, OneTool, breaks, taking, with_tool

with_tool("tools-list-shape", "NumberedTitle", {"title": 7})


@breaks("tools-list-shape")
class NamelessTool(OneTool):
    def list_tools(self, params: dict[str, Any]) -> dict[str, Any]:
        nameless = {"inputSchema": taking()}
        return super().list_tools(params) | {"tools": [*self.tools, nameless]}


with_tool("tool-name-legal", "SpacedName", {"name": "do it"})


@breaks("tool-name-unique", warned=True)
@breaks("tool-name-unique", profiles=("experience-workspace",))
class Twins(OneTool):
    def extra(self) -> dict[str, Any]:
        return {"name": "echo"}

    def __init__(self) -> None:
        super().__init__()
        self.tools[-1]["inputSchema"] = self.tools[1]["inputSchema"]


@breaks("tools-list-stable")
class Shuffled(ConformingServer):
    def list_tools(self, params: dict[str, Any]) -> dict[str, Any]:
        result = super().list_tools(params)
        self.tools = [*self.tools[1:], self.tools[0]]
        return result


class Paged(ConformingServer):
    """A conforming server with one tool per page."""

    def list_tools(self, params: dict[str, Any]) -> dict[str, Any]:
        cursor = params.get("cursor", "page-0")
        cursors = [f"page-{number}" for number in range(len(self.tools))]
        if cursor not in cursors:
            raise Refusal(-32602, "Unknown cursor")
        index = cursors.index(cursor)
        more = {"nextCursor": cursors[index + 1]} if index + 1 < len(cursors) else {}
        return {"tools": [self.tools[index]], **more}


@breaks("pagination-ends", warned=True)
class EndlessPages(Paged):
    def list_tools(self, params: dict[str, Any]) -> dict[str, Any]:
        result = super().list_tools(params)
        return {"nextCursor": "page-1", **result}


@breaks("pagination-ends")
class NumberedCursor(ConformingServer):
    def list_tools(self, params: dict[str, Any]) -> dict[str, Any]:
        return super().list_tools(params) | {"nextCursor": 2}


@breaks("cursor-unknown-32602")
class IgnoresCursors(ConformingServer):
    def list_tools(self, params: dict[str, Any]) -> dict[str, Any]:
        return {"tools": self.tools}


with_tool(
    "input-schema-object",
    "TypelessInput",
    {"inputSchema": {"properties": {}, "required": [], "additionalProperties": False}},
)


@breaks("tool-schemas-valid")
class InvalidSchema(OneTool):
    def extra(self) -> dict[str, Any]:
        return {"outputSchema": {"type": "object", "properties": {"a": {"type": "text"}}}}

    def run(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        result = super().run(name, arguments)
        return {"content": [], "isError": True} if name == "extra" else result


with_tool(
    "tool-schemas-valid",
    "ForeignReference",
    {"inputSchema": taking() | {"$defs": {"x": {"$ref": "http://127.0.0.1:9/x.json"}}}},
)


@breaks("output-schema-object")
class ListOutput(OneTool):
    def extra(self) -> dict[str, Any]:
        return {"outputSchema": {"type": ["object"], "properties": {}}}

    def run(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        result = super().run(name, arguments)
        if name == "extra":
            return {"content": [{"type": "text", "text": "{}"}], "structuredContent": {}}
        return result


with_tool(
    "annotations-boolean",
    "TextHints",
    {"annotations": {"readOnlyHint": "yes"}},
    "universal-annotations",
)


with_tool(
    "x-mcp-header-valid",
    "BadMirror",
    {"inputSchema": taking(token=TEXT | {"x-mcp-header": "not a token"})},
)


with_tool(
    "x-mcp-header-valid",
    "MirroredNumber",
    {
        "inputSchema": taking(
            price={"type": "number", "description": "A price.", "x-mcp-header": "Price"}
        )
    },
)
