"""The official Python SDK 2.x, low level: `sdk2_lowlevel.py (stateless|stateful) (json|sse) PORT`."""

import sys
from contextlib import asynccontextmanager

import mcp_types as types
import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from starlette.applications import Starlette
from starlette.routing import Mount

state, answers, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
ADD = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
    "required": ["a", "b"],
}


async def list_tools(context, params):
    add = types.Tool(name="add", description="Adds two whole numbers.", input_schema=ADD)
    return types.ListToolsResult(tools=[add])


async def call_tool(context, params):
    if params.name != "add":
        raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}")
    arguments = params.arguments or {}
    if not all(isinstance(arguments.get(name), int) for name in ("a", "b")):
        text = types.TextContent(type="text", text="a and b must be whole numbers")
        return types.CallToolResult(content=[text], is_error=True)
    text = types.TextContent(type="text", text=str(arguments["a"] + arguments["b"]))
    return types.CallToolResult(content=[text])


server = Server("peer", version="1.0.0")
server.add_request_handler("tools/list", types.PaginatedRequestParams, list_tools)
server.add_request_handler("tools/call", types.CallToolRequestParams, call_tool)
manager = StreamableHTTPSessionManager(
    server, stateless=state == "stateless", json_response=answers == "json"
)


@asynccontextmanager
async def lifespan(app):
    async with manager.run():
        yield


app = Starlette(routes=[Mount("/mcp", app=manager.handle_request)], lifespan=lifespan)
app.router.redirect_slashes = False


async def entry(scope, receive, send):
    """Serves `/mcp` without a redirect to `/mcp/`."""
    if scope["type"] == "http" and scope["path"] == "/mcp":
        await manager.handle_request(scope, receive, send)
    else:
        await app(scope, receive, send)


uvicorn.run(entry, host="127.0.0.1", port=port, log_level="error")
