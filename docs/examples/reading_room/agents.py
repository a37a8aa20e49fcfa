"""Agents of the Reading Room and conversations with them: what its operations do."""

from __future__ import annotations

import json
from typing import Any

from docs.examples.reading_room import knowledge
from docs.examples.reading_room.library import Library, Problem, stored

DEFAULT_PROMPT = "You are the librarian."
"""What an agent without a prompt of its own is told."""

MUTE = "mute"
"""The language model that never completes anything."""

Json = dict[str, Any]


def list_agents(library: Library, workspace: str) -> list[Json]:
    """Those of a workspace, by name."""
    query = "select * from agents where workspace = ? order by name"
    return [_shown(row) for row in library.rows(query, workspace)]


def get_agent(library: Library, workspace: str, agent: str) -> Json:
    """All about one agent."""
    query = "select * from agents where id = ? and workspace = ?"
    return _shown(library.one("agent", query, agent, workspace))


def list_chats(library: Library, workspace: str, agent: str) -> list[Json]:
    """The conversations with an agent, the newest first."""
    bases = get_agent(library, workspace, agent)["knowledgeBaseIds"]
    query = "select * from chats where agent = ? order by at desc, rowid desc"
    return [
        {
            "chatId": row["id"],
            "agentId": agent,
            "title": row["title"],
            "knowledgeBaseIds": bases,
            "createdAt": row["at"],
            "messageTotal": len(_said(library, row["id"])),
        }
        for row in library.rows(query, agent)
    ]


def list_messages(library: Library, workspace: str, chat: str) -> list[Json]:
    """What was said in a conversation, the oldest first."""
    library.one("chat", "select * from chats where id = ? and workspace = ?", chat, workspace)
    return [
        {
            "messageId": row["id"],
            "role": row["role"],
            "content": row["content"],
            "messageTs": row["at"],
            "metadata": json.loads(row["metadata"]),
            "chatId": chat,
        }
        for row in _said(library, chat)
    ]


def say(library: Library, workspace: str, agent: str, chat: str, given: Json) -> Json:
    """The reply, which is kept as what was said is."""
    content = given["content"]
    known = get_agent(library, workspace, agent)
    library.one("chat", "select * from chats where id = ? and agent = ?", chat, agent)
    _keep(library, chat, "user", content)
    reply, chunks = _completed(library, workspace, known, content)
    _keep(library, chat, "assistant", reply, contextChunkIds=chunks)
    return list_messages(library, workspace, chat)[-1]


def run(library: Library, workspace: str, agent: str, given: Json) -> Json:
    """What came of one question, in a conversation that is found or begun."""
    get_agent(library, workspace, agent)
    chat = given.get("conversationId")
    if chat is None:
        chat = library.id("chat")
        title = given.get("title") or given["content"][:40]
        library.add(
            "chats", id=chat, agent=agent, workspace=workspace, title=title, at=library.now()
        )
    reply = say(library, workspace, agent, chat, given)
    return {
        "outcome": "completed",
        "conversationId": chat,
        "agentId": agent,
        "content": reply["content"],
        "finishReason": "stop",
        "tokenCount": len(reply["content"].split()),
        "contextChunkIds": reply["metadata"]["contextChunkIds"],
    }


def _completed(library: Library, workspace: str, agent: Json, said: str) -> tuple[str, list[str]]:
    """What the language model says, and the chunks it was given."""
    if agent["llmServiceId"] == MUTE:
        raise Problem(502, "completion_error", "The language model did not answer.")
    asked = {"text": said, "topK": 1, "rerank": agent["rerankEnabled"]}
    hits = [
        hit
        for kb in agent["knowledgeBaseIds"]
        for hit in knowledge.search(library, workspace, kb, asked)
    ]
    prompt = agent["systemPrompt"] or DEFAULT_PROMPT
    read = " ".join(hit["content"] for hit in hits) or "Nothing is written about that."
    return f"[{prompt}] {read}", [hit["chunkId"] for hit in hits]


def _keep(library: Library, chat: str, role: str, content: str, **metadata: Any) -> None:
    message = library.id("message")
    library.add(
        "messages",
        id=message,
        chat=chat,
        role=role,
        content=content,
        at=library.now(),
        metadata=stored(metadata),
    )


def _said(library: Library, chat: str) -> list[Json]:
    return library.rows("select * from messages where chat = ? order by at, rowid", chat)


def _shown(row: Json) -> Json:
    shown: Json = {"agentId": row["id"], "name": row["name"], **json.loads(row["set_up"])}
    return shown
