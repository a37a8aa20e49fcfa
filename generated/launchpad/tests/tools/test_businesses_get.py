"""`businesses_get` sends `GET /businesses/{id}`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("businesses_get", {"id": "biz_0"}, {"id": "sample", "name": "sample"})

    assert sent.line == "GET /businesses/biz_0"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("businesses_get", {"id": "biz_123"}, {"id": "sample", "name": "sample"})

    assert sent.line == "GET /businesses/biz_123"
