"""`list_servers` sends `GET /mcp/servers`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("list_servers", {})

    assert sent.line == "GET /mcp/servers"


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call(
        "list_servers",
        {
            "name": "sample",
            "capability": "sample",
            "tags": ["sample"],
            "live": True,
            "page": 1,
            "pageSize": 20,
        },
    )

    assert sent.line == (
        "GET /mcp/servers?name=sample&capability=sample&tags=sample&live=true&page=1&pageSize=20"
    )


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call(
        "list_servers",
        {"name": "weather", "capability": "get_weather", "tags": ["tool", "mcp"]},
    )

    assert sent.line == "GET /mcp/servers?name=weather&capability=get_weather&tags=tool,mcp"
