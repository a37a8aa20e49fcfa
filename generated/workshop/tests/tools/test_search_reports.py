"""`search_reports` sends `POST /reports/search`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("search_reports", {"first_day": "2026-01-01"})

    assert sent.line == "POST /reports/search"
    assert sent.json == {"from": "2026-01-01"}


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call(
        "search_reports",
        {"first_day": "2026-01-01", "to": "2026-01-15", "match": "sample"},
    )

    assert sent.line == "POST /reports/search"
    assert sent.json == {"from": "2026-01-01", "$to": "2026-01-15", "match": "sample"}
