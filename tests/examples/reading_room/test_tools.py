"""The thirteen tools over HTTP, before a running API."""

from __future__ import annotations

from typing import Any

import pytest
from docs.examples.reading_room.api import TIDES
from docs.examples.reading_room.library import embedded
from tests.examples.local_api import LocalApi
from tests.examples.project_process import ServerEndpoint
from tests.examples.reading_room.conftest import ReplaceableLibraryApi

KB = "kb-1"
"""The knowledge base that is there from the beginning."""

SERVICES = {"chunkingServiceId": "paragraphs", "embeddingServiceId": "letters-26"}

ARGUMENTS = {
    "list_knowledge_bases": "",
    "list_agents": "",
    "get_agent": "agentId",
    "list_documents": "knowledgeBaseId limit?",
    "search_kb": "knowledgeBaseId text? vector? topK? hybrid? rerank?",
    "list_chats": "agentId",
    "list_chat_messages": "chatId",
    "ingest_text": "knowledgeBaseId text sourceFilename? sourceDocId? metadata?"
    " overwriteOnNameConflict?",
    "delete_document": "knowledgeBaseId documentId",
    "create_knowledge_base": "name chunkingServiceId embeddingServiceId description?"
    " rerankingServiceId? language? attach? vectorCollection?",
    "delete_knowledge_base": "knowledgeBaseId",
    "chat_send": "agentId chatId content",
    "run_agent": "agentId content conversationId? title?",
}
"""The arguments of every tool; those with a question mark may be left out."""

READING = {
    *("list_knowledge_bases", "list_agents", "get_agent", "list_documents", "search_kb"),
    *("list_chats", "list_chat_messages"),
}
DESTROYING = {"ingest_text", "delete_document", "delete_knowledge_base"}


def told_arguments(tool: dict[str, Any]) -> set[str]:
    """Arguments of a listed tool in the notation of `ARGUMENTS`."""
    schema = tool["inputSchema"]
    return {name if name in schema["required"] else f"{name}?" for name in schema["properties"]}


def test_there_are_thirteen_tools_with_their_arguments(room: ServerEndpoint) -> None:
    tools = room.tools()

    arguments = {name: told_arguments(tool) for name, tool in tools.items()}
    assert arguments == {name: set(listing.split()) for name, listing in ARGUMENTS.items()}


def test_annotations_say_what_reads_and_what_destroys(room: ServerEndpoint) -> None:
    hints = {name: tool["annotations"] for name, tool in room.tools().items()}

    assert {name for name, hint in hints.items() if hint["readOnlyHint"]} == READING
    assert {name for name, hint in hints.items() if hint["destructiveHint"]} == DESTROYING


def test_knowledge_bases_are_listed_with_five_facts(room: ServerEndpoint) -> None:
    assert room.call_json("list_knowledge_bases") == [
        {
            "knowledgeBaseId": KB,
            "name": "Pilot book",
            "description": "How to get in and out.",
            "status": "ready",
            "language": "en",
        }
    ]


def test_agents_are_listed_with_six_facts(room: ServerEndpoint) -> None:
    agents = room.call_json("list_agents")

    assert [agent["name"] for agent in agents] == ["Clerk", "Pilot", "Statue"]
    assert agents[1] == {
        "agentId": "pilot",
        "name": "Pilot",
        "description": "The pilot.",
        "knowledgeBaseIds": [KB],
        "llmServiceId": "echo",
        "rerankEnabled": True,
    }


def test_one_agent_is_told_in_full(room: ServerEndpoint) -> None:
    agent = room.call_json("get_agent", agentId="pilot")

    assert agent["systemPrompt"] == "Be brief."
    assert agent["toolIds"] == ["search_kb"]
    assert agent["knowledgeBaseIds"] == [KB]
    assert agent["rerankingOverrides"] == {}


def test_documents_are_listed_without_their_texts(room: ServerEndpoint) -> None:
    (document,) = room.call_json("list_documents", knowledgeBaseId=KB)

    assert document.keys() == {
        *("documentId", "sourceFilename", "status", "chunkTotal", "contentHash", "ingestedAt")
    }
    assert document["sourceFilename"] == "tides.md"
    assert document["chunkTotal"] == 2


def test_no_more_documents_are_listed_than_asked_for(room: ServerEndpoint) -> None:
    for text in ("One.", "Two.", "Three."):
        room.call_json("ingest_text", knowledgeBaseId=KB, text=text)

    assert len(room.call_json("list_documents", knowledgeBaseId=KB, limit=2)) == 2
    assert len(room.call_json("list_documents", knowledgeBaseId=KB)) == 4


def test_search_by_text_finds_the_closest_chunk_first(room: ServerEndpoint) -> None:
    hits = room.call_json("search_kb", knowledgeBaseId=KB, text="Leave before the ebb", topK=2)

    assert [hit["content"] for hit in hits] == TIDES.split("\n\n")[::-1]
    assert hits[0].keys() == {"chunkId", "score", "documentId", "content"}
    assert hits[0]["score"] > hits[1]["score"]


