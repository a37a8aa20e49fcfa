"""The official Python SDK, version 1."""

from contextlib import asynccontextmanager

from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client


@asynccontextmanager
async def connect(url, headers):
    """A session over Streamable HTTP."""
    async with (
        streamablehttp_client(url, headers) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        await session.initialize()

        async def list_tools():
            return [tool.name for tool in (await session.list_tools()).tools]

        async def call_tool(name, arguments):
            result = await session.call_tool(name, arguments)
            return bool(result.isError), result.content[0].text

        yield list_tools, call_tool
