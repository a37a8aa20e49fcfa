# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Turns a response of the API into the result of a tool."""

from __future__ import annotations

import re
from dataclasses import replace

from ..extensions import INSTALLED
from ..observability.redact import Redactor
from ..result import Block, HandlerResponse, Result, text_block
from ..tool import Json
from .error_result import EXCERPT, body_excerpt, failure, status
from .exchange import UpstreamResponse
from .operation import ToolOperation
from .value_text import LenientJson, compact_json, loads

MAX_HEADER_LENGTH = 2000  # Maximum characters shown of a header

SHOWN = (
    "Link",
    "Location",
    "Retry-After",
    "X-Next-Page",
    "X-Next-Cursor",
    "X-Next-Token",
    "X-Cursor",
    "X-Continuation-Token",
    "X-Ms-Continuation",
    "X-Total",
    "X-Total-Count",
    "X-Total-Pages",
)
"""Headers shown with every response."""

OF_HEAD = ("Content-Type", "Content-Length", "ETag", "Last-Modified", "Accept-Ranges", "Allow")
"""Headers shown for a HEAD response."""

_SHOWN_HEADERS = {name.lower(): name for name in SHOWN}
_SHOWN_HEAD_HEADERS = _SHOWN_HEADERS | {name.lower(): name for name in OF_HEAD}


def handles(answer: UpstreamResponse, redactor: Redactor, method: str = "") -> list[Block]:
    """A block with the shown headers; empty without such headers."""
    names = _SHOWN_HEAD_HEADERS if method == "HEAD" else _SHOWN_HEADERS
    lines = [
        f"{names[key]}: {redactor.clean(answer.headers[key])[:MAX_HEADER_LENGTH]}"
        for key in names
        if key in answer.headers
    ]
    return [text_block("\n".join(lines))] if lines else []


def read_json(answer: UpstreamResponse) -> LenientJson:
    """The JSON value of a body. Raises `ValueError` if invalid, and `RecursionError`."""
    try:
        return loads(answer.body)
    except UnicodeDecodeError:
        return loads(answer.text)


def json_result(operation: ToolOperation, answer: UpstreamResponse, redactor: Redactor) -> Result:
    """The result of a JSON response, valid or not."""
    try:
        parsed = read_json(answer)
        text = compact_json(operation.select(parsed.value)) if operation.fields else parsed.text
        text = redactor.clean_json(text)
        notes = [text_block(_odd_numbers(parsed.nulls))] if parsed.nulls else []
        blocks = (text_block(text), *notes, *handles(answer, redactor))
        if operation.output is None:
            return Result(blocks)
        value = loads(text).value
        value = {"result": value} if operation.tool.wrapped else value
        return operation.output.of_response(value, blocks)
    except RecursionError:
        return Result.error("The API's answer is JSON that is nested too deeply to be read.")
    except ValueError:
        head = "The API's answer is not the JSON it claims."
        excerpt = "" if operation.fields else body_excerpt(answer, redactor)
        return Result.error(head, *([excerpt] if excerpt else []))


def _odd_numbers(nulls: int) -> str:
    were = "1 number is" if nulls == 1 else f"{nulls} numbers are"
    return f"{were} null here because the API wrote NaN or Infinity, which JSON does not have."


TEXTUAL = re.compile(
    r"text/.*|application/(.*\+)?(xml|yaml|x-yaml|javascript|graphql|toml)"
    r"|application/x-www-form-urlencoded|application/(jwt|jose|sql|sdp|pem-certificate-chain)"
)
_JSON = re.compile(r"(application|text)/(.*\+)?json")
_NOT_MODIFIED = 304


def render_result(operation: ToolOperation, answer: UpstreamResponse, redactor: Redactor) -> Result:
    """The result of a response; a failure for an error status or an unexpected content type."""
    if failed_result := _unusable_result(answer, redactor, bool(operation.fields)):
        return failed_result
    if answer.stream is not None:
        return answer.stream.result(operation, answer, redactor)
    if not answer.body:
        method = operation.route.method
        summary = f"Done: {status(answer, redactor)}."
        blocks = (text_block(summary), *handles(answer, redactor, method))
        return (
            operation.output.of_no_content(summary, blocks) if operation.output else Result(blocks)
        )
    if _is_json(answer):
        return json_result(operation, answer, redactor)
    if INSTALLED.other_result:
        return INSTALLED.other_result(operation, answer, redactor)
    return wrong_type(operation, answer, redactor)


def attach_response(
    operation: ToolOperation, answer: UpstreamResponse, redactor: Redactor
) -> Result:
    """The result, with the response attached for hooks."""
    return replace(
        render_result(operation, answer, redactor), answered=handler_response(answer, redactor)
    )


def handler_response(answer: UpstreamResponse, redactor: Redactor) -> HandlerResponse:
    """The response as hooks see it."""
    body = _redacted_body(answer, redactor)
    textual = body is None and answer.complete and TEXTUAL.fullmatch(answer.media_type)
    return HandlerResponse(
        answer.status,
        body,
        {name: redactor.clean(value) for name, value in answer.headers.items()},
        redactor.clean(answer.text) if textual else "",
        _unusable_result(answer, redactor, reduced=False),
    )


def _unusable_result(answer: UpstreamResponse, redactor: Redactor, reduced: bool) -> Result | None:
    """The failure of an unusable response, None for a usable response."""
    if answer.status >= 400:
        return failure(answer, redactor, reduced=reduced)
    if answer.status < 200:
        return Result.error(f"The API answered {status(answer, redactor)}, which is no answer.")
    if answer.status >= 300 and answer.status != _NOT_MODIFIED:
        location = redactor.clean(answer.headers.get("location", ""))[:EXCERPT]
        where = f" It points to {location}, which is not followed." if location else ""
        return Result.error(f"The API answered {status(answer, redactor)}.{where}")
    if not answer.complete:
        size = len(answer.body)
        return Result.error(f"The API's answer is larger than {size} bytes; ask for less.")
    return None


def _redacted_body(answer: UpstreamResponse, redactor: Redactor) -> Json:
    if answer.stream is not None:
        texts = map(compact_json, answer.stream.items)
        return [loads(redactor.clean_json(text)).value for text in texts]
    if not answer.complete or not _is_json(answer):
        return None
    try:
        return loads(redactor.clean_json(read_json(answer).text)).value
    except (ValueError, RecursionError):
        return None


def wrong_type(operation: ToolOperation, answer: UpstreamResponse, redactor: Redactor) -> Result:
    """The error for an unexpected content type; for a tool with selected fields, without the text."""
    accepted = operation.route.accept
    lines = [f"The API answered with {kind_of(answer, redactor)} instead of {accepted}."]
    if TEXTUAL.fullmatch(answer.media_type) and not operation.fields:
        lines.append(body_excerpt(answer, redactor))
    return Result.error(*lines)


def kind_of(answer: UpstreamResponse, redactor: Redactor) -> str:
    """The content type, for errors."""
    return redactor.clean(answer.media_type)[:200] or "no content type"


def _is_json(answer: UpstreamResponse) -> bool:
    """True if the body is JSON by content type, or by content for APIs that omit the type."""
    return bool(_JSON.fullmatch(answer.media_type)) or (
        answer.media_type in ("", "text/plain", "text/html", "application/octet-stream")
        and answer.body.lstrip()[:1] in (b"{", b"[")
        and _is_readable(answer)
    )


def _is_readable(answer: UpstreamResponse) -> bool:
    try:
        read_json(answer)
    except (ValueError, RecursionError):
        return False
    return True
