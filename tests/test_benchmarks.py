"""Measurements of servers cover the whole list of tools, and the memory of the server alone."""

from __future__ import annotations

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from benchmarks.measure import peak_resident_bytes, resident_bytes
from benchmarks.servers import list_pages, result_of

PAGES: dict[str | None, dict[str, Any]] = {
    None: {"tools": [{"name": "a"}, {"name": "b"}], "nextCursor": "2"},
    "2": {"tools": [{"name": "c"}]},
}


class PagedServer(BaseHTTPRequestHandler):
    """Answers tools/list with two pages, the second as an event stream."""

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        cursor = message["params"].get("cursor")
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "result": PAGES[cursor]})
        text = f"event: message\ndata: {body}\n\n" if cursor else body
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Prints nothing."""


def test_list_of_a_measured_server_has_the_tools_of_every_page() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), PagedServer) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        pages = list_pages(server.server_port)
        server.shutdown()
        thread.join()

    names = [tool["name"] for page in pages for tool in result_of(page)["tools"]]
    assert names == ["a", "b", "c"]


def test_peak_memory_of_a_process_is_at_least_its_memory() -> None:
    assert peak_resident_bytes(os.getpid()) >= resident_bytes(os.getpid()) > 0
