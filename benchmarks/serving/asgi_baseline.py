"""The lower bound: an ASGI application that parses and writes JSON, and checks no header or argument.

`python -m benchmarks.serving.asgi_baseline PORT TOOLS UPSTREAM`
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import aiohttp
import uvicorn
from pydantic_core import from_json, to_json

from benchmarks.serving.catalogue import GREETING, UPSTREAM, WORDS, catalogue_schema, names

loads: Any = from_json
dumps: Any = to_json
if find_spec("orjson"):
    orjson = import_module("orjson")
    loads, dumps = orjson.loads, orjson.dumps


class BaselineApp:
    """Answers `tools/list` with the tools and every other method like `tools/call`."""

    def __init__(self, count: int, upstream: str) -> None:
        self._tools = [
            {"name": name, "description": WORDS, "inputSchema": catalogue_schema()}
            for name in names(count)
        ]
        self._upstream = upstream
        self._session: aiohttp.ClientSession | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handles one HTTP request (ASGI 3)."""
        body = (await receive()).get("body", b"")
        message = loads(body)
        params = message["params"]
        if message["method"] == "tools/list":
            result: dict[str, Any] = {"tools": self._tools}
        else:
            text = await self._call_upstream() if params["name"] == UPSTREAM else GREETING
            result = {"content": [{"type": "text", "text": text}], "isError": False}
        answer = dumps({"jsonrpc": "2.0", "id": message["id"], "result": result})
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(answer)).encode()),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": answer})

    async def _call_upstream(self) -> str:
        self._session = self._session or aiohttp.ClientSession()
        async with self._session.get(f"{self._upstream}/{UPSTREAM}?word_0=harbour") as response:
            return await response.text()


if __name__ == "__main__":
    port, count, upstream = sys.argv[1:]
    uvicorn.run(
        BaselineApp(int(count), upstream),
        port=int(port),
        log_level="error",
        lifespan="off",
        access_log=False,
    )
