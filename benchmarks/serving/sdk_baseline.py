"""A tuned server of the SDK's low-level API: JSON responses, input schemas by name without listing the tools,
compiled validators, and one aiohttp session for the API.

`python -m benchmarks.serving.sdk_baseline PORT TOOLS UPSTREAM`
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import uvicorn
from jsonschema_rs import Draft202012Validator
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)

from benchmarks.serving.catalogue import GREETING, UPSTREAM, WORDS, catalogue_schema, names

Context = ServerRequestContext[Any, Any]


def application(count: int, upstream: str) -> Any:
    """The ASGI application."""
    tools = [
        Tool(name=name, description=WORDS, input_schema=catalogue_schema()) for name in names(count)
    ]
    schemas = {tool.name: tool.input_schema for tool in tools}
    validators = {name: Draft202012Validator(kind) for name, kind in schemas.items()}

    @asynccontextmanager
    async def lifespan(_: Server[Any]) -> AsyncIterator[aiohttp.ClientSession]:
        async with aiohttp.ClientSession() as session:
            yield session

    async def list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=tools)

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        arguments = params.arguments or {}
        if not validators[params.name].is_valid(arguments):
            return CallToolResult(content=[TextContent(text="invalid arguments")], is_error=True)
        if params.name != UPSTREAM:
            return CallToolResult(content=[TextContent(text=GREETING)])
        url = f"{upstream}/{UPSTREAM}"
        async with context.lifespan_context.get(url, params=arguments) as response:
            return CallToolResult(content=[TextContent(text=await response.text())])

    server = Server(
        "tuned",
        version="1.0.0",
        lifespan=lifespan,
        get_tool_input_schema=schemas.get,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    return server.streamable_http_app(stateless_http=True, json_response=True)


if __name__ == "__main__":
    port, count, upstream = sys.argv[1:]
    uvicorn.run(
        application(int(count), upstream), port=int(port), log_level="error", access_log=False
    )
