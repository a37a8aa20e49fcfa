"""`change_bicycle` sends `PATCH /bicycles/{id}`."""

from tests.support import Api


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call(
        "change_bicycle",
        {"id": 1, "body_id": 1, "brand": "sample", "year": 1900, "note": "sample"},
    )

    assert sent.line == "PATCH /bicycles/1"
    assert sent.json == {"id": 1, "brand": "sample", "year": 1900, "note": "sample"}


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("change_bicycle", {"id": 12, "brand": "Heron", "null_fields": ["note"]})

    assert sent.line == "PATCH /bicycles/12"
    assert sent.json == {"brand": "Heron", "note": None}


async def test_null_fields(api: Api) -> None:
    """The scenario `null_fields`."""
    sent = await api.call(
        "change_bicycle",
        {"id": 1, "body_id": 1, "null_fields": ["brand", "year", "note"]},
    )

    assert sent.line == "PATCH /bicycles/1"
    assert sent.json == {"id": 1, "brand": None, "year": None, "note": None}
