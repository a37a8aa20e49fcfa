"""Takes arguments that depend on each other: answered as its `answer` says."""

from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Text
from touchstone_mcp._runtime.tool import Argument, Hints, Tool

TOOL = Tool(
    name="json_schema_2020_12_tool",
    title="",
    description="Takes arguments that depend on each other.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    arguments=(
        Argument("name", "handler", {"type": "string", "description": "Name."}),
        Argument("address", "handler", {"type": "object", "description": "Where to write."}),
        Argument(
            "contactMethod",
            "handler",
            {
                "type": "string",
                "enum": ["phone", "email"],
                "description": "How to be reached. One of: phone, email.",
            },
        ),
        Argument("phone", "handler", {"type": "string", "description": "Number."}),
        Argument("email", "handler", {"type": "string", "description": "Address."}),
    ),
    conditions={
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            },
        },
        "allOf": [
            {"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]},
            {"properties": {"address": {"$ref": "#/$defs/address"}}},
        ],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
    },
    answer=DeclaredAnswer((Text("${name} is reached by ${contactMethod}."),)),
)
