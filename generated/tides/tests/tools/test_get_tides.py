"""`get_tides` sends `GET /harbours/{harbour}/tides`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("get_tides", {"harbour": "sample", "date": "2026-01-15"})

    assert sent.line == "GET /harbours/sample/tides?date=2026-01-15"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("get_tides", {"harbour": "gullhaven", "date": "2026-03-21"})

    assert sent.line == "GET /harbours/gullhaven/tides?date=2026-03-21"
