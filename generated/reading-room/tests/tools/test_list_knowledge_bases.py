"""`list_knowledge_bases` sends `GET /workspaces/{workspaceId}/knowledge-bases`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("list_knowledge_bases", {})

    assert sent.line == "GET /workspaces/a/knowledge-bases"
