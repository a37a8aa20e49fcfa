"""Server that runs scripts, with settings for each test."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.runtime.conftest import Client, serving_tools

from mcpgen_runtime.scripts.sandbox import ScriptSettings
from mcpgen_runtime.scripts.script import Scripts
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.tool import Argument, Hints, Route, Tool

READS = Hints(read_only=True, destructive=False, idempotent=True)
WRITES = Hints(read_only=False, destructive=True, idempotent=True)

ID = Argument("id", "path", {"type": "integer", "description": "Which one."}, required=True)
LIMIT = Argument("limit", "query", {"type": "integer", "description": "How many."})
LIST = Tool("list_orders", "List orders", "", Route("GET", "/orders"), READS, arguments=(LIMIT,))
GET = Tool("get_order", "Show an order", "", Route("GET", "/orders/{id}"), READS, arguments=(ID,))
DELETE = Tool(
    "delete_order", "Delete an order", "", Route("DELETE", "/orders/{id}"), WRITES, arguments=(ID,)
)
TOOLS = (LIST, GET, DELETE)
MODULES = {"orders": {"list": "list_orders", "get": "get_order", "delete": "delete_order"}}

_SCRIPT = Argument(
    "script", "handler", {"type": "string", "description": "The script."}, required=True
)
DO = Tool("do", "Run a script", "Runs a script.", None, WRITES, arguments=(_SCRIPT,))


def scripts(**settings: Any) -> Scripts:
    """Returns the script feature with these settings."""
    return Scripts(DO, "db", MODULES, ScriptSettings(**settings))


@asynccontextmanager
async def scripting(
    upstream: str, *, rules: Sequence[Middleware] = (), calls_at_once: int = 500, **settings: Any
) -> AsyncIterator[Client]:
    """Runs a server with scripts, and yields a client."""
    offers = (scripts(**settings),)
    async with serving_tools(
        *TOOLS, upstream=upstream, rules=rules, offers=offers, calls_at_once=calls_at_once
    ) as client:
        yield client


async def script_value(client: Client, script: str) -> Any:
    """Returns the value of a script."""
    result = await client.call("do", script=script)
    assert not result["isError"], result
    return json.loads(result["content"][0]["text"])


def scripts_running() -> list[int]:
    """Returns the ids of Deno processes that this process started; processes of parallel tests are
    left out."""
    children_file = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    if not children_file.exists():
        pytest.skip("the system does not tell the children of a process")
    return [int(child) for child in children_file.read_text().split() if _is_deno(child)]


def _is_deno(process: str) -> bool:
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{process}/comm").read_text().strip() == "deno"
    return False
