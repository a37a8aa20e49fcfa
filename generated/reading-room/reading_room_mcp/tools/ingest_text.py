"""`POST /workspaces/{workspaceId}/knowledge-bases/{knowledgeBaseId}/documents`."""

from reading_room_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="ingest_text",
    title="",
    description=(
        "Gives a knowledge base a text to read: it is cut into chunks, embedded and stored before "
        "the answer comes. A text that is known already is not stored twice. A file name that "
        "belongs to another text is refused, unless `overwriteOnNameConflict` says to replace that "
        "text."
    ),
    route=Route(
        "POST",
        "/workspaces/{workspaceId}/knowledge-bases/{knowledgeBaseId}/documents",
        security=(("service_token",),),
        body=Body("application/json", required=True),
    ),
    hints=Hints(read_only=False, destructive=True, idempotent=False, open_world=False),
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
            "text",
            "body",
            {"type": "string", "minLength": 1, "maxLength": 100000, "description": "Text."},
            required=True,
        ),
        Argument(
            "sourceFilename",
            "body",
            {
                "type": "string",
                "minLength": 1,
                "maxLength": 200,
                "description": "Name of the file that the text comes from. At most 200 characters.",
            },
        ),
        Argument(
            "sourceDocId",
            "body",
            {
                "type": "string",
                "minLength": 1,
                "maxLength": 200,
                "description": (
                    "ID of the document in the system that it comes from. At most 200 characters."
                ),
            },
        ),
        Argument(
            "metadata",
            "body",
            {
                "type": "string",
                "description": (
                    "What else should be remembered about the text. JSON: `{[key]: any}`."
                ),
            },
            text="json",
            check={"type": "object", "additionalProperties": True},
        ),
        Argument(
            "overwriteOnNameConflict",
            "body",
            {"type": "boolean", "description": "Whether a text of the same file name is replaced."},
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
