"""The fixture served by the official Python SDK: sessions, event streams, resumption, a token.

`python -m benchmarks.mutation.servers.python_sdk PORT [--token]` serves until the process ends.
"""

from __future__ import annotations

import logging
import socket
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import jsonschema_rs
import mcp_types as types
import uvicorn
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.caching import CacheHint
from mcp.server.lowlevel import Server
from mcp.server.streamable_http import EventCallback, EventMessage, EventStore
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.exceptions import MCPError
from pydantic import AnyHttpUrl

from benchmarks.mutation.servers import fixture

Context = Any
"""`ServerRequestContext`, whose type arguments the handlers do not use."""


async def list_tools(context: Context, params: Any) -> types.ListToolsResult:
    """The tools, on one page."""
    _refuse_cursor(params)
    tools = [types.Tool.model_validate(tool["tool"]) for tool in fixture.TOOLS]
    return types.ListToolsResult(tools=tools)


async def call_tool(
    context: Context, params: types.CallToolRequestParams
) -> types.CallToolResult | types.InputRequiredResult:
    """The result of a tool, after its progress and log messages."""
    entry = fixture.TOOL_BY_NAME.get(params.name)
    if entry is None:
        raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}")
    arguments = params.arguments or {}
    validator = jsonschema_rs.validator_for(entry["tool"]["inputSchema"])
    error = next(iter(validator.iter_errors(arguments)), None)
    if error is not None:
        text = types.TextContent(type="text", text=error.message)
        return types.CallToolResult(content=[text], is_error=True)
    for step in entry.get("progress", ()):
        await context.session.report_progress(**step)
    for log in entry.get("logs", ()):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            await context.session.send_log_message(**log, related_request_id=context.request_id)
    result = fixture.tool_result(params.name, arguments)
    result["content"] = [_block(block, context.protocol_version) for block in result["content"]]
    return types.CallToolResult.model_validate(result)


def _block(block: dict[str, Any], revision: str) -> dict[str, Any]:
    """A content block, or a text in revisions that do not have the kind of block."""
    first = {"audio": "2025-03-26", "resource_link": "2025-06-18"}.get(block["type"], "")
    return block if revision >= first else {"type": "text", "text": f"A {block['type']}."}


async def list_resources(context: Context, params: Any) -> types.ListResourcesResult:
    """The resources, two on a page."""
    start = int(getattr(params, "cursor", None) or 0) if _is_number(params) else _bad_cursor()
    entries = [types.Resource.model_validate(entry) for entry in fixture.RESOURCES]
    following = str(start + 2) if start + 2 < len(entries) else None
    return types.ListResourcesResult(resources=entries[start : start + 2], next_cursor=following)


def _is_number(params: Any) -> bool:
    cursor = getattr(params, "cursor", None)
    return cursor is None or (cursor.isdigit() and int(cursor) < len(fixture.RESOURCES))


def _bad_cursor() -> int:
    raise MCPError(types.INVALID_PARAMS, "Unknown cursor")


def _refuse_cursor(params: Any) -> None:
    if getattr(params, "cursor", None) is not None:
        _bad_cursor()


async def list_templates(context: Context, params: Any) -> types.ListResourceTemplatesResult:
    """The templates, on one page."""
    _refuse_cursor(params)
    templates = [types.ResourceTemplate.model_validate(entry) for entry in fixture.TEMPLATES]
    return types.ListResourceTemplatesResult(resource_templates=templates)


async def read_resource(
    context: Context, params: types.ReadResourceRequestParams
) -> types.ReadResourceResult | types.InputRequiredResult:
    """The contents of a resource."""
    uri = str(params.uri)
    contents: dict[str, Any] | None = fixture.CONTENTS.get(uri)
    identifier = uri.removeprefix("test://template/").removesuffix("/data")
    if uri == f"test://template/{identifier}/data":
        contents = {"uri": uri, "mimeType": "application/json", "text": "{}"}
    if contents is None:
        code = -32602 if context.protocol_version == "2026-07-28" else -32002
        raise MCPError(code, "Resource not found", {"uri": uri})
    return types.ReadResourceResult.model_validate({"contents": [contents]})


async def list_prompts(context: Context, params: Any) -> types.ListPromptsResult:
    """The prompts, on one page."""
    _refuse_cursor(params)
    prompts = [types.Prompt.model_validate(entry) for entry in fixture.PROMPTS]
    return types.ListPromptsResult(prompts=prompts)


async def get_prompt(
    context: Context, params: types.GetPromptRequestParams
) -> types.GetPromptResult | types.InputRequiredResult:
    """The messages of a prompt."""
    entry: Any = next((p for p in fixture.PROMPTS if p["name"] == params.name), None)
    if entry is None:
        raise MCPError(types.INVALID_PARAMS, "Unknown prompt")
    arguments = params.arguments or {}
    for argument in entry.get("arguments", ()):
        if argument["name"] not in arguments:
            raise MCPError(types.INVALID_PARAMS, f"`{argument['name']}` is missing")
    messages = fixture.prompt_messages(params.name, arguments)
    return types.GetPromptResult.model_validate({"messages": messages})


