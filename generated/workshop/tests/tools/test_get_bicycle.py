"""`get_bicycle` sends `GET /bicycles/{id}`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("get_bicycle", {"id": 1})

    assert sent.line == "GET /bicycles/1"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("get_bicycle", {"id": 12})

    assert sent.line == "GET /bicycles/12"
