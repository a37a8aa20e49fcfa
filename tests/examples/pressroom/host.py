"""A host as the Pressroom knows it: it speaks the revision of 2025-03-26 with `fetch` and no SDK, opens
the server anew on every turn of a chat, and sends along who its user is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx2
from tests.examples.project_process import Front

APPLICATION = "page-editor-web"
"""The id of the application that the host is to the API."""

HELLO = {
    "protocolVersion": "2025-03-26",
    "capabilities": {},
    "clientInfo": {"name": "page-editor", "version": "1.0.0"},
}

JSON, EVENTS = "application/json", "text/event-stream"


@dataclass
class Host:
    """One turn of a chat. `heard` are the types of the answers so far."""

    front: Front
    session: str = ""
    sent: int = 0
    heard: list[str] = field(default_factory=list)

    def say(self, method: str, params: Any = None, **more: Any) -> httpx2.Response:
        """The response to one message, which is one POST."""
        message = {"jsonrpc": "2.0", "method": method, **more}
        if params is not None:
            message["params"] = params
        headers = {"Content-Type": JSON, "Accept": f"{JSON}, {EVENTS}"}
        if self.session:
            headers["Mcp-Session-Id"] = self.session
        return self.front.request("POST", content=json.dumps(message), headers=headers)

    def ask(self, method: str, params: Any = None) -> Any:
        """The result of the first response in the answer."""
        self.sent += 1
        response = self.say(method, params, id=self.sent)
        assert response.status_code == 200, response.text
        self.session = response.headers.get("Mcp-Session-Id", self.session)
        self.heard.append(response.headers["Content-Type"])
        return next(_responses(response))["result"]

    def open(self) -> tuple[Any, httpx2.Response, list[dict[str, Any]]]:
        """What the server says of itself, how it takes that the host is ready, and its tools."""
        opening = self.ask("initialize", HELLO)
        ready = self.say("notifications/initialized")
        return opening, ready, self.ask("tools/list")["tools"]

    def call(self, tool: str, **arguments: Any) -> Any:
        """The result of a tool."""
        return self.ask("tools/call", {"name": tool, "arguments": arguments})


def _responses(response: httpx2.Response) -> Iterator[dict[str, Any]]:
    """The responses in an answer, as its reader finds them: lines end with LF, and `data:` is
    followed by a blank."""
    if response.headers["Content-Type"].startswith(JSON):
        yield response.json()
        return
    for line in response.content.decode().split("\n"):
        if line.startswith("data: ") and line != "data: ":
            yield json.loads(line.removeprefix("data: "))
