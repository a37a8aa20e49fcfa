"""Broken handshakes and sessions."""

from __future__ import annotations

from typing import Any

from base_server import ConformingServer, ReceivedRequest, Reply
from builder import Mangled, breaks


@breaks("speaks-mcp")
class WebPage(ConformingServer):
    def answer(self, request: ReceivedRequest) -> Reply:
        return Reply(200, b"<html>Welcome</html>", {"Content-Type": "text/html"})


@breaks("initialize-result-shape")
class NamelessServer(Mangled):
    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        if method == "initialize":
            result["serverInfo"] = {"name": "test"}
        return result


@breaks("initialize-result-shape")
class TalkativeServer(Mangled):
    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        return result | ({"instructions": ["be kind"]} if method == "initialize" else {})


@breaks("initialize-unknown-version")
class Parrot(ConformingServer):
    def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        return super().initialize(params) | {"protocolVersion": params["protocolVersion"]}


@breaks("ping-answers")
class DeafToPing(ConformingServer):
    def __init__(self) -> None:
        super().__init__()
        self.pinged = False

    def result(self, message: Any, request: ReceivedRequest | None) -> dict[str, Any]:
        if message["method"] == "ping" and isinstance(message["id"], int) and self.first():
            return self.unknown_method("ping")
        return super().result(message, request)

    def first(self) -> bool:
        """True for the first ping of a session, the only one that is judged."""
        before = self.pinged
        self.pinged = True
        return not before


@breaks("ping-answers")
class ChattyPing(Mangled):
    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        return {"pong": True} if method == "ping" else result
