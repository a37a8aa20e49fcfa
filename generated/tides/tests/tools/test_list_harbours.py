"""`list_harbours` sends `GET /harbours`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("list_harbours", {})

    assert sent.line == "GET /harbours"


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call("list_harbours", {"region": "north", "limit": 20})

    assert sent.line == "GET /harbours?region=north&limit=20"
