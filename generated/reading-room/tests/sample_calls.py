"""The fewest arguments that each tool accepts, as far as known."""

from typing import Any

LEAST: dict[str, dict[str, Any]] = {
    "list_knowledge_bases": {},
    "create_knowledge_base": {
        "name": "Harbour handbook",
        "chunkingServiceId": "paragraphs",
        "embeddingServiceId": "letters-26",
    },
    "delete_knowledge_base": {"knowledgeBaseId": "sample"},
    "search_kb": {"knowledgeBaseId": "sample", "text": "When is high water?"},
    "list_documents": {"knowledgeBaseId": "sample"},
    "ingest_text": {"knowledgeBaseId": "sample", "text": "High water at the east quay is at noon."},
    "delete_document": {"knowledgeBaseId": "sample", "documentId": "sample"},
    "list_agents": {},
    "get_agent": {"agentId": "sample"},
    "list_chats": {"agentId": "sample"},
    "chat_send": {
        "agentId": "sample",
        "chatId": "sample",
        "content": "When may I leave the harbour?",
    },
    "run_agent": {"agentId": "sample", "content": "When may I leave the harbour?"},
    "list_chat_messages": {"chatId": "sample"},
}
