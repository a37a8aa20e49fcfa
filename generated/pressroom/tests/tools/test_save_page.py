"""`save_page` sends `PUT /pages/{page}`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call(
        "save_page",
        {"page": "a", "title": "Spring fair", "text": "Come and see."},
    )

    assert sent.line == "PUT /pages/a"
    assert sent.json == {"title": "Spring fair", "text": "Come and see."}


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call(
        "save_page",
        {"page": "a", "title": "Spring fair", "text": "Come and see.", "section": "news"},
    )

    assert sent.line == "PUT /pages/a"
    assert sent.json == {"title": "Spring fair", "text": "Come and see.", "section": "news"}


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call(
        "save_page",
        {"page": "spring-fair", "title": "Spring fair", "text": "Come and see."},
    )

    assert sent.line == "PUT /pages/spring-fair"
    assert sent.json == {"title": "Spring fair", "text": "Come and see."}
