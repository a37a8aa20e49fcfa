"""Register an MCP server: `POST /mcp/servers`."""

from agent_registry_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="register_server",
    title="Register an MCP server",
    description=(
        "Registers an MCP server by its card, which is given back exactly as it came. It has to "
        "send a heartbeat every 30 seconds."
    ),
    route=Route("POST", "/mcp/servers", body=Body("application/json", required=True)),
    hints=Hints(read_only=False, destructive=False, idempotent=False, open_world=False),
    arguments=(
        Argument(
            "serverCard_mcpVersion",
            "body",
            {"type": "string", "description": "Mcp version of server card, in the body."},
            required=True,
            to=("serverCard", "mcpVersion"),
        ),
        Argument(
            "serverCard_serverInfo_name",
            "body",
            {
                "type": "string",
                "minLength": 1,
                "maxLength": 200,
                "description": (
                    "Name of server card server info, in the body. At most 200 characters."
                ),
            },
            required=True,
            to=("serverCard", "serverInfo", "name"),
        ),
        Argument(
            "serverCard_serverInfo_title",
            "body",
            {"type": "string", "description": "Title of server card server info, in the body."},
            to=("serverCard", "serverInfo", "title"),
        ),
        Argument(
            "serverCard_serverInfo_version",
            "body",
            {"type": "string", "description": "Version of server card server info, in the body."},
            required=True,
            to=("serverCard", "serverInfo", "version"),
        ),
        Argument(
            "serverCard_endpoints_streamableHttp",
            "body",
            {
                "type": "string",
                "maxLength": 2000,
                "pattern": "^https?://[^\\s]+$",
                "description": (
                    "Streamable http of server card endpoints, in the body. Pattern: "
                    "`^https?://[^\\s]+$`."
                ),
            },
            required=True,
            to=("serverCard", "endpoints", "streamableHttp"),
        ),
        Argument(
            "serverCard_capabilities",
            "body",
            {
                "type": "string",
                "description": "Capabilities of server card, in the body. JSON: `{[key]: {}}`.",
            },
            required=True,
            to=("serverCard", "capabilities"),
            text="json",
            check={"type": "object", "additionalProperties": {"type": "object"}},
        ),
        Argument(
            "serverCard_tools",
            "body",
            {"type": "string", "description": "Tools of server card, in the body. JSON: `[{}]`."},
            to=("serverCard", "tools"),
            text="json",
            check={
                "type": "array",
                "maxItems": 5000,
                "items": {"type": "object", "required": ["name"]},
            },
        ),
        Argument(
            "serverCard_resources",
            "body",
            {
                "type": "string",
                "description": "Resources of server card, in the body. JSON: `[{}]`.",
            },
            to=("serverCard", "resources"),
            text="json",
            check={
                "type": "array",
                "maxItems": 5000,
                "items": {"type": "object", "required": ["uri", "name"]},
            },
        ),
        Argument(
            "serverCard_prompts",
            "body",
            {"type": "string", "description": "Prompts of server card, in the body. JSON: `[{}]`."},
            to=("serverCard", "prompts"),
            text="json",
            check={
                "type": "array",
                "maxItems": 5000,
                "items": {"type": "object", "required": ["name"]},
            },
        ),
        Argument(
            "serverCard_instructions",
            "body",
            {"type": "string", "description": "Instructions of server card, in the body."},
            to=("serverCard", "instructions"),
        ),
    ),
)
