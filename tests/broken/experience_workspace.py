"""Servers that violate the checks of Experience Workspace."""

from __future__ import annotations

from typing import Any

from base_server import ConformingServer, ReceivedRequest, Refusal, Reply
from builder import TEXT, breaks, taking, with_tool
from lists import Paged
from sessions import Sessions
from streams import as_stream


@breaks("workspace-trusted-domain", trusted_domains=("*.example.com",))
class Elsewhere(ConformingServer):
    """A conforming server outside the trusted domains."""


@breaks("workspace-every-turn")
class OpensTwice(ConformingServer):
    """A server that counts sessions."""

    session_count = 0

    def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        if params.get("protocolVersion") == "2025-03-26":
            self.session_count += 1
        return super().initialize(params)

    def list_tools(self, params: dict[str, Any]) -> dict[str, Any]:
        if self.session_count > 2:
            raise Refusal(-32000, "Too many clients")
        return super().list_tools(params)


class Mannered(ConformingServer):
    """A server with event streams in an unusual format for clients without a version header."""

    def answer(self, request: ReceivedRequest) -> Reply:
        reply = super().answer(request)
        if request.method != "POST" or "mcp-protocol-version" in request.headers:
            return reply
        reply = as_stream(reply)
        if reply.headers.get("Content-Type") == "text/event-stream":
            reply.body = self.encode_stream(reply.body)
        return reply

    def encode_stream(self, body: bytes) -> bytes:
        """The event stream as sent."""
        return body


@breaks("workspace-readable")
class CarriageReturns(Mannered):
    """A server whose lines end with CRLF, so that the client joins two events."""

    def encode_stream(self, body: bytes) -> bytes:
        news = b'data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n'
        return (news + body).replace(b"\n", b"\r\n")


@breaks("workspace-readable")
class NoSpaceAfterData(Mannered):
    def encode_stream(self, body: bytes) -> bytes:
        return body.replace(b"data: ", b"data:")


@breaks("workspace-session")
class Unending(Sessions):
    def delete(self, request: ReceivedRequest) -> Reply:
        return Reply(500)


breaks("workspace-first-page", warned=True)(Paged)


@breaks("workspace-has-tools", "vouched-call-succeeds")
class Toolless(ConformingServer):
    def __init__(self) -> None:
        super().__init__()
        self.tools = []


with_tool("workspace-no-secrets", "TakesKeys", {"inputSchema": taking(api_key=TEXT)})


@breaks("workspace-fails-closed", headers={"Authorization": "Bearer t0ken"})
class Gullible(ConformingServer):
    """A server that accepts any credentials."""
