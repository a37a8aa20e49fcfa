"""`run_agent` sends `POST /workspaces/{workspaceId}/agents/{agentId}/runs`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call(
        "run_agent",
        {"agentId": "sample", "content": "When may I leave the harbour?"},
    )

    assert sent.line == "POST /workspaces/a/agents/sample/runs"
    assert sent.json == {"content": "When may I leave the harbour?"}


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call(
        "run_agent",
        {
            "agentId": "sample",
            "content": "When may I leave the harbour?",
            "conversationId": "sample",
            "title": "sample",
        },
    )

    assert sent.line == "POST /workspaces/a/agents/sample/runs"
    assert sent.json == {
        "content": "When may I leave the harbour?",
        "conversationId": "sample",
        "title": "sample",
    }


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call(
        "run_agent",
        {"agentId": "agent-1", "content": "When may I leave the harbour?"},
    )

    assert sent.line == "POST /workspaces/a/agents/agent-1/runs"
    assert sent.json == {"content": "When may I leave the harbour?"}
