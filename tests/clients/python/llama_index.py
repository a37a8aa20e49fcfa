"""LlamaIndex: the function tools of llama-index-tools-mcp."""

from contextlib import asynccontextmanager

from llama_index.tools.mcp import BasicMCPClient, McpToolSpec


@asynccontextmanager
async def connect(url, headers):
    """Tools that open a session for each call."""
    function_tools = await McpToolSpec(
        client=BasicMCPClient(url, headers=headers)
    ).to_tool_list_async()
    tools = {tool.metadata.name: tool for tool in function_tools}

    async def list_tools():
        return list(tools)

    async def call_tool(name, arguments):
        result = (await tools[name].acall(**arguments)).raw_output
        return bool(result.is_error), result.content[0].text

    yield list_tools, call_tool
