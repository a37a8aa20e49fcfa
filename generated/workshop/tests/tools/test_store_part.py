"""`store_part` sends `PUT /parts/{sku}`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("store_part", {"sku": "AAA-0", "name": "Front wheel"})

    assert sent.line == "PUT /parts/AAA-0"
    assert sent.json == {"name": "Front wheel"}


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call(
        "store_part",
        {"sku": "SPK-2", "name": "Front wheel", "made_of": '[{"name":"Rim"},{"name":"Spoke"}]'},
    )

    assert sent.line == "PUT /parts/SPK-2"
    assert sent.json == {"name": "Front wheel", "made_of": [{"name": "Rim"}, {"name": "Spoke"}]}
