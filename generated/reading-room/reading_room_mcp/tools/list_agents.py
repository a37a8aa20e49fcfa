"""All agents of the workspace, by name: `GET /workspaces/{workspaceId}/agents`."""

from reading_room_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="list_agents",
    title="",
    description="All agents of the workspace, by name.",
    route=Route("GET", "/workspaces/{workspaceId}/agents", security=(("service_token",),)),
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    fields=("agentId", "name", "description", "knowledgeBaseIds", "llmServiceId", "rerankEnabled"),
    bound=(
        Argument(
            "workspaceId",
            "path",
            {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,39}$"},
            required=True,
        ),
    ),
)
