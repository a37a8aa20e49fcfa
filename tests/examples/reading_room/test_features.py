"""Tools that cost tokens exist only if requested and configured."""

from __future__ import annotations

import pytest
from docs.examples.reading_room.api import TOKEN
from tests.examples.local_api import LocalApi
from tests.examples.project_process import serving
from tests.examples.reading_room.conftest import HARBOUR

CHATTING = {"chat_send", "run_agent"}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, set()),
        ({"chat_service": "echo"}, set()),
        ({"expose": "chat"}, set()),
        ({"expose": "chat", "chat_service": "echo"}, CHATTING),
    ],
    ids=["neither", "only_configured", "only_asked_for", "both"],
)
def test_chatting_is_there_only_when_asked_for_and_configured(
    api: LocalApi, settings: dict[str, str], expected: set[str]
) -> None:
    always = {"service_token": TOKEN, "caller_anonymous": "true"}

    with serving("reading-room", f"{api.url}/api/v1", **always, **settings) as front:
        room = front.at(HARBOUR)
        names = set(room.tools())
        chat_arguments = {"agentId": "pilot", "chatId": "chat-0", "content": "Ahoy"}
        content = room.post("tools/call", name="chat_send", arguments=chat_arguments).json()

    assert names & CHATTING == expected
    assert len(names) == 11 + len(expected)
    assert ("result" in content) is bool(expected)
    assert content.get("error", {}).get("code") == (None if expected else -32602)
