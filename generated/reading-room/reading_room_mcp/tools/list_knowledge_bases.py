"""All knowledge bases of the workspace…: `GET /workspaces/{workspaceId}/knowledge-bases`."""

from reading_room_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="list_knowledge_bases",
    title="",
    description="All knowledge bases of the workspace, by name.",
    route=Route("GET", "/workspaces/{workspaceId}/knowledge-bases", security=(("service_token",),)),
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    fields=("knowledgeBaseId", "name", "description", "status", "language"),
    bound=(
        Argument(
            "workspaceId",
            "path",
            {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,39}$"},
            required=True,
        ),
    ),
)
