"""`list_documents` sends `GET…."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("list_documents", {"knowledgeBaseId": "sample"})

    assert sent.line == "GET /workspaces/a/knowledge-bases/sample/documents"


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call("list_documents", {"knowledgeBaseId": "sample", "limit": 50})

    assert sent.line == "GET /workspaces/a/knowledge-bases/sample/documents?limit=50"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("list_documents", {"knowledgeBaseId": "kb-1"})

    assert sent.line == "GET /workspaces/a/knowledge-bases/kb-1/documents"
