# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Error results for failed responses of the API."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from html import unescape
from http import HTTPStatus

from ..observability.redact import Redactor
from ..result import Result
from ..tool import Json
from ..validation.validate import truncate
from .exchange import UpstreamResponse
from .value_text import LenientJson, loads

MAX_EXCERPT = 2000  # Maximum characters shown of a body or a message

_ABSENT_STATUSES = (404, 410)
_MAX_MESSAGES = 20  # Also the maximum items read of a list
_MAX_MESSAGE_DEPTH = 4  # Maximum nesting of objects and lists in which messages are searched
_MAX_HTML_LENGTH = 64 * 1024  # Maximum characters of a page that are searched for text
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]+")  # All but tab and line feed
_BLANK = re.compile(r"\s+")
_TITLE = re.compile(r"<title[^<>]*>([^<]*)", re.IGNORECASE)
_MARKUP = re.compile(
    r"<(script|style|svg|head)(?![\w-]).*?(?:</\1(?![\w-])[^<>]*>|\Z)|<[/!a-z][^<>]*>",
    re.DOTALL | re.IGNORECASE,
)
"""Tags, and elements without visible text."""

_TEXT_KEYS = ("title", "detail", "message", "msg", "error_description", "description", "reason")
_NESTED_KEYS = ("error", "errors", "detail", "details", "fault", "violations", "invalid-params")
_FIELD_KEYS = ("loc", "field", "pointer", "path", "property", "parameter", "name", "code")
"""Keys of the text of a message, of further messages, and of the field or code that a nested message is about."""


def error_result(
    answer: UpstreamResponse, redactor: Redactor, *, messages_only: bool = False
) -> Result:
    """The error result of a response with a status from 400: status, retry time, and messages of the
    API. With `messages_only`, for a tool with selected fields, no other part of the body is shown.
    """
    lines = [f"The API answered {status_text(answer, redactor)}."]
    if retry := answer.headers.get("retry-after"):
        lines.append(f"Retry-After: {redactor.clean(retry)[:100]}")
    if answer.body:
        lines += _error_text(answer, redactor, messages_only)
    result = Result.error(*lines)
    return replace(result, cause="absence") if answer.status in _ABSENT_STATUSES else result


def status_text(answer: UpstreamResponse, redactor: Redactor) -> str:
    """The status with its reason: `404 Not Found`."""
    reason = answer.reason
    if not reason:
        with suppress(ValueError):
            reason = HTTPStatus(answer.status).phrase
    return redactor.clean(_CONTROL.sub(" ", f"{answer.status} {reason}".strip())[:200])


def body_excerpt(answer: UpstreamResponse, redactor: Redactor) -> str:
    """The beginning of a body as text, `""` for binary data; for HTML, the visible text."""
    text = answer.text
    if answer.media_type in ("text/html", "application/xhtml+xml"):
        text = _html_text(text[:_MAX_HTML_LENGTH])
    beginning = text[:MAX_EXCERPT]
    # Decoding puts U+FFFD in place of bytes that are no text; a few can be wrong in a text.
    if beginning.count("\ufffd") > len(beginning) // 10:
        return ""
    return truncate(redactor.clean(_CONTROL.sub(" ", text)).strip(), MAX_EXCERPT)


def _error_text(answer: UpstreamResponse, redactor: Redactor, messages_only: bool) -> list[str]:
    """The API's messages, and the beginning of the body if the body says more."""
    parsed = _lenient_json(answer)
    if parsed is None:
        excerpt = "" if messages_only else body_excerpt(answer, redactor)
        return [excerpt] if excerpt else []
    messages = list(dict.fromkeys(_messages(parsed.value)))[:_MAX_MESSAGES]
    lines = [truncate(redactor.clean(_CONTROL.sub(" ", line)), MAX_EXCERPT) for line in messages]
    if messages_only:
        return lines
    shown_text = "\n".join(messages) + status_text(answer, redactor)
    if not (messages and all(leaf in shown_text for leaf in _leaves(parsed.value))):
        lines.append(truncate(redactor.clean_json(parsed.text), MAX_EXCERPT))
    return lines


def _lenient_json(answer: UpstreamResponse) -> LenientJson | None:
    """The body as a JSON object, array or string, whatever the content type; None for other bodies."""
    if answer.body.lstrip()[:1] not in (b"{", b"[", b'"'):
        return None
    try:
        return loads(answer.body)
    except (ValueError, RecursionError):
        return None


def _messages(value: Json, depth: int = 0) -> Iterator[str]:
    """Messages in a body, in common formats: `title` and `detail` of RFC 9457, `message`,
    `error.message`, `errors[]`. `depth` is the nesting of `value` in the body, from 0."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and depth < _MAX_MESSAGE_DEPTH:
        for item in value[:_MAX_MESSAGES]:
            yield from _messages(item, depth + 1)
    elif isinstance(value, dict) and depth < _MAX_MESSAGE_DEPTH:
        texts = [value[key] for key in _TEXT_KEYS if isinstance(value.get(key), str)]
        if texts:
            yield _with_field(value, ": ".join(dict.fromkeys(texts)), depth)
        for key in _NESTED_KEYS:
            # The text of `detail` is already in `texts`.
            if key in value and not (key in _TEXT_KEYS and isinstance(value[key], str)):
                yield from _messages(value[key], depth + 1)


def _with_field(value: dict[str, Json], text: str, depth: int) -> str:
    """The message `text` after the name of the field that a nested message is about."""
    if not depth:
        return text
    for key in _FIELD_KEYS:
        field = value.get(key)
        if isinstance(field, list):
            field = ".".join(str(step) for step in field if isinstance(step, str | int))
        if isinstance(field, str | int) and field != "":
            return f"{field}: {text}"
    return text


def _leaves(value: Json) -> Iterator[str]:
    """The texts, numbers and booleans in a value, as texts."""
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            pending += part.values()
        elif isinstance(part, list):
            pending += part
        elif part is not None and part != "":
            yield str(part)


def _html_text(source: str) -> str:
    """The title and the visible text of an HTML page."""
    title = _TITLE.search(source)
    texts = (title[1] if title else "", _MARKUP.sub(" ", source))
    words = [_BLANK.sub(" ", unescape(text)).strip() for text in texts]
    return "\n".join(dict.fromkeys(text for text in words if text))
