"""`set_prices` sends `PUT /parts/{sku}/prices`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("set_prices", {"sku": "AAA-0", "body": "{}"})

    assert sent.line == "PUT /parts/AAA-0/prices"
    assert sent.json == {}


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call("set_prices", {"sku": "AAA-0", "body": '{"key":1}'})

    assert sent.line == "PUT /parts/AAA-0/prices"
    assert sent.json == {"key": 1}


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("set_prices", {"sku": "SPK-2", "body": '{"EUR":2.5,"USD":2.8}'})

    assert sent.line == "PUT /parts/SPK-2/prices"
    assert sent.json == {"EUR": 2.5, "USD": 2.8}
