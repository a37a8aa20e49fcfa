"""`events_list` sends `GET /events`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call(
        "events_list",
        {},
        [{"id": "sample", "type": "sample", "at": "2026-01-15T09:30:00Z"}],
    )

    assert sent.line == "GET /events"


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call(
        "events_list",
        {"type": "a", "limit": 20},
        [{"id": "sample", "type": "sample", "at": "2026-01-15T09:30:00Z"}],
    )

    assert sent.line == "GET /events?type=a&limit=20"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call(
        "events_list",
        {"type": "worker.deployed"},
        [{"id": "sample", "type": "sample", "at": "2026-01-15T09:30:00Z"}],
    )

    assert sent.line == "GET /events?type=worker.deployed"
