"""The resources and prompts of this server: announced exactly as recorded, and all readable."""

from typing import Any

import pytest

from tests.support import Api

RESOURCES: list[dict[str, Any]] = [
    {
        "uri": "reading-room://knowledge-bases",
        "name": "knowledge-bases",
        "description": "All knowledge bases of the workspace, by name.",
        "mimeType": "application/json",
    },
    {
        "uri": "reading-room://agents",
        "name": "agents",
        "description": "All agents of the workspace, by name.",
        "mimeType": "application/json",
    },
]

TEMPLATES: list[dict[str, Any]] = [
    {
        "uriTemplate": "reading-room://knowledge-bases/{knowledgeBaseId}/documents",
        "name": "documents",
        "description": "What a knowledge base has read, the newest first, without the texts.",
        "mimeType": "application/json",
    },
    {
        "uriTemplate": "reading-room://agents/{agentId}/chats",
        "name": "chats",
        "description": "List chats. The conversations with one agent, the newest first.",
        "mimeType": "application/json",
    },
    {
        "uriTemplate": "reading-room://chats/{chatId}/messages",
        "name": "messages",
        "description": (
            "List the messages of a chat. What was said in a conversation, the oldest first."
        ),
        "mimeType": "application/json",
    },
]

READ = [
    (
        "reading-room://knowledge-bases",
        "GET /workspaces/a/knowledge-bases",
        "application/json",
        '[{"knowledgeBaseId": "sample", "name": "sample", "status": "ready"}]',
    ),
    (
        "reading-room://knowledge-bases/sample/documents",
        "GET /workspaces/a/knowledge-bases/sample/documents",
        "application/json",
        (
            '[{"documentId": "sample", "status": "ready", "chunkTotal": 1, '
            '"contentHash": "sample", "ingestedAt": "2026-01-15T09:30:00Z"}]'
        ),
    ),
    (
        "reading-room://agents",
        "GET /workspaces/a/agents",
        "application/json",
        '[{"agentId": "sample", "name": "sample"}]',
    ),
    (
        "reading-room://agents/sample/chats",
        "GET /workspaces/a/agents/sample/chats",
        "application/json",
        '[{"chatId": "sample", "agentId": "sample", "createdAt": "2026-01-15T09:30:00Z"}]',
    ),
    (
        "reading-room://chats/sample/messages",
        "GET /workspaces/a/chats/sample/messages",
        "application/json",
        (
            '[{"messageId": "sample", "role": "user", "content": "sample", '
            '"messageTs": "2026-01-15T09:30:00Z"}]'
        ),
    ),
]
"""A URI of each resource with a tool, the upstream request, and the answer."""

every_version = pytest.mark.parametrize("version", ["2025-03-26", "2025-11-25", "2026-07-28"])


@every_version
async def test_resources_are_exactly_those_announced_and_in_this_order(
    api: Api, version: str
) -> None:
    plain = await api.request("resources/list", version=version)
    templates = await api.request("resources/templates/list", version=version)

    assert plain["resources"] == RESOURCES
    assert templates["resourceTemplates"] == TEMPLATES


async def test_a_resource_that_is_not_there_is_told(api: Api) -> None:
    uri = "nowhere:it-is-not-there"
    answer = await api.post("resources/read", {"uri": uri}, **{"Mcp-Name": uri})

    assert answer.json()["error"]["code"] == -32602


@pytest.mark.parametrize(("uri", "request_line", "media_type", "answer"), READ)
async def test_a_resource_is_what_its_tool_reads(
    api: Api, uri: str, request_line: str, media_type: str, answer: str
) -> None:
    api.upstream.requests.clear()
    api.upstream.status, api.upstream.media_type = 200, media_type
    api.upstream.body = answer.encode()

    response = await api.post("resources/read", {"uri": uri}, **{"Mcp-Name": uri})

    assert [sent.line for sent in api.upstream.requests] == [request_line]
    assert {each["uri"] for each in response.json()["result"]["contents"]} == {uri}
