"""`add_variety` sends `POST /varieties`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call(
        "add_variety",
        {"name": "Gullhaven Yellow", "species": "Solanum lycopersicum"},
    )

    assert sent.line == "POST /varieties"
    assert sent.json == {"name": "Gullhaven Yellow", "species": "Solanum lycopersicum"}


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call(
        "add_variety",
        {
            "name": "Gullhaven Yellow",
            "species": "Solanum lycopersicum",
            "sown_in": [2, 3],
            "origin": "sample",
        },
    )

    assert sent.line == "POST /varieties"
    assert sent.json == {
        "name": "Gullhaven Yellow",
        "species": "Solanum lycopersicum",
        "sown_in": [2, 3],
        "origin": "sample",
    }


async def test_null_fields(api: Api) -> None:
    """The scenario `null_fields`."""
    sent = await api.call(
        "add_variety",
        {"name": "Gullhaven Yellow", "species": "Solanum lycopersicum", "null_fields": ["origin"]},
    )

    assert sent.line == "POST /varieties"
    assert sent.json == {
        "name": "Gullhaven Yellow",
        "species": "Solanum lycopersicum",
        "origin": None,
    }
