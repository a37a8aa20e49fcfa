"""Asks an agent in one call: goes…: `POST /workspaces/{workspaceId}/agents/{agentId}/runs`."""

from reading_room_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="run_agent",
    title="",
    description=(
        "Asks an agent in one call: goes on with a conversation or begins one, looks up what its "
        "knowledge bases say, and answers with the agent's own prompt."
    ),
    route=Route(
        "POST",
        "/workspaces/{workspaceId}/agents/{agentId}/runs",
        security=(("service_token",),),
        body=Body("application/json", required=True),
    ),
    hints=Hints(read_only=False, destructive=False, idempotent=False),
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
        Argument(
            "content",
            "body",
            {"type": "string", "minLength": 1, "maxLength": 20000, "description": "What to say."},
            required=True,
        ),
        Argument(
            "conversationId",
            "body",
            {
                "type": "string",
                "minLength": 1,
                "maxLength": 100,
                "description": (
                    "Conversation to go on with; a new one if left out. At most 100 characters."
                ),
            },
        ),
        Argument(
            "title",
            "body",
            {
                "type": "string",
                "minLength": 1,
                "maxLength": 120,
                "description": "Title of a new conversation. At most 120 characters.",
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