async def complete(context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
    """The suggestions for an argument."""
    reference = params.ref.model_dump()
    names = {p["name"] for p in fixture.PROMPTS} | {t["uriTemplate"] for t in fixture.TEMPLATES}
    if reference.get("name", reference.get("uri")) not in names:
        raise MCPError(types.INVALID_PARAMS, "Unknown reference")
    values = [word for word in fixture.WORDS if word.startswith(params.argument.value)]
    completion = {"values": values, "total": len(values), "hasMore": False}
    return types.CompleteResult.model_validate({"completion": completion})


async def subscribe(context: Context, params: Any) -> types.EmptyResult:
    """Takes a subscription; the resources never change."""
    return types.EmptyResult()


async def set_level(context: Context, params: Any) -> types.EmptyResult:
    """Takes a log level."""
    return types.EmptyResult()


class StoredEvents(EventStore):
    """The events of all streams, for clients that reconnect."""

    def __init__(self) -> None:
        self.events: list[tuple[str, Any]] = []

    async def store_event(self, stream_id: str, message: Any) -> str:
        """Keeps an event; the id is the position."""
        self.events.append((stream_id, message))
        return str(len(self.events))

    async def replay_events_after(self, last_event_id: str, send_callback: EventCallback) -> Any:
        """Sends the later events of the stream of the event."""
        position = int(last_event_id) if last_event_id.isdigit() else 0
        if not 0 < position <= len(self.events):
            return None
        stream = self.events[position - 1][0]
        for number, (owner, message) in enumerate(self.events[position:], position + 1):
            if owner == stream and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream


class OneToken:
    """Knows the token of the measurement."""

    async def verify_token(self, token: str) -> AccessToken | None:
        """The facts about the token, or None for another token."""
        if token != fixture.TOKEN:
            return None
        return AccessToken(token=token, client_id="client", scopes=["mcp"])


def make_app(port: int, needs_token: bool) -> Any:
    """The ASGI application."""
    hints: Any = dict.fromkeys(
        (
            "server/discover",
            "tools/list",
            "resources/list",
            "resources/templates/list",
            "resources/read",
            "prompts/list",
        ),
        CacheHint(60_000, "public"),
    )
    schemas = {name: entry["tool"]["inputSchema"] for name, entry in fixture.TOOL_BY_NAME.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        server: Server[Any] = Server(
            fixture.NAME,
            version=fixture.VERSION,
            title="Mutation",
            instructions="Call the tools to see each kind of answer.",
            cache_hints=hints,
            get_tool_input_schema=schemas.get,
            on_list_tools=list_tools,
            on_call_tool=call_tool,
            on_list_resources=list_resources,
            on_list_resource_templates=list_templates,
            on_read_resource=read_resource,
            on_subscribe_resource=subscribe,
            on_unsubscribe_resource=subscribe,
            on_subscriptions_listen=ListenHandler(InMemorySubscriptionBus()),
            on_list_prompts=list_prompts,
            on_get_prompt=get_prompt,
            on_completion=complete,
            on_set_logging_level=set_level,
        )
        address = f"http://127.0.0.1:{port}"
        auth = AuthSettings(
            issuer_url=AnyHttpUrl(f"{address}/authorization"),
            resource_server_url=AnyHttpUrl(f"{address}/mcp"),
            required_scopes=["mcp"],
            validate_token_resource=False,
        )
        return server.streamable_http_app(
            event_store=StoredEvents(),
            auth=auth if needs_token else None,
            token_verifier=OneToken() if needs_token else None,
        )


@contextmanager
def serving(needs_token: bool, port: int = 0) -> Iterator[str]:
    """The URL of the server, which runs in a thread until the process ends.

    Raises RuntimeError if the server does not start.
    """
    logging.disable(logging.CRITICAL)
    # asyncio disables Nagle's algorithm only for sockets with an explicit protocol; with the
    # algorithm each event stream takes 40 ms, and a run 20 s in place of 2 s.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", port))
    listener.listen(64)
    port = listener.getsockname()[1]
    config = uvicorn.Config(
        make_app(port, needs_token), log_config=None, http="h11", loop="asyncio", lifespan="on"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    while not server.started:
        if not thread.is_alive():
            raise RuntimeError("the server does not start")
        time.sleep(0.005)
    yield f"http://127.0.0.1:{port}/mcp"
    server.should_exit = True


def main() -> None:
    """Serves on the port of the command line until the process is stopped."""
    with serving("--token" in sys.argv, int(sys.argv[1])) as url:
        print(url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
