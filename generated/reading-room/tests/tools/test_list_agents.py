"""`list_agents` sends `GET /workspaces/{workspaceId}/agents`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("list_agents", {})

    assert sent.line == "GET /workspaces/a/agents"
