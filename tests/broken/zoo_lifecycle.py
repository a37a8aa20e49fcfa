"""Broken handshakes and sessions."""

from __future__ import annotations

import itertools
from typing import Any

from zoo_kit import Mangled, breaks
from zoo_server import Asked, Reply, ZooServer


@breaks("speaks-mcp")
class WebPage(ZooServer):
    def answer(self, asked: Asked) -> Reply:
        return Reply(200, b"<html>Welcome</html>", {"Content-Type": "text/html"})


@breaks("initialize-result-shape")
class NamelessServer(Mangled):
    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        if method == "initialize":
            result["serverInfo"] = {"name": "zoo"}
        return result


@breaks("initialize-result-shape")
class TalkativeServer(Mangled):
    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        return result | ({"instructions": ["be kind"]} if method == "initialize" else {})


@breaks("initialize-unknown-version")
class Parrot(ZooServer):
    def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        return super().initialize(params) | {"protocolVersion": params["protocolVersion"]}


@breaks("ping-answers")
class DeafToPing(ZooServer):
    def __init__(self) -> None:
        super().__init__()
        self.pinged = False

    def result(self, message: Any, asked: Asked | None) -> dict[str, Any]:
        if message["method"] == "ping" and isinstance(message["id"], int) and self.first():
            return self.unknown_method("ping")
        return super().result(message, asked)

    def first(self) -> bool:
        """Whether this is the first ping of a conversation: the one that is judged alone."""
        before = self.pinged
        self.pinged = True
        return not before


@breaks("ping-answers")
class ChattyPing(Mangled):
    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        return {"pong": True} if method == "ping" else result


class Sessions(ZooServer):
    """A correct server with sessions."""

    def __init__(self) -> None:
        super().__init__()
        self.sessions: set[str] = set()
        self.numbers = itertools.count(1)

    def new_session(self) -> str:
        """The id of a new session."""
        return f"session-{next(self.numbers)}"

    def result_reply(self, identifier: Any, result: Any, message: Any = None) -> Reply:
        reply = super().result_reply(identifier, result, message)
        if message is not None and message["method"] == "initialize":
            session = self.new_session()
            self.sessions.add(session.strip())
            reply.headers["Mcp-Session-Id"] = session
        return reply

    def check_session(self, asked: Asked, message: Any) -> Reply | None:
        session = asked.headers.get("mcp-session-id")
        version = asked.headers.get("mcp-protocol-version")
        if message["method"] == "initialize":
            return None
        if session is None:
            return Reply(400)
        if session not in self.sessions:
            return Reply(404)
        return Reply(400) if version == "1999-12-31" else None

    def delete(self, asked: Asked) -> Reply:
        self.sessions.discard(asked.headers.get("mcp-session-id", ""))
        return Reply(200)


@breaks("session-id-visible-ascii")
class OddSession(Sessions):
    def new_session(self) -> str:
        return f"session {next(self.numbers)}"


@breaks("session-deleted-404")
class UndeadSession(Sessions):
    def delete(self, asked: Asked) -> Reply:
        return Reply(200)
