"""Broken JSON-RPC."""

from __future__ import annotations

import time
from typing import Any

from zoo_kit import breaks
from zoo_server import Asked, Refusal, Reply, ZooServer


@breaks("response-keeps-id")
class TextIds(ZooServer):
    def result_reply(self, identifier: Any, result: Any, message: Any = None) -> Reply:
        known = 7_000_001
        return super().result_reply(
            str(known) if identifier == known else identifier, result, message
        )


@breaks("concurrent-ids-kept")
class LastIdWins(ZooServer):
    last: Any = None

    def single(self, asked: Asked, message: Any) -> Reply:
        identifier = message.get("id") if isinstance(message, dict) else None
        if not str(identifier).startswith("at-once"):
            return super().single(asked, message)
        self.last = identifier
        time.sleep(0.05)
        return super().single(asked, message | {"id": self.last})


@breaks("malformed-json-refused", "malformed-json-32700")
class BreaksOnBadJson(ZooServer):
    def broken_json(self, asked: Asked) -> Reply:
        return Reply(500, b"Internal Server Error", {"Content-Type": "text/plain"})


@breaks("malformed-json-32700")
class VagueAboutBadJson(ZooServer):
    def broken_json(self, asked: Asked) -> Reply:
        return Reply(400)


@breaks("invalid-request-refused", "invalid-request-32600")
class TakesAnything(ZooServer):
    def check_envelope(self, message: Any) -> None:
        if isinstance(message, dict) and not isinstance(message.get("method"), str):
            message |= {"method": "ping", "guessed": True}

    def check_modern(self, asked: Asked, message: Any) -> None:
        if "guessed" not in message:
            super().check_modern(asked, message)

    def modern_result(self, message: Any) -> dict[str, Any]:
        return {} if "guessed" in message else super().modern_result(message)


@breaks("invalid-request-32600")
class VagueAboutBadMessages(ZooServer):
    def check_envelope(self, message: Any) -> None:
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            raise Refusal(-32000, "No")
