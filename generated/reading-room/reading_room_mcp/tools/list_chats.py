"""List chats. The conversations…: `GET /workspaces/{workspaceId}/agents/{agentId}/chats`."""

from reading_room_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="list_chats",
    title="",
    description="List chats. The conversations with one agent, the newest first.",
    route=Route(
        "GET",
        "/workspaces/{workspaceId}/agents/{agentId}/chats",
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
    fields=("chatId", "agentId", "title", "knowledgeBaseIds", "createdAt"),
    bound=(
        Argument(
            "workspaceId",
            "path",
            {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,39}$"},
            required=True,
        ),
    ),
)
