"""`create_alert` sends `POST /harbours/{harbour}/alerts`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call(
        "create_alert",
        {"harbour": "sample", "metres": 3.5, "notify_email": "harbour.master@tides.example"},
    )

    assert sent.line == "POST /harbours/sample/alerts"
    assert sent.json == {"metres": 3.5, "notify": {"email": "harbour.master@tides.example"}}


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call(
        "create_alert",
        {
            "harbour": "sample",
            "metres": 3.5,
            "notify_email": "harbour.master@tides.example",
            "notify_hours_before": 6,
        },
    )

    assert sent.line == "POST /harbours/sample/alerts"
    assert sent.json == {
        "metres": 3.5,
        "notify": {"email": "harbour.master@tides.example", "hours_before": 6},
    }


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call(
        "create_alert",
        {"harbour": "gullhaven", "metres": 3.5, "notify_email": "harbour.master@tides.example"},
    )

    assert sent.line == "POST /harbours/gullhaven/alerts"
    assert sent.json == {"metres": 3.5, "notify": {"email": "harbour.master@tides.example"}}
