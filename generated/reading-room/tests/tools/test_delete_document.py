"""`delete_document` sends `DELETE…."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("delete_document", {"knowledgeBaseId": "sample", "documentId": "sample"})

    assert sent.line == "DELETE /workspaces/a/knowledge-bases/sample/documents/sample"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("delete_document", {"knowledgeBaseId": "kb-1", "documentId": "doc-1"})

    assert sent.line == "DELETE /workspaces/a/knowledge-bases/kb-1/documents/doc-1"