def test_search_by_vector_finds_the_same_as_by_text(room: ServerEndpoint) -> None:
    text = "Leave before the ebb"

    by_text = room.call_json("search_kb", knowledgeBaseId=KB, text=text)
    by_vector = room.call_json("search_kb", knowledgeBaseId=KB, vector=embedded(text))

    assert by_vector == by_text


@pytest.mark.parametrize("query", [{}, {"text": "ebb", "vector": [0.2] * 26}], ids=["none", "both"])
def test_search_takes_either_a_text_or_a_vector(
    api: LocalApi, room: ServerEndpoint, query: dict[str, Any]
) -> None:
    before = len(api.requests)

    result = room.call("search_kb", knowledgeBaseId=KB, **query)

    assert result["isError"]
    assert "`search_kb` was not called" in result["content"][0]["text"]
    assert len(api.requests) == before


def test_words_count_in_a_hybrid_search_and_in_a_reranked_one(room: ServerEndpoint) -> None:
    query = {"knowledgeBaseId": KB, "text": "noon"}

    plain, hybrid, reranked_score = (
        room.call_json("search_kb", **query, **more)[0]["score"]
        for more in ({}, {"hybrid": True}, {"rerank": True})
    )

    assert hybrid == pytest.approx((plain + 1) / 2, abs=1e-6)
    assert reranked_score == 1


def test_a_new_text_is_completed_and_found(room: ServerEndpoint) -> None:
    result = room.call_json(
        "ingest_text",
        knowledgeBaseId=KB,
        text="The fog horn sounds twice.\n\nThen wait.",
        sourceFilename="fog.md",
        sourceDocId="F-1",
        metadata='{"page": 7}',
    )

    assert result.keys() == {"outcome", "documentId", "sourceFilename", "contentHash", "chunks"}
    assert (result["outcome"], result["chunks"]) == ("completed", 2)
    hits = room.call_json("search_kb", knowledgeBaseId=KB, text="fog horn", hybrid=True, topK=1)
    assert hits[0]["documentId"] == result["documentId"]


def test_a_known_text_is_a_duplicate_and_not_read_again(
    house: ReplaceableLibraryApi, room: ServerEndpoint
) -> None:
    (document,) = room.call_json("list_documents", knowledgeBaseId=KB)

    result = room.call_json(
        "ingest_text", knowledgeBaseId=KB, text=TIDES, sourceFilename="again.md"
    )

    assert (result["outcome"], result["documentId"]) == ("duplicate", document["documentId"])
    assert len(house.library.rows("select * from chunks")) == 2


def test_another_text_of_the_same_name_is_a_conflict_that_says_what_to_do(
    room: ServerEndpoint,
) -> None:
    refusal = room.refused(
        "ingest_text", knowledgeBaseId=KB, text="Other.", sourceFilename="tides.md"
    )

    assert refusal["outcome"] == "name_conflict"
    assert "overwriteOnNameConflict" in refusal["message"]
    assert len(room.call_json("list_documents", knowledgeBaseId=KB)) == 1


def test_a_conflict_is_overwritten_when_told_to(room: ServerEndpoint) -> None:
    result = room.call_json(
        "ingest_text",
        knowledgeBaseId=KB,
        text="Other.",
        sourceFilename="tides.md",
        overwriteOnNameConflict=True,
    )

    assert result["outcome"] == "completed"
    documents = room.call_json("list_documents", knowledgeBaseId=KB)
    assert [document["documentId"] for document in documents] == [result["documentId"]]


def test_a_document_is_deleted_with_its_chunks(
    house: ReplaceableLibraryApi, room: ServerEndpoint
) -> None:
    (document,) = room.call_json("list_documents", knowledgeBaseId=KB)
    id = document["documentId"]

    result = room.call_json("delete_document", knowledgeBaseId=KB, documentId=id)

    assert result == {"outcome": "deleted", "documentId": id, "chunksDropped": 2}
    assert house.library.rows("select * from chunks") == []


def test_a_document_that_is_not_there_is_not_found_and_no_failure(room: ServerEndpoint) -> None:
    result = room.call_json("delete_document", knowledgeBaseId=KB, documentId="doc-404")

    assert result == {"outcome": "not_found", "documentId": "doc-404"}


def test_a_document_of_no_knowledge_base_is_a_failure(room: ServerEndpoint) -> None:
    refusal = room.refused("delete_document", knowledgeBaseId="kb-404", documentId="doc-404")

    assert (refusal["outcome"], refusal["code"]) == ("error", "knowledge_base_not_found")


def test_a_knowledge_base_is_created_with_a_collection_of_its_own(room: ServerEndpoint) -> None:
    result = room.call_json("create_knowledge_base", name="Signal flags", **SERVICES)

    assert result == {
        "outcome": "created",
        "knowledgeBaseId": result["knowledgeBaseId"],
        "vectorCollection": "signal_flags",
        "owned": True,
    }
    assert len(room.call_json("list_knowledge_bases")) == 2


