"""Tests of the results that `hooks.py` makes of answers of the API."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from mcpgen_runtime.testing import Api, serving

from reading_room_mcp.server import create
from reading_room_mcp.settings import Settings
from tests.auth_fixture import ENTRANCE
from tests.support import REQUEST_ARGUMENTS


@pytest.fixture(scope="module")
async def room(anyio_backend: str) -> AsyncIterator[Api]:
    """The server with the hooks of the project."""
    async with serving(create, Settings, ENTRANCE) as api:
        yield api


async def answer(room: Api, tool: str, status: int, body: Any) -> tuple[str, bool]:
    """Returns the text of the result, and True for an error result, for this answer of the API."""
    room.upstream.status, room.upstream.media_type = status, "application/json"
    room.upstream.body = json.dumps(body).encode()
    result = await room.result(tool, REQUEST_ARGUMENTS[tool])
    return result["content"][0]["text"], result["isError"]


@pytest.mark.parametrize("tool", ["ingest_text", "delete_document", "run_agent"])
async def test_an_answer_of_the_api_is_passed_on(room: Api, tool: str) -> None:
    text, failed = await answer(room, tool, 200, {"outcome": "completed"})

    assert (json.loads(text), failed) == ({"outcome": "completed"}, False)


@pytest.mark.parametrize("tool", ["get_agent", "ingest_text", "delete_document", "chat_send"])
async def test_a_problem_of_the_api_is_an_error_with_code_and_message(room: Api, tool: str) -> None:
    problem = {"code": "workspace_locked", "message": "The workspace is locked."}

    text, failed = await answer(room, tool, 423, problem)

    assert (json.loads(text), failed) == ({"outcome": "error", **problem}, True)


async def test_a_failure_without_a_code_keeps_the_words_of_the_runtime(room: Api) -> None:
    text, failed = await answer(room, "get_agent", 500, ["out of order"])

    assert failed
    assert text.startswith("The API answered 500")


async def test_a_name_conflict_says_how_to_replace_the_text(room: Api) -> None:
    problem = {"code": "name_conflict", "message": "There is such a file.", "documentId": "d-1"}

    text, failed = await answer(room, "ingest_text", 409, problem)

    conflict = json.loads(text)
    assert failed
    assert (conflict["outcome"], conflict["documentId"]) == ("name_conflict", "d-1")
    assert "overwriteOnNameConflict" in conflict["message"]


@pytest.mark.parametrize(
    ("tool", "code", "name"),
    [
        ("delete_document", "document_not_found", "documentId"),
        ("delete_knowledge_base", "knowledge_base_not_found", "knowledgeBaseId"),
    ],
)
async def test_a_removal_of_nothing_is_no_failure(
    room: Api, tool: str, code: str, name: str
) -> None:
    text, failed = await answer(room, tool, 404, {"code": code, "message": "There is none."})

    assert (json.loads(text), failed) == ({"outcome": "not_found", name: "sample"}, False)


async def test_a_chat_gives_the_reply_alone(room: Api) -> None:
    reply = {"messageId": "m-1", "content": "After high water."}

    assert await answer(room, "chat_send", 200, reply) == ("After high water.", False)


@pytest.mark.parametrize("code", ["agent_not_found", "chat_not_found", "completion_error"])
async def test_a_run_that_fails_says_which_agent_and_why(room: Api, code: str) -> None:
    text, failed = await answer(room, "run_agent", 404, {"code": code, "message": "No."})

    assert failed
    assert json.loads(text) == {"outcome": code, "agentId": "sample", "message": "No."}
