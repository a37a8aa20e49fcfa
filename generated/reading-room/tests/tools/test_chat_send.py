"""`chat_send` sends `POST /workspaces/{workspaceId}/agents/{agentId}/chats/{chatId}/messages`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call(
        "chat_send",
        {"agentId": "sample", "chatId": "sample", "content": "When may I leave the harbour?"},
    )

    assert sent.line == "POST /workspaces/a/agents/sample/chats/sample/messages"
    assert sent.json == {"content": "When may I leave the harbour?"}


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call(
        "chat_send",
        {"agentId": "agent-1", "chatId": "chat-1", "content": "When may I leave the harbour?"},
    )

    assert sent.line == "POST /workspaces/a/agents/agent-1/chats/chat-1/messages"
    assert sent.json == {"content": "When may I leave the harbour?"}
