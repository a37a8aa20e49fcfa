"""What clients of the Reading Room API read by URI."""

from reading_room_mcp._runtime.resources.completion_values import ListedValues
from reading_room_mcp._runtime.resources.resources import Resource, Resources

RESOURCES = Resources(
    (
        Resource(
            "reading-room://knowledge-bases",
            "knowledge-bases",
            description="All knowledge bases of the workspace, by name.",
            mime_type="application/json",
            tool="list_knowledge_bases",
        ),
        Resource(
            "reading-room://knowledge-bases/{knowledgeBaseId}/documents",
            "documents",
            description="What a knowledge base has read, the newest first, without the texts.",
            mime_type="application/json",
            tool="list_documents",
            complete={"knowledgeBaseId": ListedValues("list_knowledge_bases", "knowledgeBaseId")},
        ),
        Resource(
            "reading-room://agents",
            "agents",
            description="All agents of the workspace, by name.",
            mime_type="application/json",
            tool="list_agents",
        ),
        Resource(
            "reading-room://agents/{agentId}/chats",
            "chats",
            description="List chats. The conversations with one agent, the newest first.",
            mime_type="application/json",
            tool="list_chats",
            complete={"agentId": ListedValues("list_agents", "agentId")},
        ),
        Resource(
            "reading-room://chats/{chatId}/messages",
            "messages",
            description=(
                "List the messages of a chat. What was said in a conversation, the oldest first."
            ),
            mime_type="application/json",
            tool="list_chat_messages",
        ),
    ),
)
