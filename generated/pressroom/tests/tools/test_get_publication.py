"""`get_publication` sends `GET /publications/{publication}`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("get_publication", {"publication": "p-0"})

    assert sent.line == "GET /publications/p-0"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("get_publication", {"publication": "p-1"})

    assert sent.line == "GET /publications/p-1"
