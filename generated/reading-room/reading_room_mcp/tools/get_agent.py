"""All that is set about one agent, with…: `GET /workspaces/{workspaceId}/agents/{agentId}`."""

from reading_room_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="get_agent",
    title="",
    description="All that is set about one agent, with its prompts and tools.",
    route=Route(
        "GET",
        "/workspaces/{workspaceId}/agents/{agentId}",
        security=(("service_token",),),
    ),
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    arguments=(
        Argument(
            "agentId",
            "path",
            {
                "type": "string",
                "minLength": 1,
                "maxLength": 100,
                "description": "ID of the agent, as `list_agents` has it. At most 100 characters.",
            },
            required=True,
            style="simple",
        ),
    ),
    bound=(
        Argument(
            "workspaceId",
            "path",
            {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,39}$"},
            required=True,
        ),
    ),
)
