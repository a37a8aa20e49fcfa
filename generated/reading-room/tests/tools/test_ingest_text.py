"""`ingest_text` sends `POST…."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call(
        "ingest_text",
        {"knowledgeBaseId": "sample", "text": "High water at the east quay is at noon."},
    )

    assert sent.line == "POST /workspaces/a/knowledge-bases/sample/documents"
    assert sent.json == {"text": "High water at the east quay is at noon."}


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call(
        "ingest_text",
        {
            "knowledgeBaseId": "sample",
            "text": "High water at the east quay is at noon.",
            "sourceFilename": "tides.md",
            "sourceDocId": "sample",
            "metadata": "{}",
            "overwriteOnNameConflict": True,
        },
    )

    assert sent.line == "POST /workspaces/a/knowledge-bases/sample/documents"
    assert sent.json == {
        "text": "High water at the east quay is at noon.",
        "sourceFilename": "tides.md",
        "sourceDocId": "sample",
        "metadata": {},
        "overwriteOnNameConflict": True,
    }


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call(
        "ingest_text",
        {"knowledgeBaseId": "kb-1", "text": "High water at the east quay is at noon."},
    )

    assert sent.line == "POST /workspaces/a/knowledge-bases/kb-1/documents"
    assert sent.json == {"text": "High water at the east quay is at noon."}
