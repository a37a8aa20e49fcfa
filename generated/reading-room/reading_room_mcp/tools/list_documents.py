"""`GET /workspaces/{workspaceId}/knowledge-bases/{knowledgeBaseId}/documents`."""

from reading_room_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="list_documents",
    title="",
    description="What a knowledge base has read, the newest first, without the texts.",
    route=Route(
        "GET",
        "/workspaces/{workspaceId}/knowledge-bases/{knowledgeBaseId}/documents",
        security=(("service_token",),),
    ),
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
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
        Argument(
            "limit",
            "query",
            {
                "type": "integer",
                "minimum": 1,
                "maximum": 200,
                "default": 50,
                "description": "How many documents to list at most. 1 to 200. Default: 50.",
            },
            style="form",
            explode=True,
        ),
    ),
    fields=("documentId", "sourceFilename", "status", "chunkTotal", "contentHash", "ingestedAt"),
    bound=(
        Argument(
            "workspaceId",
            "path",
            {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,39}$"},
            required=True,
        ),
    ),
)
