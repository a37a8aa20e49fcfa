"""`name_bicycle` sends `PUT /bicycles/{id}/nickname`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("name_bicycle", {"id": 1, "body": "sample"})

    assert sent.line == "PUT /bicycles/1/nickname"
    assert sent.json == "sample"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("name_bicycle", {"id": 12, "body": "Blue Thunder"})

    assert sent.line == "PUT /bicycles/12/nickname"
    assert sent.json == "Blue Thunder"
