"""`find_varieties` sends `GET /varieties`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("find_varieties", {"species": "sample"})

    assert sent.line == "GET /varieties?species=sample"


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call("find_varieties", {"species": "sample", "sown_in": 1})

    assert sent.line == "GET /varieties?species=sample&sown_in=1"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("find_varieties", {"species": "Solanum lycopersicum"})

    assert sent.line == "GET /varieties?species=Solanum%20lycopersicum"
