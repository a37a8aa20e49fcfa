"""`businesses_list` sends `GET /businesses`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("businesses_list", {}, [{"id": "sample", "name": "sample"}])

    assert sent.line == "GET /businesses"


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call(
        "businesses_list",
        {"name": "sample"},
        [{"id": "sample", "name": "sample"}],
    )

    assert sent.line == "GET /businesses?name=sample"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("businesses_list", {"name": "acme"}, [{"id": "sample", "name": "sample"}])

    assert sent.line == "GET /businesses?name=acme"
