"""`discover_agents` sends `GET /discover/agents`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call("discover_agents", {})

    assert sent.line == "GET /discover/agents"


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call(
        "discover_agents",
        {
            "name": "sample",
            "capability": "sample",
            "tags": ["sample"],
            "protocol": "a",
            "transport": "a",
            "live": True,
            "page": 1,
            "pageSize": 20,
        },
    )

    assert sent.line == (
        "GET /discover/agents?name=sample&capability=sample&tags=sample&protocol=a&transport=a&"
        "live=true&page=1&pageSize=20"
    )


async def test_example(api: Api) -> None:
    """The scenario `example`."""
    sent = await api.call(
        "discover_agents",
        {
            "name": "weather",
            "capability": "get_weather",
            "tags": ["tool", "mcp"],
            "protocol": "MCP",
            "transport": "Http",
        },
    )

    assert sent.line == (
        "GET /discover/agents?name=weather&capability=get_weather&tags=tool,mcp&protocol=MCP&"
        "transport=Http"
    )
