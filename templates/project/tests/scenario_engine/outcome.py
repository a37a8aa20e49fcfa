"""The outcome of an action: a response, the text of a file, or the output of a command."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.support import SentRequest

NOT_JSON = object()
"""The value of `ActionOutcome.json` for a body that is not JSON; None is the JSON value `null`."""


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
    is_command: bool = False

    @property
    def json(self) -> Any:
        """The body as JSON, or the last event of an event stream; `NOT_JSON` for other text."""
        events = [line for line in self.body.splitlines() if line.startswith("data:")]
        return _parse_json(events[-1].removeprefix("data:") if events else self.body)

    @property
    def error(self) -> Any:
        """The JSON-RPC error, or None."""
        return self._message_member("error")

    @property
    def result(self) -> Any:
        """The JSON-RPC result, or None."""
        return self._message_member("result")

    @property
    def value(self) -> Any:
        """The value that paths begin at: the result, the error, or else the whole JSON."""
        for value in (self.result, self.error):
            if value is not None:
                return value
        return self.json

    @property
    def is_error(self) -> bool:
        """True for an error result, a JSON-RPC error, an HTTP status from 400, and an exit code
        other than 0."""
        if self.is_command:
            return self.status != 0
        is_error_result = isinstance(self.result, dict) and bool(self.result.get("isError", False))
        is_failure_status = self.status is not None and self.status >= 400
        return is_error_result or self.error is not None or is_failure_status

    @property
    def text(self) -> str:
        """The text of a result's content blocks or of a resource, the message of an error, or the
        body."""
        if (blocks := self._blocks) is not None:
            return "\n".join(str(block.get("text", "")) for block in blocks)
        if isinstance(self.error, dict):
            return str(self.error.get("message", ""))
        return self.body

    @property
    def json_values(self) -> list[Any]:
        """The objects and arrays in text blocks of a result, or in a resource, that are JSON."""
        texts = [block.get("text") for block in self._blocks or []]
        values = [_parse_json(text) for text in texts if isinstance(text, str)]
        return [value for value in values if isinstance(value, dict | list)]

    @property
    def summary(self) -> str:
        """The action, the status and the body, for a message."""
        status = "" if self.status is None else f" ({self.status})"
        return f"{self.action}{status}: {self.body}"

    @property
    def _blocks(self) -> list[dict[str, Any]] | None:
        """The content blocks of a tool's result, or the contents of a resource; None for others."""
        result = self.result if isinstance(self.result, dict) else {}
        blocks = result.get("content", result.get("contents"))
        if not isinstance(blocks, list):
            return None
        return [block for block in blocks if isinstance(block, dict)]

    def _message_member(self, name: str) -> Any:
        """Returns a member of the JSON-RPC message; None if the body is no JSON-RPC message."""
        message = self.json
        is_json_rpc = isinstance(message, dict) and "jsonrpc" in message
        return message.get(name) if is_json_rpc else None


def _parse_json(text: str) -> Any:
    """Returns a text as JSON; `NOT_JSON` for other text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return NOT_JSON
