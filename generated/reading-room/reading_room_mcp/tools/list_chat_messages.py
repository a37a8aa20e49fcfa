"""List the messages of a chat…: `GET /workspaces/{workspaceId}/chats/{chatId}/messages`."""

from reading_room_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="list_chat_messages",
    title="",
    description="List the messages of a chat. What was said in a conversation, the oldest first.",
    route=Route(
        "GET",
        "/workspaces/{workspaceId}/chats/{chatId}/messages",
        security=(("service_token",),),
    ),
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    arguments=(
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
    ),
    fields=("messageId", "role", "content", "messageTs", "metadata"),
    bound=(
        Argument(
            "workspaceId",
            "path",
            {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,39}$"},
            required=True,
        ),
    ),
)
