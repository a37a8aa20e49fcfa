"""Tools that some host cannot live with."""

from __future__ import annotations

from zoo_kit import TEXT, taking, with_tool

with_tool("universal-tool-name", "CapitalName", {"name": "getPet"})


with_tool("universal-description", "Undescribed", {"description": " "})


with_tool("universal-description", "Verbose", {"description": "very " * 300})


with_tool("universal-schema-root", "OpenRoot", {"inputSchema": {"type": "object"}})


with_tool("universal-schema-root", "CombinedRoot", {"inputSchema": taking() | {"anyOf": [{}]}})


with_tool("universal-argument-name", "DollarKey", {"inputSchema": taking(**{"$top": TEXT})})


with_tool(
    "universal-flat",
    "NestedArgument",
    {"inputSchema": taking(pet={"type": "object", "description": "A pet."})},
)


with_tool(
    "universal-flat",
    "UnionArgument",
    {"inputSchema": taking(pet={"anyOf": [TEXT, {"type": "integer"}], "description": "A pet."})},
)


with_tool(
    "universal-flat",
    "ListOfObjects",
    {
        "inputSchema": taking(
            pets={"type": "array", "items": {"type": "object"}, "description": "Pets."}
        )
    },
)


with_tool(
    "universal-argument-described", "MuteArgument", {"inputSchema": taking(name={"type": "string"})}
)


with_tool(
    "universal-enum",
    "NumberedEnum",
    {"inputSchema": taking(level={"type": "integer", "enum": [1, 2], "description": "A level."})},
)


with_tool("universal-annotations", "Hintless", {"annotations": {"readOnlyHint": True}})
