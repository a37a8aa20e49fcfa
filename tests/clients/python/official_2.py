"""The official Python SDK, version 2."""

from contextlib import asynccontextmanager

from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client


@asynccontextmanager
async def connect(url, headers):
    """A client that negotiates the revision."""
    async with (
        create_mcp_http_client(headers) as http_client,
        Client(streamable_http_client(url, http_client=http_client)) as client,
    ):

        async def list_tools():
            return [tool.name for tool in (await client.list_tools()).tools]

        async def call_tool(name, arguments):
            result = await client.call_tool(name, arguments)
            return bool(result.is_error), result.content[0].text

        yield list_tools, call_tool
