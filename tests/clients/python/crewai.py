"""CrewAI: the tools of crewai-tools, which return text and do not say whether a result is an error."""

import asyncio
from contextlib import asynccontextmanager

from crewai_tools import MCPServerAdapter


@asynccontextmanager
async def connect(url, headers):
    """The adapter, which runs a session in a thread of its own."""
    params = {"url": url, "transport": "streamable-http", "headers": headers}
    adapter = await asyncio.to_thread(MCPServerAdapter, params)
    try:
        tools = {tool.name: tool for tool in adapter.tools}

        async def list_tools():
            return list(tools)

        async def call_tool(name, arguments):
            return None, await asyncio.to_thread(tools[name].run, **arguments)

        yield list_tools, call_tool
    finally:
        await asyncio.to_thread(adapter.stop)
