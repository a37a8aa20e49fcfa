"""A client with a session that answers elicitation requests."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
from tests.examples.project_process import PATIENCE, ServerEndpoint

REVISION = "2025-06-18"
BOTH = "application/json, text/event-stream"

Answer = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""What a user does with a question."""


@dataclass(frozen=True)
class Session:
    """A session of a client with the server."""

    front: ServerEndpoint

    def call(self, tool: str, answer: Answer, /, **arguments: Any) -> dict[str, Any]:
        """The result of a tool; `answer` answers the questions for the user."""
        params = {"name": tool, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": params}
        with (
            httpx2.Client(base_url=self.front.origin, timeout=PATIENCE, verify=False) as client,
            client.stream(
                "POST", self.front.path, json=message, headers=self.front.headers
            ) as response,
        ):
            for stream_message in messages(response.iter_lines()):
                if "method" in stream_message:
                    self._reply(stream_message["id"], answer(stream_message))
                elif stream_message.get("id") == message["id"]:
                    result: dict[str, Any] = stream_message["result"]
                    return result
        raise AssertionError("the stream ended without an answer")

    @contextmanager
    def listening(self) -> Iterator[httpx2.Response]:
        """The event stream that the server keeps open for the session."""
        headers = {**self.front.headers, "Accept": "text/event-stream"}
        with (
            httpx2.Client(base_url=self.front.origin, timeout=PATIENCE, verify=False) as client,
            client.stream("GET", self.front.path, headers=headers) as response,
        ):
            yield response

    def _reply(self, id: str | int, result: Mapping[str, Any]) -> None:
        reply = {"jsonrpc": "2.0", "id": id, "result": dict(result)}
        assert self.front.request("POST", json=reply).status_code == 202


def session(front: ServerEndpoint, **capabilities: Any) -> Session:
    """A session of a client with these capabilities."""
    hello = {
        "protocolVersion": REVISION,
        "capabilities": capabilities,
        "clientInfo": {"name": "my-client", "version": "1.0.0"},
    }
    reading = front.showing(Accept=BOTH)
    response = reading.post("initialize", **hello)
    initialized_message = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    server_endpoint = reading.showing(
        mcp_session_id=response.headers["mcp-session-id"], mcp_protocol_version=REVISION
    )
    assert server_endpoint.request("POST", json=initialized_message).status_code == 202
    return Session(server_endpoint)


def messages(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Messages of the type `message` in the lines of an event stream."""
    kind = ""
    for line in lines:
        if line.startswith("event: "):
            kind = line.removeprefix("event: ").strip()
        elif line.startswith("data: {"):
            assert kind == "message"
            yield json.loads(line.removeprefix("data: "))
