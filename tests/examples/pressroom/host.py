"""The Pressroom's host: revision 2025-03-26 by plain HTTP without SDK, a new handshake in every turn of
a chat, and the user's credentials in headers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx2
from tests.examples.project_process import ServerEndpoint

APPLICATION = "page-editor-web"
"""The id of the application that the host is to the API."""

HELLO = {
    "protocolVersion": "2025-03-26",
    "capabilities": {},
    "clientInfo": {"name": "page-editor", "version": "1.0.0"},
}

JSON, EVENTS = "application/json", "text/event-stream"


@dataclass
class ChatHost:
    """One turn of a chat. `heard` holds the media types of the responses."""

    front: ServerEndpoint
    session: str = ""
    request_count: int = 0
    content_types: list[str] = field(default_factory=list)

    def say(self, method: str, params: Any = None, **more: Any) -> httpx2.Response:
        """The HTTP response to one message."""
        message = {"jsonrpc": "2.0", "method": method, **more}
        if params is not None:
            message["params"] = params
        headers = {"Content-Type": JSON, "Accept": f"{JSON}, {EVENTS}"}
        if self.session:
            headers["Mcp-Session-Id"] = self.session
        return self.front.request("POST", content=json.dumps(message), headers=headers)

    def ask(self, method: str, params: Any = None) -> Any:
        """The result of the first JSON-RPC response."""
        self.request_count += 1
        response = self.say(method, params, id=self.request_count)
        assert response.status_code == 200, response.text
        self.session = response.headers.get("Mcp-Session-Id", self.session)
        self.content_types.append(response.headers["Content-Type"])
        return next(_responses(response))["result"]

    def open(self) -> tuple[Any, httpx2.Response, list[dict[str, Any]]]:
        """Server info, the response to `notifications/initialized`, and the tools."""
        opening = self.ask("initialize", HELLO)
        initialized_response = self.say("notifications/initialized")
        return opening, initialized_response, self.ask("tools/list")["tools"]

    def call(self, tool: str, **arguments: Any) -> Any:
        """The result of a tool."""
        return self.ask("tools/call", {"name": tool, "arguments": arguments})


def _responses(response: httpx2.Response) -> Iterator[dict[str, Any]]:
    """JSON-RPC responses in an HTTP response, by the host's reader: lines end with LF, and a blank
    follows `data:`."""
    if response.headers["Content-Type"].startswith(JSON):
        yield response.json()
        return
    for line in response.content.decode().split("\n"):
        if line.startswith("data: ") and line != "data: ":
            yield json.loads(line.removeprefix("data: "))
