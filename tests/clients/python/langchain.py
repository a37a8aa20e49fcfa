"""LangChain: the tools of langchain-mcp-adapters, called as an agent calls them."""

from contextlib import asynccontextmanager

from langchain_mcp_adapters.tools import load_mcp_tools


@asynccontextmanager
async def connect(url, headers):
    """Tools that open a session for each call."""
    connection = {"transport": "streamable_http", "url": url, "headers": headers}
    tools = {tool.name: tool for tool in await load_mcp_tools(None, connection=connection)}

    async def list_tools():
        return list(tools)

    async def call_tool(name, arguments):
        call = {"type": "tool_call", "id": "call-1", "name": name, "args": arguments}
        message = await tools[name].ainvoke(call)
        return message.status == "error", message.text

    yield list_tools, call_tool
