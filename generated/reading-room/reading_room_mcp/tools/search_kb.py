"""`POST /workspaces/{workspaceId}/knowledge-bases/{knowledgeBaseId}/search`."""

from reading_room_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="search_kb",
    title="Search a knowledge base",
    description=(
        "Search a knowledge base. The chunks that are closest to a text or to a vector, the best "
        "first."
    ),
    route=Route(
        "POST",
        "/workspaces/{workspaceId}/knowledge-bases/{knowledgeBaseId}/search",
        security=(("service_token",),),
        body=Body(
            "application/json",
            required=True,
            check={
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "text": {"type": "string", "minLength": 1, "maxLength": 2000},
                    "vector": {
                        "type": "array",
                        "minItems": 26,
                        "maxItems": 26,
                        "items": {"type": "number"},
                    },
                    "topK": {"type": "integer", "minimum": 1, "maximum": 50},
                    "hybrid": {"type": "boolean"},
                    "rerank": {"type": "boolean"},
                },
                "oneOf": [{"required": ["text"]}, {"required": ["vector"]}],
            },
        ),
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
            "text",
            "body",
            {
                "type": "string",
                "minLength": 1,
                "maxLength": 2000,
                "description": (
                    "What to look for; give either this or `vector`. Required for variant 1."
                ),
            },
        ),
        Argument(
            "vector",
            "body",
            {
                "type": "array",
                "items": {"type": "number"},
                "minItems": 26,
                "maxItems": 26,
                "description": (
                    "Vector to look for; give either this or `text`. Required for variant 2. "
                    "Exactly 26 items."
                ),
            },
        ),
        Argument(
            "topK",
            "body",
            {
                "type": "integer",
                "minimum": 1,
                "maximum": 50,
                "default": 5,
                "description": "How many chunks to find. 1 to 50. Default: 5.",
            },
        ),
        Argument(
            "hybrid",
            "body",
            {
                "type": "boolean",
                "description": "Whether words that stand in a chunk count beside its vector.",
            },
        ),
        Argument(
            "rerank",
            "body",
            {
                "type": "boolean",
                "description": "Whether the knowledge base's reranking service orders the hits.",
            },
        ),
    ),
    fields=("chunkId", "score", "documentId", "content"),
    bound=(
        Argument(
            "workspaceId",
            "path",
            {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,39}$"},
            required=True,
        ),
    ),
)
