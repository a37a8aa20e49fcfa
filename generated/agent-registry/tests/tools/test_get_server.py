"""`get_server` sends `GET /mcp/servers/{server}`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("get_server", {"server": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"})

    assert sent.line == "GET /mcp/servers/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call("get_server", {"server": "0a4d55a8d778e5022fab701977c5d840"})

    assert sent.line == "GET /mcp/servers/0a4d55a8d778e5022fab701977c5d840"
