"""`store_manual` sends `PUT /manuals/{title}`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("store_manual", {"title": "sample", "body": "c2FtcGxl"})

    assert sent.line == "PUT /manuals/sample"
    assert sent.text == "c2FtcGxl"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("store_manual", {"title": "Hub gears / adjustment", "body": "c2FtcGxl"})

    assert sent.line == "PUT /manuals/Hub%20gears%20%2F%20adjustment"
    assert sent.text == "c2FtcGxl"
