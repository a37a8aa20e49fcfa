"""`businesses_create` sends `POST /businesses`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call(
        "businesses_create",
        {"name": "Bright Bakery"},
        {"id": "sample", "name": "sample"},
    )

    assert sent.line == "POST /businesses"
    assert sent.json == {"name": "Bright Bakery"}
