"""`count_parts` sends `POST /parts/count`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("count_parts", {"body": '[{"sku":"SPK-2","count":4}]'})

    assert sent.line == "POST /parts/count"
    assert sent.json == [{"sku": "SPK-2", "count": 4}]


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call("count_parts", {"body": '[{"sku":"SPK-2","count":4,"note":"sample"}]'})

    assert sent.line == "POST /parts/count"
    assert sent.json == [{"sku": "SPK-2", "count": 4, "note": "sample"}]


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("count_parts", {"body": '[{"sku":"SPK-2","count":120}]'})

    assert sent.line == "POST /parts/count"
    assert sent.json == [{"sku": "SPK-2", "count": 120}]
