"""`delete_knowledge_base` sends `DELETE…."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("delete_knowledge_base", {"knowledgeBaseId": "sample"})

    assert sent.line == "DELETE /workspaces/a/knowledge-bases/sample"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("delete_knowledge_base", {"knowledgeBaseId": "kb-1"})

    assert sent.line == "DELETE /workspaces/a/knowledge-bases/kb-1"
