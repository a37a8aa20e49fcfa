"""Registers an agent of any protocol by what it can do and where it is…: `POST /agents`."""

from agent_registry_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="register_agent",
    title="",
    description="Registers an agent of any protocol by what it can do and where it is reached.",
    route=Route("POST", "/agents", body=Body("application/json", required=True)),
    hints=Hints(read_only=False, destructive=False, idempotent=False, open_world=False),
    arguments=(
        Argument(
            "name",
            "body",
            {
                "type": "string",
                "minLength": 1,
                "maxLength": 200,
                "description": "What people call it. At most 200 characters.",
            },
            required=True,
        ),
        Argument(
            "description",
            "body",
            {"type": "string", "maxLength": 10000, "description": "What it is for."},
        ),
        Argument(
            "capabilities",
            "body",
            {
                "type": "string",
                "description": (
                    "What it can do. JSON: `[{name: string, description?: string, tags?: "
                    "[string]}]`."
                ),
            },
            text="json",
            check={"type": "array", "maxItems": 5000, "items": {"$ref": "#/$defs/Capability"}},
        ),
        Argument(
            "endpoints",
            "body",
            {
                "type": "string",
                "description": (
                    "Where it is reached. JSON: `[{name: string, transport: string, protocol: "
                    'string, address: string, livenessModel: "Persistent" | "Ephemeral", '
                    "heartbeatIntervalSeconds?: integer >= 1 <= 86400, ttlSeconds?: integer >= 1 "
                    "<= 604800}]`."
                ),
            },
            required=True,
            text="json",
            check={
                "type": "array",
                "minItems": 1,
                "maxItems": 20,
                "items": {"$ref": "#/$defs/NewEndpoint"},
            },
        ),
    ),
)
