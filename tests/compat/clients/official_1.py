"""Connects with the official client, version 1: `official_1.py URL TOOL ARGUMENTS`.

Prints one JSON object: protocol, server, tools, text, failed. Runs in an environment of its own, since
both versions are named `mcp`.
"""

import asyncio
import json
import sys

from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client


async def conversation(url, tool, arguments):
    """Lists the tools and calls one tool; returns the printed object."""
    async with (
        streamablehttp_client(url) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        greeting = await session.initialize()
        tools = (await session.list_tools()).tools
        result = await session.call_tool(tool, arguments)
        return {
            "protocol": greeting.protocolVersion,
            "server": greeting.serverInfo.name,
            "tools": [tool_info.name for tool_info in tools],
            "text": result.content[0].text,
            "failed": bool(result.isError),
        }


if __name__ == "__main__":
    url, tool, arguments = sys.argv[1:]
    print(json.dumps(asyncio.run(conversation(url, tool, json.loads(arguments)))))
