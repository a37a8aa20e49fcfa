"""`list_chats` sends `GET /workspaces/{workspaceId}/agents/{agentId}/chats`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("list_chats", {"agentId": "sample"})

    assert sent.line == "GET /workspaces/a/agents/sample/chats"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("list_chats", {"agentId": "agent-1"})

    assert sent.line == "GET /workspaces/a/agents/agent-1/chats"
