"""The outcome of an action."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.support import SentRequest

NOTHING = object()
"""The value of `json` for a body that is not JSON."""


@dataclass(frozen=True)
class ActionOutcome:
    """The outcome of an action. `status` is the HTTP status or the exit code of a command, None for
    a file; `body` is the text; `requests` are the upstream requests during the action."""

    action: str
    body: str
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    milliseconds: float = 0.0
    requests: tuple[SentRequest, ...] = ()

    @property
    def json(self) -> Any:
        """The body as JSON, for a stream the last event; `NOTHING` for other text."""
        events = [line for line in self.body.splitlines() if line.startswith("data:")]
        return _json_or_nothing(events[-1].removeprefix("data:") if events else self.body)

    @property
    def error(self) -> Any:
        """The JSON-RPC error, or None."""
        return self._member("error")

    @property
    def result(self) -> Any:
        """The JSON-RPC result, or None."""
        return self._member("result")

    @property
    def value(self) -> Any:
        """The root of paths: the result, the error, or else the whole JSON."""
        for value in (self.result, self.error):
            if value is not None:
                return value
        return self.json

    @property
    def is_error(self) -> bool:
        """True for an error result, a JSON-RPC error, and a status of failure."""
        told = isinstance(self.result, dict) and bool(self.result.get("isError", False))
        refused = self.status is not None and (self.status >= 400 or 0 < self.status < 100)
        return told or self.error is not None or refused

    @property
    def text(self) -> str:
        """The text of a result's blocks, the message of an error, or the body."""
        if isinstance(self.result, dict) and isinstance(self.result.get("content"), list):
            return "\n".join(str(block.get("text", "")) for block in self.result["content"])
        if isinstance(self.error, dict):
            return str(self.error.get("message", ""))
        return self.body

    @property
    def json_values(self) -> list[Any]:
        """The JSON values in the text blocks of a result; blocks of other text are skipped."""
        blocks = self.result.get("content") if isinstance(self.result, dict) else None
        texts = [block.get("text") for block in blocks or [] if isinstance(block, dict)]
        values = [_json_or_nothing(text) for text in texts if isinstance(text, str)]
        return [value for value in values if isinstance(value, dict | list)]

    @property
    def summary(self) -> str:
        """The action and the outcome, for a message."""
        status = "" if self.status is None else f" ({self.status})"
        return f"{self.action}{status}: {self.body}"

    def _member(self, name: str) -> Any:
        whole = self.json
        is_message = isinstance(whole, dict) and "jsonrpc" in whole
        return whole.get(name) if is_message else None


def _json_or_nothing(text: str) -> Any:
    """A text as JSON; `NOTHING` for other text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return NOTHING


def compact_size(value: Any) -> int:
    """The bytes of a value as compact JSON."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())
