"""An HTTP host on this machine that serves documents."""

from __future__ import annotations

import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class DocumentHost:
    """A server on this machine with responses by path, and a record of requests."""

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        host = self
        self.answers: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.hold = threading.Event()

        class DocumentHandler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                host.requests.append((self.path, {k.lower(): v for k, v in self.headers.items()}))
                status, headers, body = host.answers.get(self.path, (404, {}, b""))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)
                if "drip" in self.path:
                    host.drip(self.wfile)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), DocumentHandler)
        if context:
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        self.name = f"127.0.0.1:{self.port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def drip(self, stream: Any) -> None:
        """A byte now and then, for ever."""
        try:
            while not self.hold.wait(0.05):
                stream.write(b" ")
                stream.flush()
        except OSError:
            return

    def close(self) -> None:
        """Ends the server."""
        self.hold.set()
        self.server.shutdown()
        self.server.server_close()
