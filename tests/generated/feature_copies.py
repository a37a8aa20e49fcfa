"""Starts a server on each copy of the runtime with one feature; prints the errors as JSON by feature.

Each copy runs in a fork of a process that has loaded the libraries, since loading takes a second.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any

import aiohttp  # noqa: F401
import httpx2
import jsonschema_rs  # noqa: F401
import uvicorn  # noqa: F401
from mcp.server.lowlevel import Server  # noqa: F401
from pydantic_settings import BaseSettings  # noqa: F401

MESSAGE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "hello", "arguments": {"name": "you"}},
}


def answer(package: str, feature: str) -> str:
    """Imports every module of a copy, and returns the text that a tool of a server answers."""

    def module(name: str) -> Any:
        return importlib.import_module(f"{package}.{name}")

    module(feature)
    module("server.cli")
    hooks, tool = module("hooks"), module("tool")

    async def greet(call: Any) -> Any:
        return hooks.Result.text(f"Hello {call.arguments['name']}")

    hints = tool.Hints(read_only=True, destructive=False, idempotent=True)
    argument = tool.Argument("name", "handler", {"type": "string"}, required=True)
    app = module("server.app").create_app(
        module("server.app").ServerInfo("copy", "Copy", "1"),
        [tool.Tool("hello", "", "", None, hints, (argument,))],
        (),
        module("settings").ServerSettings(),
        hooks.Hooks({"hello": greet}),
    )

    async def ask() -> str:
        transport = httpx2.ASGITransport(app)
        async with (
            app.running(),
            httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client,
        ):
            response = await client.post("/mcp", json=MESSAGE)
            return str(response.json()["result"]["content"][0]["text"])

    return asyncio.run(ask())


def error_of(package: str, feature: str) -> str:
    """The traceback of a copy that does not answer in a process of its own, `""` if the copy answers."""
    reads, writes = os.pipe()
    if not os.fork():
        os.close(reads)
        try:
            text = answer(package, feature)
            error = "" if text == "Hello you" else text
        except BaseException:  # noqa: BLE001
            error = traceback.format_exc()
        with os.fdopen(writes, "w") as pipe:
            pipe.write(error)
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads) as pipe:
        error = pipe.read()
    os.wait()
    return error


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    sys.path.insert(0, str(folder))
    features = json.loads((folder / "features.json").read_text("utf-8"))
    print(json.dumps({name: error_of(package, name) for name, package in features.items()}))
