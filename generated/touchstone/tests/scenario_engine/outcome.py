"""What an action brought back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.support import SentRequest

NOTHING = object()
"""The JSON of what is no JSON."""


@dataclass(frozen=True)
class ActionOutcome:
    """What one action brought back. `status` is that of the HTTP response or the exit code of a
    command, None for a file; `body` its text; `requests` are those that the upstream got meanwhile.
    """

    action: str
    body: str
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    milliseconds: float = 0.0
    requests: tuple[SentRequest, ...] = ()

    @property
    def json(self) -> Any:
        """The body as JSON, that of the last event where it is a stream; `NOTHING` for other text."""
        events = [line for line in self.body.splitlines() if line.startswith("data:")]
        return _json(events[-1].removeprefix("data:") if events else self.body)

    @property
    def error(self) -> Any:
        """The error of JSON-RPC, or None."""
        return self._member("error")

    @property
    def result(self) -> Any:
        """The result of JSON-RPC, or None."""
        return self._member("result")

    @property
    def value(self) -> Any:
        """What paths lead into: the result, the error, or else the JSON there is."""
        for value in (self.result, self.error):
            if value is not None:
                return value
        return self.json

    @property
    def is_error(self) -> bool:
        """Whether it tells of a failure: an error result, an error of JSON-RPC, a status that says so."""
        told = isinstance(self.result, dict) and bool(self.result.get("isError", False))
        refused = self.status is not None and (self.status >= 400 or 0 < self.status < 100)
        return told or self.error is not None or refused

    @property
    def text(self) -> str:
        """The text: that of the blocks of a result, the message of an error, or the body."""
        if isinstance(self.result, dict) and isinstance(self.result.get("content"), list):
            return "\n".join(str(block.get("text", "")) for block in self.result["content"])
        if isinstance(self.error, dict):
            return str(self.error.get("message", ""))
        return self.body

    @property
    def json_values(self) -> list[Any]:
        """The JSON that stands in the text blocks of a result, one value for each that is some."""
        blocks = self.result.get("content") if isinstance(self.result, dict) else None
        texts = [block.get("text") for block in blocks or [] if isinstance(block, dict)]
        values = [_json(text) for text in texts if isinstance(text, str)]
        return [value for value in values if isinstance(value, dict | list)]

    @property
    def summary(self) -> str:
        """The action and what it brought back, for a message."""
        status = "" if self.status is None else f" ({self.status})"
        return f"{self.action}{status}: {self.body}"

    def _member(self, name: str) -> Any:
        whole = self.json
        is_message = isinstance(whole, dict) and "jsonrpc" in whole
        return whole.get(name) if is_message else None


def _json(text: str) -> Any:
    """A text as JSON; `NOTHING` for what is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return NOTHING


def compact_size(value: Any) -> int:
    """The bytes of a value as compact JSON."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())
