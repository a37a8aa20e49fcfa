"""Pydantic AI: a toolset, which raises ModelRetry for an error result."""

import json
from contextlib import asynccontextmanager

from pydantic_ai import ModelRetry
from pydantic_ai.mcp import MCPToolset


@asynccontextmanager
async def connect(url, headers):
    """A toolset over Streamable HTTP."""
    async with MCPToolset(url, headers=headers) as toolset:

        async def list_tools():
            return [tool.name for tool in await toolset.list_tools()]

        async def call_tool(name, arguments):
            try:
                result = await toolset.direct_call_tool(name, arguments)
            except ModelRetry as error:
                return True, error.message
            return False, result if isinstance(result, str) else json.dumps(result)

        yield list_tools, call_tool
