"""`search_kb` sends `POST /workspaces/{workspaceId}/knowledge-bases/{knowledgeBaseId}/search`."""

from tests.support import Api


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call("search_kb", {"knowledgeBaseId": "sample", "text": "When is high water?"})

    assert sent.line == "POST /workspaces/a/knowledge-bases/sample/search"
    assert sent.json == {"text": "When is high water?"}


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call(
        "search_kb",
        {"knowledgeBaseId": "kb-1", "text": "When is high water?", "topK": 3},
    )

    assert sent.line == "POST /workspaces/a/knowledge-bases/kb-1/search"
    assert sent.json == {"text": "When is high water?", "topK": 3}
