"""The client of FastMCP."""

from contextlib import asynccontextmanager

from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport


@asynccontextmanager
async def connect(url, headers):
    """A client over Streamable HTTP."""
    async with Client(StreamableHttpTransport(url, headers=headers)) as client:

        async def list_tools():
            return [tool.name for tool in await client.list_tools()]

        async def call_tool(name, arguments):
            result = await client.call_tool(name, arguments, raise_on_error=False)
            return bool(result.is_error), result.content[0].text

        yield list_tools, call_tool
