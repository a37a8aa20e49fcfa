"""Connects with the official client, version 2: `official_2.py URL MODE TOOL ARGUMENTS`.

Prints one JSON object: protocol, server, tools, text, failed.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from mcp import Client
from mcp_types import CallToolResult, TextContent


async def conversation(
    url: str, mode: str, tool: str, arguments: dict[str, Any]
) -> dict[str, object]:
    """Lists the tools and calls one tool; returns the printed object."""
    async with Client(url, mode=mode, read_timeout_seconds=30) as client:
        tools = (await client.list_tools()).tools
        result = await client.call_tool(tool, arguments)
        assert isinstance(result, CallToolResult)
        first = result.content[0]
        assert isinstance(first, TextContent)
        return {
            "protocol": client.protocol_version,
            "server": client.server_info.name if client.server_info else "",
            "tools": [tool_info.name for tool_info in tools],
            "text": first.text,
            "failed": bool(result.is_error),
        }


if __name__ == "__main__":
    url, mode, tool, arguments = sys.argv[1:]
    print(json.dumps(asyncio.run(conversation(url, mode, tool, json.loads(arguments)))))
