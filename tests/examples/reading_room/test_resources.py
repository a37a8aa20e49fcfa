"""Resources of a workspace have the content of the reading tools."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.examples.local_api import LocalApi
from tests.examples.project_process import ServerEndpoint
from tests.examples.reading_room.conftest import LIGHTHOUSE

BASES = "reading-room://knowledge-bases"


def test_what_can_be_read_is_there_as_resources(room: ServerEndpoint) -> None:
    plain = {item["uri"] for item in room.ask("resources/list")["resources"]}
    templates = {
        item["uriTemplate"] for item in room.ask("resources/templates/list")["resourceTemplates"]
    }

    assert plain == {BASES, "reading-room://agents"}
    assert templates == {
        "reading-room://knowledge-bases/{knowledgeBaseId}/documents",
        "reading-room://agents/{agentId}/chats",
        "reading-room://chats/{chatId}/messages",
    }


def test_a_resource_holds_what_the_tool_would_tell(room: ServerEndpoint) -> None:
    (content,) = room.ask("resources/read", uri=f"{BASES}/kb-1/documents")["contents"]

    assert content["mimeType"] == "application/json"
    assert json.loads(content["text"]) == room.call_json("list_documents", knowledgeBaseId="kb-1")


def test_what_there_is_is_suggested(room: ServerEndpoint) -> None:
    result = room.ask(
        "completion/complete",
        ref={"type": "ref/resource", "uri": f"{BASES}/{{knowledgeBaseId}}/documents"},
        argument={"name": "knowledgeBaseId", "value": "kb"},
    )

    assert result["completion"]["values"] == ["kb-1"]


def test_a_resource_is_of_the_workspace_of_the_path(
    api: LocalApi, with_key: Callable[[str], ServerEndpoint]
) -> None:
    before = len(api.requests)

    response = with_key("reader").at(LIGHTHOUSE).post("resources/read", uri=BASES)

    assert response.status_code == 403
    assert len(api.requests) == before
    (content,) = with_key("bootstrap").at(LIGHTHOUSE).ask("resources/read", uri=BASES)["contents"]
    assert json.loads(content["text"]) == []
