"""`DELETE /workspaces/{workspaceId}/knowledge-bases/{knowledgeBaseId}`."""

from reading_room_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="delete_knowledge_base",
    title="",
    description="Removes a knowledge base with all its documents.",
    route=Route(
        "DELETE",
        "/workspaces/{workspaceId}/knowledge-bases/{knowledgeBaseId}",
        security=(("service_token",),),
    ),
    hints=Hints(read_only=False, destructive=True, idempotent=True, open_world=False),
    arguments=(
        Argument(
            "knowledgeBaseId",
            "path",
            {
                "type": "string",
                "minLength": 1,
                "maxLength": 100,
                "description": (
                    "ID of the knowledge base, as `list_knowledge_bases` has it. At most 100 "
                    "characters."
                ),
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
