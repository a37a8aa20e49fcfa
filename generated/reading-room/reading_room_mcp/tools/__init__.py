"""The tools, in the order of the specification."""

from reading_room_mcp._runtime.tool import Tool
from reading_room_mcp.tools import (
    chat_send,
    create_knowledge_base,
    delete_document,
    delete_knowledge_base,
    get_agent,
    ingest_text,
    list_agents,
    list_chat_messages,
    list_chats,
    list_documents,
    list_knowledge_bases,
    run_agent,
    search_kb,
)

TOOLS: tuple[Tool, ...] = (
    list_knowledge_bases.TOOL,
    create_knowledge_base.TOOL,
    delete_knowledge_base.TOOL,
    search_kb.TOOL,
    list_documents.TOOL,
    ingest_text.TOOL,
    delete_document.TOOL,
    list_agents.TOOL,
    get_agent.TOOL,
    list_chats.TOOL,
    chat_send.TOOL,
    run_agent.TOOL,
    list_chat_messages.TOOL,
)
