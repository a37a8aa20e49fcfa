"""An endpoint at a path of its own, whose parameters become part of every request to the API."""

from __future__ import annotations

from urllib.parse import quote

from .asgi import Asgi, Receive, Scope, Send, respond
from .caller import Caller, scope_with_caller
from .middleware import Middleware
from .path_template import PathTemplate

INNER = "/mcp"
"""Where the server inside believes to be."""

_AROUND = ("/healthz", "/readyz", "/metrics")
"""What lies beside the endpoint, and stays where it is."""


class Endpoint(Middleware):
    """Serves MCP below a path and nowhere else."""

    def __init__(self, path: str) -> None:
        self._template = PathTemplate(path)

    def address(self, path: str) -> str:
        """The path at which clients reach what lies at one inside."""
        return f"{self._template.text}{path.removeprefix(INNER)}"

    def gate(self, app: Asgi) -> Asgi:
        """The application, reached through the path."""

        async def gated(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["path"] in _AROUND or scope["path"].startswith("/.well-known/"):
                await app(scope, receive, send)
                return
            raw = scope.get("raw_path") or quote(scope["path"]).encode()
            path = raw.partition(b"?")[0].decode("latin-1")
            values = self._template.values(path)
            if values is None:
                await respond(send, 404, {"error": "not_found"})
                return
            inner = {**scope, "path": f"{INNER}{self._template.rest(path)}"}
            await app(scope_with_caller(inner, Caller(path=values)), receive, send)

        return gated
