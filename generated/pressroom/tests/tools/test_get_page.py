"""`get_page` sends `GET /pages/{page}`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("get_page", {"page": "a"})

    assert sent.line == "GET /pages/a"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("get_page", {"page": "spring-fair"})

    assert sent.line == "GET /pages/spring-fair"
