"""`list_chat_messages` sends `GET /workspaces/{workspaceId}/chats/{chatId}/messages`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("list_chat_messages", {"chatId": "sample"})

    assert sent.line == "GET /workspaces/a/chats/sample/messages"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("list_chat_messages", {"chatId": "chat-1"})

    assert sent.line == "GET /workspaces/a/chats/chat-1/messages"
