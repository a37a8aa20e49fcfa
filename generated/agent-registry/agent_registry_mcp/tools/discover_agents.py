"""Agents of every protocol with their capabilities and endpoints…: `GET /discover/agents`."""

from agent_registry_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="discover_agents",
    title="",
    description=(
        "Agents of every protocol with their capabilities and endpoints, in the order of their "
        "registration."
    ),
    route=Route("GET", "/discover/agents"),
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    arguments=(
        Argument(
            "name",
            "query",
            {
                "type": "string",
                "maxLength": 200,
                "description": (
                    "Only those whose name holds this text, in upper or lower case. At most 200 "
                    "characters."
                ),
            },
            style="form",
            explode=True,
        ),
        Argument(
            "capability",
            "query",
            {
                "type": "string",
                "maxLength": 200,
                "description": (
                    "Only those that have a capability of exactly this name, such as the name of a "
                    "tool. At most 200 characters."
                ),
            },
            style="form",
            explode=True,
        ),
        Argument(
            "tags",
            "query",
            {
                "type": "array",
                "items": {"type": "string", "minLength": 1, "maxLength": 60},
                "maxItems": 20,
                "description": (
                    "Only those that have a capability with all of these tags. At most 20 items. "
                    "Each: at most 60 characters."
                ),
            },
            style="form",
        ),
        Argument(
            "protocol",
            "query",
            {
                "type": "string",
                "pattern": "^[A-Za-z0-9-]{1,40}$",
                "description": (
                    "Only agents with an endpoint of this protocol. Pattern: "
                    "`^[A-Za-z0-9-]{1,40}$`."
                ),
            },
            style="form",
            explode=True,
        ),
        Argument(
            "transport",
            "query",
            {
                "type": "string",
                "pattern": "^[A-Za-z0-9-]{1,40}$",
                "description": (
                    "Only agents with an endpoint of this transport. Pattern: "
                    "`^[A-Za-z0-9-]{1,40}$`."
                ),
            },
            style="form",
            explode=True,
        ),
        Argument(
            "live",
            "query",
            {
                "type": "boolean",
                "default": True,
                "description": "Whether to leave out those that are not alive. Default: true.",
            },
            style="form",
            explode=True,
        ),
        Argument(
            "page",
            "query",
            {
                "type": "integer",
                "minimum": 1,
                "maximum": 100000,
                "default": 1,
                "description": "Which page, from 1. 1 to 100000. Default: 1.",
            },
            style="form",
            explode=True,
        ),
        Argument(
            "pageSize",
            "query",
            {
                "type": "integer",
                "minimum": 1,
                "maximum": 100,
                "default": 20,
                "description": "How many on a page. 1 to 100. Default: 20.",
            },
            style="form",
            explode=True,
        ),
    ),
)
