"""Broken handshakes and sessions."""

from __future__ import annotations

from typing import Any

from base_server import LEGACY, ConformingServer, ReceivedRequest, Refusal, Reply
from builder import Mangled, breaks
from features import Rich


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


@breaks("initialize-result-shape", "speaks-mcp")
class NumberedVersion(Mangled):
    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        return result | ({"protocolVersion": 20251125} if method == "initialize" else {})


@breaks("initialize-result-shape", "speaks-mcp")
class MissingVersion(Mangled):
    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        if method == "initialize":
            del result["protocolVersion"]
        return result


@breaks("initialize-result-shape", "speaks-mcp")
class UnpublishedVersion(Mangled):
    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        return result | ({"protocolVersion": "2025-11-26"} if method == "initialize" else {})


@breaks("initialize-version-spoken", "speaks-mcp")
class OneRevisionBehind(ConformingServer):
    def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        result = super().initialize(params)
        older = LEGACY[max(0, LEGACY.index(result["protocolVersion"]) - 1)]
        return result | {"protocolVersion": older}


@breaks("initialize-version-spoken", "speaks-mcp")
class ListsMoreThanItSpeaks(ConformingServer):
    def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        return super().initialize(params) | {"protocolVersion": LEGACY[-1]}


@breaks("capability-declared")
class HidesItsTools(ConformingServer):
    def capabilities(self) -> dict[str, Any]:
        return {}


@breaks("capability-declared")
class HidesItsPrompts(Rich):
    def capabilities(self) -> dict[str, Any]:
        return {key: value for key, value in super().capabilities().items() if key != "prompts"}


@breaks("capability-declared")
class HidesItsTemplates(Rich):
    def capabilities(self) -> dict[str, Any]:
        return {key: value for key, value in super().capabilities().items() if key != "resources"}

    def resources(self) -> list[dict[str, Any]]:
        return []


@breaks("capability-declared")
class HidesItsCompletions(Rich):
    def capabilities(self) -> dict[str, Any]:
        return {key: value for key, value in super().capabilities().items() if key != "completions"}


@breaks("capability-declared", warned=True)
class ListsNoPrompts(ConformingServer):
    def result(self, message: Any, request: ReceivedRequest | None) -> dict[str, Any]:
        return (
            {"prompts": []}
            if message["method"] == "prompts/list"
            else super().result(message, request)
        )


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


@breaks("opening-refused", "speaks-mcp", "initialize-version-spoken")
class CrashesInAnOldRevision(ConformingServer):
    def guard(self, request: ReceivedRequest) -> Reply | None:
        return Reply(500) if b'"2024-11-05"' in request.body else super().guard(request)


@breaks("discover-served", "speaks-mcp", "server-info-stamped")
class RefusesRightHeaders(ConformingServer):
    def check_headers(self, request: ReceivedRequest, message: Any, meta: dict[str, Any]) -> None:
        raise Refusal(-32020, "the headers differ")


@breaks("discover-served", "speaks-mcp")
class OffersMoreThanItSpeaks(ConformingServer):
    def modern_result(self, message: Any) -> dict[str, Any]:
        raise Refusal(-32602, "Invalid params")
