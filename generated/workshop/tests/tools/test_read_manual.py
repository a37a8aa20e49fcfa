"""`read_manual` sends `GET /manuals/{title}`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("read_manual", {"title": "sample"})

    assert sent.line == "GET /manuals/sample"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("read_manual", {"title": "Hub gears / adjustment"})

    assert sent.line == "GET /manuals/Hub%20gears%20%2F%20adjustment"
