# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Error results for failed responses of the API."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from http import HTTPStatus

from ..observability.redact import Redactor
from ..result import Result
from ..tool import Json
from ..validation.validate import truncate
from .exchange import UpstreamResponse
from .value_text import LenientJson, loads

EXCERPT = 2000  # Maximum characters shown of a body

_ABSENT_STATUSES = (404, 410)
_MAX_MESSAGES = 20
_READ_CHARACTERS = 64 * 1024
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]+")
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


def failure(answer: UpstreamResponse, redactor: Redactor, *, reduced: bool = False) -> Result:
    """The error result of a refused call: status, message of the API, retry time. For a tool with
    selected fields (`reduced`), only the messages of the body are shown."""
    lines = [f"The API answered {status(answer, redactor)}."]
    if retry := answer.headers.get("retry-after"):
        lines.append(f"Retry-After: {redactor.clean(retry)[:100]}")
    if answer.body:
        lines += _error_text(answer, redactor, reduced)
    result = Result.error(*lines)
    return replace(result, cause="absence") if answer.status in _ABSENT_STATUSES else result


def status(answer: UpstreamResponse, redactor: Redactor) -> str:
    """The status with its reason: `404 Not Found`."""
    reason = answer.reason
    if not reason and answer.status in HTTPStatus._value2member_map_:
        reason = HTTPStatus(answer.status).phrase
    return redactor.clean(_CONTROL.sub(" ", f"{answer.status} {reason}".strip())[:200])


def body_excerpt(answer: UpstreamResponse, redactor: Redactor) -> str:
    """The beginning of a body as text, `""` for binary data; for HTML, the visible text."""
    text = answer.text
    if answer.media_type in ("text/html", "application/xhtml+xml"):
        text = _html_text(text[:_READ_CHARACTERS])
    if text[:EXCERPT].count("\ufffd") > len(text[:EXCERPT]) // 10:
        return ""
    return truncate(redactor.clean(_CONTROL.sub(" ", text)).strip(), EXCERPT)


def _error_text(answer: UpstreamResponse, redactor: Redactor, reduced: bool) -> list[str]:
    """The API's messages, and the beginning of the body if the body says more."""
    parsed = _lenient_json(answer)
    if parsed is None:
        return [text for text in [body_excerpt(answer, redactor)] if text and not reduced]
    messages = list(dict.fromkeys(_messages(parsed.value)))[:_MAX_MESSAGES]
    lines = [truncate(redactor.clean(_CONTROL.sub(" ", line)), EXCERPT) for line in messages]
    shown_text = "\n".join(messages) + status(answer, redactor)
    if not reduced and not (messages and all(leaf in shown_text for leaf in _leaves(parsed.value))):
        lines.append(truncate(redactor.clean_json(parsed.text), EXCERPT))
    return lines


def _lenient_json(answer: UpstreamResponse) -> LenientJson | None:
    """The body as JSON, whatever the content type; None if invalid."""
    if answer.body.lstrip()[:1] not in (b"{", b"[", b'"'):
        return None
    try:
        return loads(answer.body)
    except (ValueError, RecursionError):
        return None


def _messages(value: Json, depth: int = 0) -> Iterator[str]:
    """Messages in a body, in common formats: RFC 9457's `title` and `detail`, `message`,
    `error.message`, `errors[]`."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and depth < 4:
        for item in value[:_MAX_MESSAGES]:
            yield from _messages(item, depth + 1)
    elif isinstance(value, dict) and depth < 4:
        texts = [value[key] for key in _TEXT_KEYS if isinstance(value.get(key), str)]
        if texts:
            yield _with_field(value, ": ".join(dict.fromkeys(texts)), depth)
        for key in _NESTED_KEYS:
            if key in value and not (key in _TEXT_KEYS and isinstance(value[key], str)):
                yield from _messages(value[key], depth + 1)


def _with_field(value: dict[str, Json], text: str, depth: int) -> str:
    """A message with the field it refers to, if nested."""
    for key in _FIELD_KEYS if depth else ():
        place = value.get(key)
        if isinstance(place, list):
            place = ".".join(str(step) for step in place if isinstance(step, str | int))
        if isinstance(place, str | int) and place != "":
            return f"{place}: {text}"
    return text


def _leaves(value: Json) -> Iterator[str]:
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
