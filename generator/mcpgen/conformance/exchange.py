"""One HTTP exchange as a value, and the display of text from servers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mcpgen.conformance.sse import Event
from mcpgen.conformance.strict_json import Json

_RESPONSES = ({"jsonrpc", "result"}, {"jsonrpc", "error"})
_MAX_SHOWN_MEMBERS = 4
"""Number of members of a result that a report names."""

EXCERPT_LENGTH = 160
"""Characters of a body that a report shows."""

UNSEEN = re.compile(
    "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\ud800-\\udfff"
    "\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]"
)
"""Control characters except tab and line ends, surrogates, and characters that change the text
direction.
"""


class FaultKind(StrEnum):
    """Reasons for an exchange without a readable answer."""

    ADDRESS = "bad address"
    UNREACHABLE = "unreachable"
    TLS = "TLS error"
    TIMEOUT = "timeout"
    """No complete answer within the timeout of the request."""
    DEADLINE = "deadline"
    """Not sent: the time for all checks was over."""
    TOO_LARGE = "too large"
    DISCONNECTED = "disconnected"
    NOT_HTTP = "not HTTP"
    NOT_JSON = "not JSON"
    ENCODED = "encoded"
    """The body has a content coding that the request did not accept."""
    ABANDONED = "abandoned"
    """The check itself closed the connection before the answer."""
    LIMITED = "rate limit"
    """Refused by a rate limit, also after waiting."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A failure between the probe and the server: kind and sentence."""

    kind: FaultKind
    text: str


@dataclass(frozen=True, slots=True)
class HttpExchange:
    """The answer to a request.

    `status` is 0 without an HTTP answer; header names are in lower case. `messages` are the JSON
    values of the body, for an event stream one per event; `events` the ids and names of all events.
    `left_open`: the event stream stayed open after the response. `is_stdio`: an exchange over stdio,
    where there is no HTTP status; `status` imitates the one that HTTP would have.
    """

    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    messages: tuple[Json, ...] = ()
    fault: Fault | None = None
    left_open: bool = False
    events: tuple[Event, ...] = ()
    seconds: float = 0.0
    is_stdio: bool = False

    @property
    def media_type(self) -> str:
        """The media type of Content-Type without parameters, in lower case.

        Example: `Text/Event-Stream; charset=utf-8` gives `text/event-stream`.
        """
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    def response(self, identifier: Json) -> dict[str, Json] | None:
        """The JSON-RPC response whose id equals `identifier` in value and type, or None."""
        for message in self.flat_messages():
            if not isinstance(message, dict) or "method" in message:
                continue
            message_id = message.get("id")
            # 1 == True == 1.0 in Python, but not in JSON-RPC.
            if message_id == identifier and type(message_id) is type(identifier):
                return message
        return None

    def has_result(self, identifier: Json) -> bool:
        """True for a response with this id, an object as result and no JSON-RPC error."""
        response = self.response(identifier) or {}
        return isinstance(response.get("result"), dict) and not self.error

    @property
    def error(self) -> dict[str, Json] | None:
        """The first JSON-RPC error object, with any id, or None."""
        for message in self.flat_messages():
            if isinstance(message, dict) and isinstance(message.get("error"), dict):
                return dict(message["error"])
        return None

    @property
    def code(self) -> Json:
        """The code of the first JSON-RPC error, or None."""
        return (self.error or {}).get("code")

    @property
    def is_event_stream(self) -> bool:
        """True if the answer has the media type `text/event-stream`."""
        return self.media_type == "text/event-stream"

    def flat_messages(self) -> list[Json]:
        """All messages, batches flattened."""
        messages: list[Json] = []
        for message in self.messages:
            messages.extend(message if isinstance(message, list) else [message])
        return messages

    def __str__(self) -> str:
        """One line for a report: status, content type and content."""
        if self.status == 0:
            return self.fault.text if self.fault else "no answer"
        if self.is_stdio:
            return self._content() if self.body else "no answer"
        parts = [f"HTTP {self.status}"]
        if 300 <= self.status < 400:
            parts.append(f"redirect to {printable(self.headers.get('location', 'nowhere'))}")
        if self.status == 401:
            parts.append("it wants credentials")
        parts.append(printable(self.headers.get("content-type", "no Content-Type")))
        if self.fault:
            parts.append(self.fault.text)
        if self.fault is None or self.fault.kind is not FaultKind.ENCODED:
            parts.append(self._content())
        return ", ".join(parts)

    def _content(self) -> str:
        """A single JSON-RPC response in words; any other body as printable text."""
        if not self.body:
            return "empty body"
        response = response_in_words(self.messages[0]) if len(self.messages) == 1 else ""
        return response or printable(self.body)


def response_in_words(message: Json) -> str:
    """A JSON-RPC response in words, `""` for any other value.

    Example: `error -32602: unknown tool`, `error result: the API answered 404`.
    """
    if not isinstance(message, dict) or message.keys() - {"id"} not in _RESPONSES:
        return ""
    without_id = "" if message.get("id") is not None else " without an id"
    if isinstance(error := message.get("error"), dict):
        return f"error {printable(error.get('code'), 20)}{without_id}: {printable(error.get('message'))}"
    result = message.get("result")
    if not isinstance(result, dict):
        return ""
    if result.get("isError") is True:
        return f"error result{without_id}: {printable(_first_text_block(result.get('content')))}"
    names = ", ".join(f"`{printable(name, 40)}`" for name in [*result][:_MAX_SHOWN_MEMBERS])
    more = ", …" if len(result) > _MAX_SHOWN_MEMBERS else ""
    return f"result{without_id} with {names}{more}" if names else f"empty result{without_id}"


def _first_text_block(content: Json) -> Json:
    """The first text block of a result's content, or the content without change."""
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and isinstance(block.get("text"), str):
            return block["text"]
    return content


def printable(text: str | bytes | Json, limit: int = EXCERPT_LENGTH) -> str:
    """`text` on one line, without control characters, cut to `limit` characters.

    A JSON value is shown as JSON, None as `nothing`. Example: `printable({"a": 1})` is `{"a": 1}`.
    """
    if isinstance(text, bytes):
        text = text[: limit * 4].decode("utf-8", "replace")
    try:
        spelling = text if isinstance(text, str) else _spelled(text)
    except RecursionError:
        spelling = "a value nested too deep to be shown"
    clean = "".join(c if c.isprintable() else " " for c in spelling[: limit * 2])
    words = " ".join(clean.split())
    is_cut = len(words) > limit or len(spelling) > limit * 2
    return f"{words[: limit - 1]}…" if is_cut else words


def _spelled(value: Json) -> str:
    if value is None:
        return "nothing"
    # Some values are tuples, or number types of the strict JSON reader.
    return json.dumps(value, ensure_ascii=False, default=str)


def mark_invisible(text: str) -> str:
    """Replaces control characters and characters that change the text direction by U+FFFD."""
    return UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text)
