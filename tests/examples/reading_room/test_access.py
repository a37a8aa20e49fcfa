"""Authorization of a workspace's tools, and the text of refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.examples.local_api import LocalApi
from tests.examples.project_process import ServerEndpoint
from tests.examples.reading_room.conftest import HARBOUR, KEYS, LIGHTHOUSE, PUBLIC, SCOPES
from tests.runtime.issuer import JwtIssuer

Holding = Callable[[str], ServerEndpoint]

WRITING: dict[str, dict[str, Any]] = {
    "ingest_text": {"knowledgeBaseId": "kb-1", "text": "The bell rings at six."},
    "delete_document": {"knowledgeBaseId": "kb-1", "documentId": "doc-404"},
    "create_knowledge_base": {
        "name": "Signal flags",
        "chunkingServiceId": "paragraphs",
        "embeddingServiceId": "letters-26",
    },
    "delete_knowledge_base": {"knowledgeBaseId": "kb-404"},
}
"""A call that succeeds of every tool that writes."""

NEEDS = {
    "ingest_text": "write:ingest",
    "delete_document": "write:ingest",
    "create_knowledge_base": "write:kb",
    "delete_knowledge_base": "write:kb",
}

READING: dict[str, dict[str, Any]] = {
    "list_knowledge_bases": {},
    "list_documents": {"knowledgeBaseId": "kb-1"},
    "search_kb": {"knowledgeBaseId": "kb-1", "text": "noon"},
    "list_agents": {},
    "get_agent": {"agentId": "pilot"},
    "list_chats": {"agentId": "pilot"},
    "list_chat_messages": {"chatId": "chat-0"},
}

MAY = {
    "idle": set(),
    "reader": set(),
    "legacy": set(WRITING),
    "ingester": {"ingest_text", "delete_document"},
    "keeper": {"create_knowledge_base", "delete_knowledge_base"},
    "bootstrap": set(WRITING),
}
"""The tools that write which each key is good for."""


@pytest.mark.parametrize("holder", SCOPES)
@pytest.mark.parametrize("tool", READING)
def test_whoever_is_let_in_may_read(with_key: Holding, holder: str, tool: str) -> None:
    assert with_key(holder).call_json(tool, **READING[tool]) is not None


@pytest.mark.parametrize("holder", SCOPES)
@pytest.mark.parametrize("tool", WRITING)
def test_writing_takes_the_scope_of_the_tool_or_one_that_contains_it(
    with_key: Holding, holder: str, tool: str
) -> None:
    result = with_key(holder).call(tool, **WRITING[tool])

    assert result["isError"] is (tool not in MAY[holder])


@pytest.mark.parametrize("tool", NEEDS)
def test_a_missing_scope_is_a_denied_result_and_nothing_is_sent(
    api: LocalApi, with_key: Holding, tool: str
) -> None:
    before = len(api.requests)

    refusal = with_key("reader").refused(tool, **WRITING[tool])

    message = refusal.pop("message")
    assert refusal == {
        "outcome": "denied",
        "code": "scope_required",
        "required": NEEDS[tool],
        "subjectScopes": ["read"],
    }
    assert NEEDS[tool] in message
    assert len(api.requests) == before


def test_a_denial_is_no_error_of_the_transport(with_key: Holding) -> None:
    response = with_key("keeper").post(
        "tools/call", name="ingest_text", arguments=WRITING["ingest_text"]
    )

    assert response.status_code == 200
    assert response.json()["result"]["isError"] is True


@pytest.mark.parametrize("tool", [*READING, *WRITING])
def test_an_operators_token_passes_every_gate(
    guarded_server: ServerEndpoint, login: JwtIssuer, tool: str
) -> None:
    token = login.token(aud=f"{PUBLIC}{HARBOUR}", sub="operator")

    operator = guarded_server.showing(Authorization=f"Bearer {token}")

    assert operator.call_json(tool, **{**READING, **WRITING}[tool]) is not None


@pytest.mark.parametrize("tool", [*READING, *WRITING])
def test_during_development_anybody_passes_every_gate(room: ServerEndpoint, tool: str) -> None:
    assert room.call_json(tool, **{**READING, **WRITING}[tool]) is not None


def test_an_open_door_is_said_loudly_at_the_start(room: ServerEndpoint) -> None:
    assert any("ANYBODY" in line for line in room.log)


def test_a_key_of_one_workspace_is_refused_at_another(api: LocalApi, with_key: Holding) -> None:
    before = len(api.requests)

    response = with_key("legacy").at(LIGHTHOUSE).post("tools/call", name="list_knowledge_bases")

    assert response.status_code == 403
    assert "result" not in response.json()
    assert len(api.requests) == before


def test_a_token_for_one_workspace_is_refused_at_another(
    guarded_server: ServerEndpoint, login: JwtIssuer
) -> None:
    token = login.token(aud=f"{PUBLIC}{HARBOUR}", sub="operator")

    response = (
        guarded_server.showing(Authorization=f"Bearer {token}").at(LIGHTHOUSE).post("tools/list")
    )

    assert response.status_code == 401


def test_a_key_of_the_operator_is_good_for_every_workspace(with_key: Holding) -> None:
    assert with_key("bootstrap").at(LIGHTHOUSE).call_json("list_knowledge_bases") == []


@pytest.mark.parametrize(
    "authorization", ["", "Bearer rr_nobody_0123456789abcdef", "Basic cnI6cnI="]
)
def test_whoever_shows_no_good_key_is_not_let_in(
    api: LocalApi, guarded_server: ServerEndpoint, authorization: str
) -> None:
    before = len(api.requests)

    response = guarded_server.showing(Authorization=authorization).post("tools/list")

    assert response.status_code == 401
    assert response.headers["www-authenticate"].startswith("Bearer")
    assert len(api.requests) == before


def test_the_api_never_sees_a_callers_key(api: LocalApi, with_key: Holding) -> None:
    with_key("legacy").call_json("list_knowledge_bases")

    assert KEYS["legacy"] not in str(api.last)
