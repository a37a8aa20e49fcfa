"""A server with sessions, and servers with defects in sessions."""

from __future__ import annotations

import itertools
import secrets
from typing import Any

from base_server import MODERN, ConformingServer, ReceivedRequest, Refusal, Reply
from builder import breaks


class Sessions(ConformingServer):
    """A correct server with sessions."""

    def __init__(self) -> None:
        super().__init__()
        self.sessions: set[str] = set()

    def new_session(self) -> str:
        """The id of a new session."""
        return secrets.token_hex(16)

    def result_reply(self, identifier: Any, result: Any, message: Any = None) -> Reply:
        reply = super().result_reply(identifier, result, message)
        if message is not None and message["method"] == "initialize":
            session = self.new_session()
            self.sessions.add(session.strip())
            reply.headers["Mcp-Session-Id"] = session
        return reply

    def check_session(self, request: ReceivedRequest, message: Any) -> Reply | None:
        session = request.headers.get("mcp-session-id")
        version = request.headers.get("mcp-protocol-version")
        if message["method"] == "initialize":
            return None
        if session is None:
            return self.without_session()
        if session not in self.sessions:
            return self.unknown_session()
        return Reply(400) if version == "1999-12-31" else None

    def notification(self, request: ReceivedRequest, message: Any) -> Reply:
        is_modern = request.headers.get("mcp-protocol-version") == MODERN
        refusal = None if is_modern else self.check_session(request, message)
        return refusal or super().notification(request, message)

    def without_session(self) -> Reply | None:
        """The answer to a request outside of a session."""
        return Reply(400)

    def unknown_session(self) -> Reply | None:
        """The answer to a request with an unknown session id."""
        return Reply(404)

    def delete(self, request: ReceivedRequest) -> Reply:
        self.sessions.discard(request.headers.get("mcp-session-id", ""))
        return Reply(204)


@breaks("session-id-visible-ascii")
class OddSession(Sessions):
    def new_session(self) -> str:
        return f"session {secrets.token_hex(16)}"


@breaks("session-honoured", warned=True)
class ForgetsASession(Sessions):
    def check_session(self, request: ReceivedRequest, message: Any) -> Reply | None:
        if message.get("id") == "in-session":
            return Reply(404)
        return super().check_session(request, message)


@breaks("session-honoured")
class BreaksInASession(Sessions):
    def check_session(self, request: ReceivedRequest, message: Any) -> Reply | None:
        if message.get("id") == "in-session":
            return Reply(500)
        return super().check_session(request, message)


class NeverServes(Sessions):
    """A server that issues session ids and answers HTTP 404 to each of them."""

    def check_session(self, request: ReceivedRequest, message: Any) -> Reply | None:
        session = request.headers.get("mcp-session-id")
        return super().check_session(request, message) if session is None else Reply(404)


@breaks("session-required-400")
class WantsCredentialsForSessions(Sessions):
    def without_session(self) -> Reply | None:
        return Reply(403)


@breaks("session-required-400")
class PingsAnyone(Sessions):
    def check_session(self, request: ReceivedRequest, message: Any) -> Reply | None:
        if "mcp-session-id" in request.headers or message["method"] in ("initialize", "ping"):
            return super().check_session(request, message)
        raise Refusal(-32602, "Not initialized")


class NeverIssued(Sessions):
    """A conforming server with HTTP 400 for ids that it never issued, and 404 for ended sessions."""

    def __init__(self) -> None:
        super().__init__()
        self.ended_ids: set[str] = set()

    def check_session(self, request: ReceivedRequest, message: Any) -> Reply | None:
        if request.headers.get("mcp-session-id") in self.ended_ids:
            return Reply(404)
        return super().check_session(request, message)

    def unknown_session(self) -> Reply | None:
        return Reply(400)

    def delete(self, request: ReceivedRequest) -> Reply:
        self.ended_ids.add(request.headers.get("mcp-session-id", ""))
        return super().delete(request)


@breaks("session-unknown-404")
class ServesNeverIssuedIds(NeverIssued):
    def unknown_session(self) -> Reply | None:
        return None


@breaks("session-deleted-404", "session-unknown-404")
class VagueAboutSessions(Sessions):
    def unknown_session(self) -> Reply | None:
        return Reply(400)


@breaks("session-delete-answered")
class NoDelete(Sessions):
    def delete(self, request: ReceivedRequest) -> Reply:
        return Reply(501)


@breaks("session-deleted-404")
class UndeadSession(Sessions):
    def delete(self, request: ReceivedRequest) -> Reply:
        return Reply(200)


@breaks("session-deleted-404", warned=True)
class TakesNotificationsOfEndedSessions(Sessions):
    def notification(self, request: ReceivedRequest, message: Any) -> Reply:
        return Reply(202)


@breaks("session-id-unguessable")
class CountedSessions(Sessions):
    def __init__(self) -> None:
        super().__init__()
        self.numbers = itertools.count(1_000)

    def new_session(self) -> str:
        return f"session-of-this-server-{next(self.numbers)}"
