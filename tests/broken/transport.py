"""Broken answers: statuses, types, streams."""

from __future__ import annotations

import time
from typing import Any

from base_server import LEGACY, META, MODERN, ConformingServer, ReceivedRequest, Refusal, Reply
from builder import breaks
from sessions import Sessions


@breaks("notification-202-empty", "batch-answered", "batch-notifications-202")
class OkForNotifications(ConformingServer):
    def notification(self, request: ReceivedRequest, message: Any) -> Reply:
        return Reply(200, b"{}", {"Content-Type": "application/json"})


@breaks("notification-202-empty", "batch-answered", "batch-notifications-202")
class EagerForNotifications(ConformingServer):
    def notification(self, request: ReceivedRequest, message: Any) -> Reply:
        return Reply(202, b'"accepted"', {"Content-Type": "application/json"})


@breaks("answer-content-type")
class PlainText(ConformingServer):
    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        reply = super().single(request, message)
        if isinstance(message, dict) and message.get("id") == "type":
            reply.headers["Content-Type"] = "text/plain"
        return reply


@breaks("get-405-or-stream")
class GetsAPage(ConformingServer):
    def get(self, request: ReceivedRequest) -> Reply:
        return Reply(200, b"<html></html>", {"Content-Type": "text/html"})


@breaks("get-405-or-stream")
class PageOutsideOfSessions(Sessions):
    def get(self, request: ReceivedRequest) -> Reply:
        if "mcp-session-id" in request.headers:
            return super().get(request)
        return Reply(200, b"<html></html>", {"Content-Type": "text/html"})


@breaks("version-header-unknown-400")
class AnyVersionHeader(ConformingServer):
    def answer(self, request: ReceivedRequest) -> Reply:
        if request.headers.get("mcp-protocol-version") == "1999-12-31" and META not in str(
            request.body
        ):
            del request.headers["mcp-protocol-version"]
        return super().answer(request)


@breaks("version-header-unknown-400")
class StreamOfAnyVersion(ConformingServer):
    def get(self, request: ReceivedRequest) -> Reply:
        return Reply(200, b": open\n\n", {"Content-Type": "text/event-stream"})


@breaks("version-header-absent")
class WantsVersionHeader(ConformingServer):
    def check_session(self, request: ReceivedRequest, message: Any) -> Reply | None:
        if message["method"] == "ping" and message["id"] == "bare":
            return Reply(400) if "mcp-protocol-version" not in request.headers else None
        return None


@breaks("accept-missing-tolerated")
class WantsAccept(ConformingServer):
    def guard(self, request: ReceivedRequest) -> Reply | None:
        return super().guard(request) or (None if "accept" in request.headers else Reply(406))


@breaks("header-white-space")
class KeepsPadding(ConformingServer):
    keeps_padding = True

    def check_session(self, request: ReceivedRequest, message: Any) -> Reply | None:
        accept = request.headers.get("accept", "")
        return Reply(406) if accept.endswith(" ") else None


@breaks("unknown-method-32601", "tool-result-every-revision")
class Obliging(ConformingServer):
    def unknown_method(self, method: str) -> dict[str, Any]:
        return {}


@breaks("unknown-method-32601")
class OkForUnknownMethods(ConformingServer):
    def unknown_method(self, method: str) -> dict[str, Any]:
        raise Refusal(-32601, "Method not found", 200)


@breaks("batch-answered", "batch-notifications-202")
class NoBatches(ConformingServer):
    def batch(self, request: ReceivedRequest, messages: list[Any]) -> Reply:
        return self.error_reply(None, Refusal(-32600, "No batches"), always=True)


@breaks("batch-refused")
class AlwaysBatches(ConformingServer):
    def batch(self, request: ReceivedRequest, messages: list[Any]) -> Reply:
        request.headers.pop("mcp-protocol-version", None)
        return super().batch(request, messages)


