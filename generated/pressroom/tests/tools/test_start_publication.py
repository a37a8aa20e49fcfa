"""`start_publication` sends `POST /publications`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("start_publication", {"section": "news"})

    assert sent.line == "POST /publications"
    assert sent.json == {"section": "news"}
