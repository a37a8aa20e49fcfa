"""`look_into_bins` sends `GET /shelves{shelf}/{bins}`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("look_into_bins", {"shelf": "A", "bins": [1]})

    assert sent.line == "GET /shelves;shelf=A/1"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("look_into_bins", {"shelf": "C", "bins": [3, 4]})

    assert sent.line == "GET /shelves;shelf=C/3,4"
