"""`list_pages` sends `GET /pages`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("list_pages", {})

    assert sent.line == "GET /pages"


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call("list_pages", {"section": "a", "limit": 20})

    assert sent.line == "GET /pages?section=a&limit=20"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("list_pages", {"section": "news"})

    assert sent.line == "GET /pages?section=news"
