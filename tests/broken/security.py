"""Servers with security defects."""

from __future__ import annotations

import time
from typing import Any

from base_server import ConformingServer, ReceivedRequest, Refusal, Reply
from builder import breaks


@breaks("origin-foreign-refused")
class AnyOrigin(ConformingServer):
    def origin_allowed(self, origin: str) -> bool:
        return True


@breaks("origin-foreign-refused")
class OpensForAnyOrigin(ConformingServer):
    def guard(self, request: ReceivedRequest) -> Reply | None:
        return None if b'"initialize"' in request.body else super().guard(request)


@breaks("origin-null-refused")
class NullOrigin(ConformingServer):
    def origin_allowed(self, origin: str) -> bool:
        return origin == "null" or super().origin_allowed(origin)


@breaks("origin-foreign-refused")
class PrefixOrigin(ConformingServer):
    def origin_allowed(self, origin: str) -> bool:
        return origin.startswith("http://localhost")


@breaks("host-foreign-refused")
class AnyHost(ConformingServer):
    def host_allowed(self, host: str) -> bool:
        return True


@breaks("host-foreign-refused")
class PrefixHost(ConformingServer):
    def host_allowed(self, host: str) -> bool:
        return host.startswith(("127.0.0.1", "localhost"))


@breaks("oversize-body-refused")
class BigEater(ConformingServer):
    limit = 1 << 30


@breaks("fuzzed-requests-answered")
class BreaksOnNumberedCursor(ConformingServer):
    def list_tools(self, params: dict[str, Any]) -> dict[str, Any]:
        if "cursor" in params and not isinstance(params["cursor"], str):
            raise OSError("the connection is closed")
        return super().list_tools(params)


@breaks("fuzzed-requests-answered")
class ListsAnythingForUnknownMembers(ConformingServer):
    def list_tools(self, params: dict[str, Any]) -> dict[str, Any]:
        if params.keys() - {"cursor", "_meta"}:
            return {"tools": None}
        return super().list_tools(params)


@breaks("errors-show-no-inside")
class ShowsItsPaths(ConformingServer):
    def broken_json(self, request: ReceivedRequest) -> Reply:
        refusal = Refusal(-32700, "JSONDecodeError in /home/test/server/main.py")
        return self.error_reply(None, refusal, always=True)


@breaks("deep-json-survived")
class Recursive(ConformingServer):
    def parse(self, request: ReceivedRequest) -> Any:
        if request.body.count(b"[") > 1_000:
            raise OSError("stack overflow")
        return super().parse(request)


class Taking(ConformingServer):
    """A server whose `echo` misuses its text."""

    def run(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        if name == "echo" and (text := self.misuse(arguments["text"])):
            return {"content": [{"type": "text", "text": text}]}
        return super().run(name, arguments)

    def misuse(self, text: str) -> str:
        """The misused text, or ""."""
        return ""


@breaks("path-like-arguments-safe")
class OpensFiles(Taking):
    def misuse(self, text: str) -> str:
        return "root:x:0:0:root:/root:/bin/sh" if text.endswith("etc/passwd") else ""


@breaks("path-like-arguments-safe", warned=True)
class BreaksOnNul(Taking):
    def misuse(self, text: str) -> str:
        if ".txt" in text:
            raise Refusal(-32603, "embedded null byte", 500)
        return ""


@breaks("header-like-arguments-safe")
class WritesHeaders(Taking):
    injected = False

    def misuse(self, text: str) -> str:
        self.injected = "X-Injected" in text
        return ""

    def json_reply(self, body: Any, status: int = 200) -> Reply:
        reply = super().json_reply(body, status)
        if self.injected:
            self.injected = False
            reply.headers["X-Injected"] = "yes"
        return reply


@breaks("rate-limit-says-when")
class Curt(ConformingServer):
    """A server that refuses requests for a second after 40 of one method, without `Retry-After`."""

    row = 0
    refused_at = 0.0

    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        is_discover = isinstance(message, dict) and message.get("method") == "server/discover"
        is_over = self.refused_at and time.monotonic() - self.refused_at >= 1
        if not is_discover or is_over:
            self.row, self.refused_at = 0, 0.0
        self.row += is_discover
        if self.row <= 40:
            return super().single(request, message)
        self.refused_at = self.refused_at or time.monotonic()
        return Reply(429)


class Patient(Curt):
    """A conforming server that limits requests."""

    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        reply = super().single(request, message)
        return Reply(429, b"", {"Retry-After": "1"}) if reply.status == 429 else reply


@breaks("duplicate-ids-survived")
class BreaksOnTwins(ConformingServer):
    twin_count = 0

    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        if not isinstance(message, dict) or message.get("id") != "twin":
            return super().single(request, message)
        self.twin_count += 1
        time.sleep(0.1)
        return Reply(500) if self.twin_count > 1 else super().single(request, message)