def test_a_knowledge_base_may_be_attached_to_a_collection(room: ServerEndpoint) -> None:
    settings = {"attach": True, "vectorCollection": "old_logbooks", "language": "nl"}

    result = room.call_json("create_knowledge_base", name="Logbooks", **settings, **SERVICES)

    assert (result["vectorCollection"], result["owned"]) == ("old_logbooks", False)


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"name": "Pilot book"}, "kb_name_taken"),
        ({"name": "Logs", "vectorCollection": "old_logbooks"}, "collection_name_taken"),
        ({"name": "Logs", "embeddingServiceId": "letters-27"}, "embedding_mismatch"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_created_says_why_with_a_code(
    room: ServerEndpoint, settings: dict[str, str], code: str
) -> None:
    refusal = room.refused("create_knowledge_base", **{**SERVICES, **settings})

    assert (refusal["outcome"], refusal["code"]) == ("error", code)


def test_a_knowledge_base_is_deleted_with_its_own_collection(
    house: ReplaceableLibraryApi, room: ServerEndpoint
) -> None:
    result = room.call_json("delete_knowledge_base", knowledgeBaseId=KB)

    assert result == {"outcome": "deleted", "knowledgeBaseId": KB}
    assert [row["name"] for row in house.library.rows("select name from collections")] == [
        "old_logbooks"
    ]


def test_an_attached_collection_stays(house: ReplaceableLibraryApi, room: ServerEndpoint) -> None:
    settings = {"attach": True, "vectorCollection": "old_logbooks"}
    result = room.call_json("create_knowledge_base", name="Logbooks", **settings, **SERVICES)

    room.call_json("delete_knowledge_base", knowledgeBaseId=result["knowledgeBaseId"])

    assert len(house.library.rows("select name from collections")) == 2


def test_deleting_a_knowledge_base_again_is_not_found_and_no_failure(room: ServerEndpoint) -> None:
    room.call_json("delete_knowledge_base", knowledgeBaseId=KB)

    result = room.call_json("delete_knowledge_base", knowledgeBaseId=KB)

    assert result == {"outcome": "not_found", "knowledgeBaseId": KB}


def test_a_chat_is_answered_with_the_reply_alone_and_keeps_both(room: ServerEndpoint) -> None:
    chat_arguments = {"agentId": "pilot", "chatId": "chat-0", "content": "When is high water?"}

    result = room.call("chat_send", **chat_arguments)

    (block,) = result["content"]
    assert block == {"type": "text", "text": "[Be brief.] High water at the east quay is at noon."}
    messages = room.call_json("list_chat_messages", chatId="chat-0")
    assert [(message["role"], message["content"]) for message in messages] == [
        ("user", "When is high water?"),
        ("assistant", block["text"]),
    ]
    assert messages[0].keys() == {"messageId", "role", "content", "messageTs", "metadata"}


def test_an_agent_without_a_prompt_is_told_the_default_one(room: ServerEndpoint) -> None:
    result = room.call_json("run_agent", agentId="clerk", content="When is high water?")

    assert result["content"].startswith("[You are the librarian.]")


def test_running_an_agent_begins_a_chat(room: ServerEndpoint) -> None:
    result = room.call_json(
        "run_agent", agentId="pilot", content="When is high water?", title="Noon?"
    )

    assert result.keys() == {
        *("outcome", "conversationId", "agentId", "content", "finishReason", "tokenCount"),
        "contextChunkIds",
    }
    assert (result["outcome"], result["finishReason"]) == ("completed", "stop")
    assert result["contextChunkIds"]
    newest = room.call_json("list_chats", agentId="pilot")[0]
    assert (newest["chatId"], newest["title"]) == (result["conversationId"], "Noon?")
    assert newest.keys() == {"chatId", "agentId", "title", "knowledgeBaseIds", "createdAt"}


def test_running_an_agent_goes_on_with_a_chat(room: ServerEndpoint) -> None:
    result = room.call_json("run_agent", agentId="pilot", content="And?", conversationId="chat-0")

    assert result["conversationId"] == "chat-0"
    assert len(room.call_json("list_chat_messages", chatId="chat-0")) == 2


@pytest.mark.parametrize(
    ("arguments", "outcome"),
    [
        ({"agentId": "nobody"}, "agent_not_found"),
        ({"agentId": "pilot", "conversationId": "chat-404"}, "chat_not_found"),
        ({"agentId": "statue"}, "completion_error"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_run_that_fails_is_an_outcome(
    room: ServerEndpoint, arguments: dict[str, str], outcome: str
) -> None:
    refusal = room.refused("run_agent", content="When is high water?", **arguments)

    assert refusal["outcome"] == outcome
    assert refusal["message"]


def test_what_the_api_refuses_is_json_too(room: ServerEndpoint) -> None:
    refusal = room.refused("get_agent", agentId="nobody")

    assert refusal == {
        "outcome": "error",
        "code": "agent_not_found",
        "message": "There is no such agent.",
    }
