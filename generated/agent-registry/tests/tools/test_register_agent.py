"""`register_agent` sends `POST /agents`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call(
        "register_agent",
        {
            "name": "Weather",
            "endpoints": (
                '[{"name":"streamable-http","transport":"Http","protocol":"MCP",'
                '"address":"https://weather.example/mcp","livenessModel":"Persistent"}]'
            ),
        },
    )

    assert sent.line == "POST /agents"
    assert sent.json == {
        "name": "Weather",
        "endpoints": [
            {
                "name": "streamable-http",
                "transport": "Http",
                "protocol": "MCP",
                "address": "https://weather.example/mcp",
                "livenessModel": "Persistent",
            },
        ],
    }


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call(
        "register_agent",
        {
            "name": "Weather",
            "description": "Forecasts for every place.",
            "capabilities": (
                '[{"name":"get_weather","description":"Gets the weather of a '
                'place.","tags":["tool","mcp"]}]'
            ),
            "endpoints": (
                '[{"name":"streamable-http","transport":"Http","protocol":"MCP",'
                '"address":"https://weather.example/mcp","livenessModel":"Persistent",'
                '"heartbeatIntervalSeconds":30,"ttlSeconds":300}]'
            ),
        },
    )

    assert sent.line == "POST /agents"
    assert sent.json == {
        "name": "Weather",
        "description": "Forecasts for every place.",
        "capabilities": [
            {
                "name": "get_weather",
                "description": "Gets the weather of a place.",
                "tags": ["tool", "mcp"],
            },
        ],
        "endpoints": [
            {
                "name": "streamable-http",
                "transport": "Http",
                "protocol": "MCP",
                "address": "https://weather.example/mcp",
                "livenessModel": "Persistent",
                "heartbeatIntervalSeconds": 30,
                "ttlSeconds": 300,
            },
        ],
    }
