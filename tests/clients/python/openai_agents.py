"""The OpenAI Agents SDK."""

from contextlib import asynccontextmanager

from agents.mcp import MCPServerStreamableHttp


@asynccontextmanager
async def connect(url, headers):
    """A server object of the Agents SDK."""
    params = {"url": url, "headers": headers}
    async with MCPServerStreamableHttp(params, client_session_timeout_seconds=30) as server:

        async def list_tools():
            return [tool.name for tool in await server.list_tools()]

        async def call_tool(name, arguments):
            result = await server.call_tool(name, arguments)
            return bool(result.is_error), result.content[0].text

        yield list_tools, call_tool
