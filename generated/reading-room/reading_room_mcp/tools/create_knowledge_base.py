"""Makes an empty knowledge base and the…: `POST /workspaces/{workspaceId}/knowledge-bases`."""

from reading_room_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="create_knowledge_base",
    title="",
    description=(
        "Makes an empty knowledge base and the vector collection behind it. With `attach`, an "
        "existing collection is taken instead, and stays when the knowledge base goes."
    ),
    route=Route(
        "POST",
        "/workspaces/{workspaceId}/knowledge-bases",
        security=(("service_token",),),
        body=Body("application/json", required=True),
    ),
    hints=Hints(read_only=False, destructive=False, idempotent=False, open_world=False),
    arguments=(
        Argument(
            "name",
            "body",
            {
                "type": "string",
                "minLength": 1,
                "maxLength": 80,
                "description": (
                    "Name that no other knowledge base of the workspace has. At most 80 characters."
                ),
            },
            required=True,
        ),
        Argument(
            "chunkingServiceId",
            "body",
            {
                "type": "string",
                "minLength": 1,
                "description": "Service that cuts documents into chunks.",
            },
            required=True,
        ),
        Argument(
            "embeddingServiceId",
            "body",
            {
                "type": "string",
                "minLength": 1,
                "description": "Service that turns chunks into vectors.",
            },
            required=True,
        ),
        Argument(
            "description",
            "body",
            {
                "type": "string",
                "maxLength": 500,
                "description": "What can be read there. At most 500 characters.",
            },
        ),
        Argument(
            "rerankingServiceId",
            "body",
            {
                "type": "string",
                "minLength": 1,
                "description": "Service that puts hits into a better order.",
            },
        ),
        Argument(
            "language",
            "body",
            {
                "type": "string",
                "pattern": "^[a-z]{2}$",
                "description": "Language of the documents as two letters. Pattern: `^[a-z]{2}$`.",
            },
        ),
        Argument(
            "attach",
            "body",
            {
                "type": "boolean",
                "description": "Whether an existing collection is taken instead of making one.",
            },
        ),
        Argument(
            "vectorCollection",
            "body",
            {
                "type": "string",
                "pattern": "^[a-z][a-z0-9_]{0,47}$",
                "description": (
                    "Name of the collection; made from the name if left out. Pattern: "
                    "`^[a-z][a-z0-9_]{0,47}$`."
                ),
            },
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
