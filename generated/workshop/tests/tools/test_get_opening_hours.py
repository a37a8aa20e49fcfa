"""`get_opening_hours` sends `GET /opening-hours`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("get_opening_hours", {})

    assert sent.line == "GET /opening-hours"
