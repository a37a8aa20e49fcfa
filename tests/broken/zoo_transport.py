"""Broken answers: statuses, types, streams."""

from __future__ import annotations

from typing import Any

from zoo_kit import breaks
from zoo_server import META, Asked, Refusal, Reply, ZooServer


@breaks("notification-202-empty")
class OkForNotifications(ZooServer):
    def notification(self, asked: Asked, message: Any) -> Reply:
        return Reply(200, b"{}", {"Content-Type": "application/json"})


@breaks("notification-202-empty")
class EagerForNotifications(ZooServer):
    def notification(self, asked: Asked, message: Any) -> Reply:
        return Reply(202, b'"accepted"', {"Content-Type": "application/json"})


@breaks("answer-content-type")
class PlainText(ZooServer):
    def single(self, asked: Asked, message: Any) -> Reply:
        reply = super().single(asked, message)
        if isinstance(message, dict) and message.get("id") == "type":
            reply.headers["Content-Type"] = "text/plain"
        return reply


def as_stream(reply: Reply, hold: float = 0.0) -> Reply:
    """The same answer as an event stream."""
    if reply.headers.get("Content-Type") != "application/json" or reply.status != 200:
        return reply
    body = b"event: message\ndata: " + reply.body + b"\n\n"
    return Reply(200, body, {"Content-Type": "text/event-stream"}, hold)


class Streaming(ZooServer):
    """A correct server that answers with event streams."""

    def answer(self, asked: Asked) -> Reply:
        return as_stream(super().answer(asked))


@breaks("event-stream-closes")
class NeverHangsUp(ZooServer):
    def answer(self, asked: Asked) -> Reply:
        reply = super().answer(asked)
        return as_stream(reply, 5.0) if b'"id":"stream"' in asked.body else reply


@breaks("get-405-or-stream")
class GetsAPage(ZooServer):
    def get(self, asked: Asked) -> Reply:
        return Reply(200, b"<html></html>", {"Content-Type": "text/html"})


@breaks("version-header-unknown-400")
class AnyVersionHeader(ZooServer):
    def answer(self, asked: Asked) -> Reply:
        if asked.headers.get("mcp-protocol-version") == "1999-12-31" and META not in str(
            asked.body
        ):
            del asked.headers["mcp-protocol-version"]
        return super().answer(asked)


@breaks("version-header-absent")
class WantsVersionHeader(ZooServer):
    def check_session(self, asked: Asked, message: Any) -> Reply | None:
        if message["method"] == "ping" and message["id"] == "bare":
            return Reply(400) if "mcp-protocol-version" not in asked.headers else None
        return None


@breaks("accept-missing-tolerated")
class WantsAccept(ZooServer):
    def guard(self, asked: Asked) -> Reply | None:
        return super().guard(asked) or (None if "accept" in asked.headers else Reply(406))


@breaks("header-white-space")
class KeepsPadding(ZooServer):
    keeps_padding = True

    def check_session(self, asked: Asked, message: Any) -> Reply | None:
        accept = asked.headers.get("accept", "")
        return Reply(406) if accept.endswith(" ") else None


@breaks("unknown-method-32601", "tool-result-every-revision")
class Obliging(ZooServer):
    def unknown_method(self, method: str) -> dict[str, Any]:
        return {}


@breaks("unknown-method-32601")
class OkForUnknownMethods(ZooServer):
    def unknown_method(self, method: str) -> dict[str, Any]:
        raise Refusal(-32601, "Method not found", 200)


@breaks("batch-answered")
class NoBatches(ZooServer):
    def batch(self, asked: Asked, messages: list[Any]) -> Reply:
        return self.error_reply(None, Refusal(-32600, "No batches"), always=True)


@breaks("batch-refused")
class AlwaysBatches(ZooServer):
    def batch(self, asked: Asked, messages: list[Any]) -> Reply:
        asked.headers.pop("mcp-protocol-version", None)
        return super().batch(asked, messages)
