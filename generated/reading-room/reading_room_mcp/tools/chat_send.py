"""`POST /workspaces/{workspaceId}/agents/{agentId}/chats/{chatId}/messages`."""

from reading_room_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="chat_send",
    title="Say something in a chat",
    description=(
        "Say something in a chat. Adds a message to a conversation and answers with what the agent "
        "replies."
    ),
    route=Route(
        "POST",
        "/workspaces/{workspaceId}/agents/{agentId}/chats/{chatId}/messages",
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
            "chatId",
            "path",
            {
                "type": "string",
                "minLength": 1,
                "maxLength": 100,
                "description": (
                    "ID of the conversation, as `list_chats` has it. At most 100 characters."
                ),
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
