"""Broken JSON-RPC."""

from __future__ import annotations

import json
import time
from typing import Any

from base_server import ConformingServer, ReceivedRequest, Refusal, Reply
from builder import breaks


@breaks("response-keeps-id")
class TextIds(ConformingServer):
    def result_reply(self, identifier: Any, result: Any, message: Any = None) -> Reply:
        numeric_id = 7_000_001
        return super().result_reply(
            str(numeric_id) if identifier == numeric_id else identifier, result, message
        )


@breaks("concurrent-ids-kept")
class LastIdWins(ConformingServer):
    last: Any = None

    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        identifier = message.get("id") if isinstance(message, dict) else None
        if not str(identifier).startswith("at-once"):
            return super().single(request, message)
        self.last = identifier
        time.sleep(0.05)
        return super().single(request, message | {"id": self.last})


@breaks("malformed-json-refused", "malformed-json-32700")
class GuessesBadJson(ConformingServer):
    def broken_json(self, request: ReceivedRequest) -> Reply:
        return self.result_reply(1, {})


@breaks("malformed-json-refused", "malformed-json-32700")
class StopsAfterBadJson(ConformingServer):
    stopped = False

    def answer(self, request: ReceivedRequest) -> Reply:
        if self.stopped:
            self.stopped = False
            return Reply(502)
        return super().answer(request)

    def broken_json(self, request: ReceivedRequest) -> Reply:
        self.stopped = True
        return Reply(400)


@breaks("malformed-json-32700")
class BreaksOnBadJson(ConformingServer):
    def broken_json(self, request: ReceivedRequest) -> Reply:
        return Reply(500, b"Internal Server Error", {"Content-Type": "text/plain"})


@breaks("malformed-json-32700")
class VagueAboutBadJson(ConformingServer):
    def broken_json(self, request: ReceivedRequest) -> Reply:
        return Reply(400)


@breaks("invalid-request-refused", "invalid-request-32600")
class TakesAnything(ConformingServer):
    def check_envelope(self, message: Any) -> None:
        if isinstance(message, dict) and not isinstance(message.get("method"), str):
            message |= {"method": "ping", "guessed": True}

    def check_modern(self, request: ReceivedRequest, message: Any) -> None:
        if "guessed" not in message:
            super().check_modern(request, message)

    def modern_result(self, message: Any) -> dict[str, Any]:
        return {} if "guessed" in message else super().modern_result(message)


@breaks("invalid-request-32600")
class VagueAboutBadMessages(ConformingServer):
    def check_envelope(self, message: Any) -> None:
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            raise Refusal(-32000, "No")
        self.check_members(message)


@breaks("response-keeps-id")
class FalsyId(ConformingServer):
    def result_reply(self, identifier: Any, result: Any, message: Any = None) -> Reply:
        return super().result_reply(identifier or "none", result, message)


@breaks("response-keeps-id")
class ErrorsWithoutId(ConformingServer):
    def error_reply(self, identifier: Any, refusal: Refusal, *, always: bool) -> Reply:
        has_text_id = isinstance(identifier, str)
        return super().error_reply(None if has_text_id else identifier, refusal, always=always)


@breaks("request-id-null-refused")
class NullIsNotified(ConformingServer):
    def check_members(self, message: Any) -> None:
        super().check_members({key: value for key, value in message.items() if key != "id"})


@breaks("invalid-envelope-refused")
class AnyVersionOfJsonRpc(ConformingServer):
    def check_members(self, message: Any) -> None:
        super().check_members(message | {"jsonrpc": "2.0"})


@breaks("invalid-envelope-refused", "meta-missing-32602")
class TakesPositionalParams(ConformingServer):
    def check_members(self, message: Any) -> None:
        super().check_members(message | ({"params": {}} if message.get("params") == [] else {}))

    def check_modern(self, request: ReceivedRequest, message: Any) -> None:
        if message.get("params") != []:
            super().check_modern(request, message)


@breaks("body-not-utf8-refused")
class Latin(ConformingServer):
    def parse(self, request: ReceivedRequest) -> Any:
        return json.loads(request.body.decode("utf-8", "replace"))


@breaks("invalid-params-32602")
class BreaksOnMissingName(ConformingServer):
    def call(self, params: dict[str, Any]) -> dict[str, Any]:
        if "name" not in params:
            raise Refusal(-32603, "KeyError: name", 500)
        return super().call(params)

    def check_headers(self, request: ReceivedRequest, message: Any, meta: dict[str, Any]) -> None:
        if message["method"] != "tools/call" or "name" in message["params"]:
            super().check_headers(request, message, meta)


@breaks("response-shape")
class TextCodes(ConformingServer):
    def error_reply(self, identifier: Any, refusal: Refusal, *, always: bool) -> Reply:
        if refusal.error["code"] == -32601:
            body = {"jsonrpc": "2.0", "id": identifier, "error": dict(refusal.error)}
            return self.json_reply(body | {"result": {}}, refusal.status if always else 200)
        return super().error_reply(identifier, refusal, always=always)


@breaks("error-codes-defined")
class InventsCodes(ConformingServer):
    def refuse_arguments(self, problem: str) -> dict[str, Any]:
        raise Refusal(-32050, problem)


@breaks("cancellation-unknown-ignored")
class MindsCancellations(ConformingServer):
    def notification(self, request: ReceivedRequest, message: Any) -> Reply:
        if message["method"] == "notifications/cancelled" and "requestId" not in message["params"]:
            return Reply(500)
        return super().notification(request, message)
