"""Google's Agent Development Kit: the tools of a toolset, with their declarations for the model."""

from contextlib import asynccontextmanager

from google.adk.agents import InvocationContext, LlmAgent
from google.adk.sessions import InMemorySessionService
from google.adk.tools.mcp_tool import McpToolset, StreamableHTTPConnectionParams
from google.adk.tools.tool_context import ToolContext


@asynccontextmanager
async def connect(url, headers):
    """A toolset over Streamable HTTP, in a session of an agent."""
    toolset = McpToolset(connection_params=StreamableHTTPConnectionParams(url=url, headers=headers))
    sessions = InMemorySessionService()
    context = InvocationContext(
        session_service=sessions,
        invocation_id="invocation-1",
        agent=LlmAgent(name="agent"),
        session=await sessions.create_session(app_name="clients", user_id="user"),
    )
    try:
        tools = {tool.name: tool for tool in await toolset.get_tools()}

        async def list_tools():
            return [tool._get_declaration().name for tool in tools.values()]

        async def call_tool(name, arguments):
            result = await tools[name].run_async(args=arguments, tool_context=ToolContext(context))
            return bool(result.get("isError")), result["content"][0]["text"]

        yield list_tools, call_tool
    finally:
        await toolset.close()
