"""An MCP server with an endless paged list of tools."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

READS = {"readOnlyHint": True}


@contextmanager
def endless_list(*, tools: int, characters: int) -> Iterator[tuple[str, list[str]]]:
    """The URL of the server and the requested cursors.

    `tools` is the number of tools on a page, `size` the characters of a description.
    """
    cursors: list[str] = []

    def result(method: str, params: dict[str, Any]) -> dict[str, Any]:
        if method != "tools/list":
            version, identity = params.get("protocolVersion"), {"name": "endless", "version": "1"}
            return {
                "protocolVersion": version,
                "capabilities": {"tools": {}},
                "serverInfo": identity,
            }
        page = int(params.get("cursor", "0"))
        cursors.append(str(page))
        common = {
            "description": "x" * characters,
            "inputSchema": {"type": "object"},
            "annotations": READS,
        }
        page_tools = [{"name": f"tool_{page}_{number}", **common} for number in range(tools)]
        return {"tools": page_tools, "nextCursor": str(page + 1)}

    class ListHandler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if message["method"] not in ("initialize", "tools/list"):
                self.send_response(202)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            answer = {"jsonrpc": "2.0", "id": message["id"]}
            answer["result"] = result(message["method"], message.get("params", {}))
            body = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), ListHandler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/mcp", cursors
        finally:
            server.shutdown()
            thread.join()
