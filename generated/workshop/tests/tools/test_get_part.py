"""`get_part` sends `GET /parts/{sku}`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("get_part", {"sku": "AAA-0"})

    assert sent.line == "GET /parts/AAA-0"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("get_part", {"sku": "SPK-2"})

    assert sent.line == "GET /parts/SPK-2"
