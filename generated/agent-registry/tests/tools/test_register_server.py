"""`register_server` sends `POST /mcp/servers`."""

from tests.support import Api


async def test_required_only(api: Api) -> None:
    """What is left out is not sent."""
    sent = await api.call(
        "register_server",
        {
            "serverCard_mcpVersion": "2025-11-25",
            "serverCard_serverInfo_name": "weather",
            "serverCard_serverInfo_version": "1.0.0",
            "serverCard_endpoints_streamableHttp": "https://weather.example/mcp",
            "serverCard_capabilities": "{}",
        },
    )

    assert sent.line == "POST /mcp/servers"
    assert sent.json == {
        "serverCard": {
            "mcpVersion": "2025-11-25",
            "serverInfo": {"name": "weather", "version": "1.0.0"},
            "endpoints": {"streamableHttp": "https://weather.example/mcp"},
            "capabilities": {},
        },
    }


async def test_everything(api: Api) -> None:
    """Every argument lands in its place."""
    sent = await api.call(
        "register_server",
        {
            "serverCard_mcpVersion": "2025-11-25",
            "serverCard_serverInfo_name": "weather",
            "serverCard_serverInfo_title": "Weather",
            "serverCard_serverInfo_version": "1.0.0",
            "serverCard_endpoints_streamableHttp": "https://weather.example/mcp",
            "serverCard_capabilities": '{"tools":{"listChanged":true}}',
            "serverCard_tools": '[{"name":"sample"}]',
            "serverCard_resources": '[{"uri":"sample","name":"sample"}]',
            "serverCard_prompts": '[{"name":"sample"}]',
            "serverCard_instructions": "Ask for one place at a time.",
        },
    )

    assert sent.line == "POST /mcp/servers"
    assert sent.json == {
        "serverCard": {
            "mcpVersion": "2025-11-25",
            "serverInfo": {"name": "weather", "title": "Weather", "version": "1.0.0"},
            "endpoints": {"streamableHttp": "https://weather.example/mcp"},
            "capabilities": {"tools": {"listChanged": True}},
            "tools": [{"name": "sample"}],
            "resources": [{"uri": "sample", "name": "sample"}],
            "prompts": [{"name": "sample"}],
            "instructions": "Ask for one place at a time.",
        },
    }
