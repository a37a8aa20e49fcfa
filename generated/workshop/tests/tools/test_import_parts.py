"""`import_parts` sends `POST /parts/import`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("import_parts", {"body": '[{"sku":"SPK-2","count":4}]'})

    assert sent.line == "POST /parts/import"
    assert sent.lines == [{"sku": "SPK-2", "count": 4}]


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call("import_parts", {"body": '[{"sku":"SPK-2","count":4,"note":"sample"}]'})

    assert sent.line == "POST /parts/import"
    assert sent.lines == [{"sku": "SPK-2", "count": 4, "note": "sample"}]