@breaks("batch-answered")
class RefusesBatchesOfOne(ConformingServer):
    def batch(self, request: ReceivedRequest, messages: list[Any]) -> Reply:
        if len(messages) == 1:
            return self.error_reply(None, Refusal(-32600, "Empty batch"), always=True)
        return super().batch(request, messages)


@breaks("batch-answered", warned=True)
class WantsAnotherTokenForBatches(ConformingServer):
    def batch(self, request: ReceivedRequest, messages: list[Any]) -> Reply:
        if messages and messages[0].get("method") == "initialize":
            return Reply(401, headers={"WWW-Authenticate": "Bearer"})
        return super().batch(request, messages)


@breaks("batch-answered", "batch-notifications-202")
class AnswersNotifications(ConformingServer):
    def batch(self, request: ReceivedRequest, messages: list[Any]) -> Reply:
        with_ids = [m | {"id": m.get("id", "none")} for m in messages if isinstance(m, dict)]
        return super().batch(request, [{**m, "method": "ping"} for m in with_ids])


@breaks("batch-notifications-202")
class EmptyBatchAnswer(ConformingServer):
    def batch(self, request: ReceivedRequest, messages: list[Any]) -> Reply:
        reply = super().batch(request, messages)
        return self.json_reply([]) if reply.status == 202 else reply


@breaks("response-202-empty")
class AnswersAnswers(ConformingServer):
    def response(self, request: ReceivedRequest) -> Reply:
        return self.json_reply({"jsonrpc": "2.0", "id": "thanks", "result": {}})


@breaks("header-names-any-case")
class ExactCase(ConformingServer):
    exact_case = True


@breaks("hang-up-survived")
class MindsHangingUp(ConformingServer):
    broken = False

    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        identifier = message.get("id") if isinstance(message, dict) else None
        if identifier == "hung-up":
            self.broken = True
        elif identifier == "next":
            # The request that nobody waited for may come a moment later than the one after it.
            time.sleep(0.05)
            if self.broken:
                self.broken = False
                return Reply(500)
        return super().single(request, message)


class ModernOnly(ConformingServer):
    """A correct server of the newest revision alone."""

    speaks = (MODERN,)

    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        version = request.headers.get("mcp-protocol-version", "")
        if version in ("", *LEGACY):
            data = {"supported": [MODERN], "requested": version}
            refusal = Refusal(-32022, "Unsupported protocol version", data=data)
            return self.error_reply(None, refusal, always=True)
        return super().single(request, message)

    def discover(self) -> dict[str, Any]:
        return super().discover() | {"supportedVersions": [MODERN]}


@breaks("initialize-error-names-versions")
class ModernWithoutNames(ModernOnly):
    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        if isinstance(message, dict) and message.get("method") == "initialize":
            return self.error_reply(message["id"], Refusal(-32600, "Bad Request"), always=True)
        return super().single(request, message)


@breaks("get-delete-405")
class ModernWithPage(ModernOnly):
    def get(self, request: ReceivedRequest) -> Reply:
        return Reply(200, b"<html></html>", {"Content-Type": "text/html"})


@breaks("method-unknown-refused")
class TakesEveryMethod(ConformingServer):
    def other_method(self, request: ReceivedRequest) -> Reply:
        return Reply(200)


@breaks("method-unknown-refused")
class HidesItsMethods(ConformingServer):
    def other_method(self, request: ReceivedRequest) -> Reply:
        return Reply(405)


@breaks("method-unknown-refused")
class HidesMethodsFromGet(ConformingServer):
    def get(self, request: ReceivedRequest) -> Reply:
        return Reply(405)


@breaks("response-keeps-id", warned=True)
class WritesOneBuffer(ConformingServer):
    def json_reply(self, body: Any, status: int = 200) -> Reply:
        reply = super().json_reply(body, status)
        return Reply(reply.status, reply.body[: 64 * 1024], reply.headers)


@breaks("result-status-200")
class CreatesResults(ConformingServer):
    def result_reply(self, identifier: Any, result: Any, message: Any = None) -> Reply:
        reply = super().result_reply(identifier, result, message)
        reply.status = 201
        return reply
