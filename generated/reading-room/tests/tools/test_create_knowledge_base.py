"""`create_knowledge_base` sends `POST /workspaces/{workspaceId}/knowledge-bases`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call(
        "create_knowledge_base",
        {
            "name": "Harbour handbook",
            "chunkingServiceId": "paragraphs",
            "embeddingServiceId": "letters-26",
        },
    )

    assert sent.line == "POST /workspaces/a/knowledge-bases"
    assert sent.json == {
        "name": "Harbour handbook",
        "chunkingServiceId": "paragraphs",
        "embeddingServiceId": "letters-26",
    }


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call(
        "create_knowledge_base",
        {
            "name": "Harbour handbook",
            "chunkingServiceId": "paragraphs",
            "embeddingServiceId": "letters-26",
            "description": "sample",
            "rerankingServiceId": "sample",
            "language": "en",
            "attach": True,
            "vectorCollection": "a",
        },
    )

    assert sent.line == "POST /workspaces/a/knowledge-bases"
    assert sent.json == {
        "name": "Harbour handbook",
        "chunkingServiceId": "paragraphs",
        "embeddingServiceId": "letters-26",
        "description": "sample",
        "rerankingServiceId": "sample",
        "language": "en",
        "attach": True,
        "vectorCollection": "a",
    }
