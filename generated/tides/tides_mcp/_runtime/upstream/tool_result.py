# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Turns a response of the API into the result of a tool."""

from __future__ import annotations

import re
from dataclasses import replace

from ..extensions import INSTALLED
from ..observability.redact import Redactor
from ..result import Block, HandlerResponse, Result, text_block
from ..tool import Json
from .error_result import MAX_EXCERPT, body_excerpt, error_result, status_text
from .exchange import UpstreamResponse
from .operation import ToolOperation
from .value_text import LenientJson, compact_json, loads

MAX_HEADER_LENGTH = 2000  # Maximum characters shown of the value of a header

RESULT_HEADERS = (
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
"""Headers shown in the result of a usable response: links, retry times, and handles and sizes of
pages, which a model needs for the next call."""

HEAD_HEADERS = ("Content-Type", "Content-Length", "ETag", "Last-Modified", "Accept-Ranges", "Allow")
"""Headers shown in addition for HEAD, whose response has no body."""

_NAMES = {name.lower(): name for name in RESULT_HEADERS}
_NAMES_FOR_HEAD = _NAMES | {name.lower(): name for name in HEAD_HEADERS}


def header_blocks(answer: UpstreamResponse, redactor: Redactor, method: str = "") -> list[Block]:
    """One text block with the headers that a result shows, or no block without such headers. `method`
    is the method of the request."""
    names = _NAMES_FOR_HEAD if method == "HEAD" else _NAMES
    lines = [
        f"{names[key]}: {redactor.clean(answer.headers[key])[:MAX_HEADER_LENGTH]}"
        for key in names
        if key in answer.headers
    ]
    return [text_block("\n".join(lines))] if lines else []


def read_json(answer: UpstreamResponse) -> LenientJson:
    """The JSON value of a body. Raises `ValueError` if invalid, and `RecursionError` if nested too
    deeply."""
    try:
        return loads(answer.body)
    except UnicodeDecodeError:
        # Not in UTF-8, UTF-16 or UTF-32: `text` follows the charset that the response declares.
        return loads(answer.text)


def json_result(operation: ToolOperation, answer: UpstreamResponse, redactor: Redactor) -> Result:
    """The result of a response that claims to be JSON; a failure if the body is not valid JSON."""
    try:
        parsed = read_json(answer)
        text = compact_json(operation.select(parsed.value)) if operation.fields else parsed.text
        text = redactor.clean_json(text)
        notes = [text_block(_null_note(parsed.nulls))] if parsed.nulls else []
        blocks = (text_block(text), *notes, *header_blocks(answer, redactor))
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


def _null_note(count: int) -> str:
    """A note about numbers that the result shows as null."""
    numbers_are = "1 number is" if count == 1 else f"{count} numbers are"
    return (
        f"{numbers_are} null here because the API wrote NaN or Infinity, which JSON does not have."
    )


TEXTUAL = re.compile(
    r"text/.*|application/(.*\+)?(xml|yaml|x-yaml|javascript|graphql|toml)"
    r"|application/x-www-form-urlencoded|application/(jwt|jose|sql|sdp|pem-certificate-chain)"
)
"""Media types that are shown as text, besides JSON."""

_JSON = re.compile(r"(application|text)/(.*\+)?json")
_NOT_MODIFIED = 304  # The answer to a conditional request, a success unlike other 3xx


def render_result(operation: ToolOperation, answer: UpstreamResponse, redactor: Redactor) -> Result:
    """The result of a response; a failure for a status that is no success, a truncated body, or an
    unexpected content type."""
    if failed_result := _unusable_result(answer, redactor, bool(operation.fields)):
        return failed_result
    if answer.stream is not None:
        return answer.stream.result(operation, answer, redactor)
    if not answer.body:
        method = operation.route.method
        summary = f"Done: {status_text(answer, redactor)}."
        blocks = (text_block(summary), *header_blocks(answer, redactor, method))
        return (
            operation.output.of_no_content(summary, blocks) if operation.output else Result(blocks)
        )
    if _is_json(answer):
        return json_result(operation, answer, redactor)
    if INSTALLED.other_result:
        return INSTALLED.other_result(operation, answer, redactor)
    return wrong_type_result(operation, answer, redactor)


def render_result_for_hook(
    operation: ToolOperation, answer: UpstreamResponse, redactor: Redactor
) -> Result:
    """The result of a response, with the response in `Result.answered`, which hooks read."""
    return replace(
        render_result(operation, answer, redactor), answered=handler_response(answer, redactor)
    )


def handler_response(answer: UpstreamResponse, redactor: Redactor) -> HandlerResponse:
    """The response without secrets, for hooks."""
    body = _redacted_body(answer, redactor)
    is_text = body is None and answer.complete and TEXTUAL.fullmatch(answer.media_type)
    return HandlerResponse(
        answer.status,
        body,
        {name: redactor.clean(value) for name, value in answer.headers.items()},
        redactor.clean(answer.text) if is_text else "",
        _unusable_result(answer, redactor, messages_only=False),
    )


def _unusable_result(
    answer: UpstreamResponse, redactor: Redactor, messages_only: bool
) -> Result | None:
    """The failure of an unusable response, None for a usable response. `messages_only`: for a
    tool with selected fields, of whose error responses only messages are shown."""
    if answer.status >= 400:
        return error_result(answer, redactor, messages_only=messages_only)
    if answer.status < 200:
        return Result.error(
            f"The API answered {status_text(answer, redactor)}, which is no answer."
        )
    if answer.status >= 300 and answer.status != _NOT_MODIFIED:
        location = redactor.clean(answer.headers.get("location", ""))[:MAX_EXCERPT]
        where = f" It points to {location}, which is not followed." if location else ""
        return Result.error(f"The API answered {status_text(answer, redactor)}.{where}")
    if not answer.complete:
        size = len(answer.body)
        return Result.error(f"The API's answer is larger than {size} bytes; ask for less.")
    return None


def _redacted_body(answer: UpstreamResponse, redactor: Redactor) -> Json:
    """The JSON value of a body, or the items of a stream; None if not JSON, or truncated."""
    if answer.stream is not None:
        texts = map(compact_json, answer.stream.items)
        return [loads(redactor.clean_json(text)).value for text in texts]
    if not answer.complete or not _is_json(answer):
        return None
    try:
        return loads(redactor.clean_json(read_json(answer).text)).value
    except (ValueError, RecursionError):
        return None


def wrong_type_result(
    operation: ToolOperation, answer: UpstreamResponse, redactor: Redactor
) -> Result:
    """The failure for an unexpected content type, with the beginning of a text; for a tool with
    selected fields, without the text."""
    accepted = operation.route.accept
    lines = [f"The API answered with {media_type_label(answer, redactor)} instead of {accepted}."]
    if TEXTUAL.fullmatch(answer.media_type) and not operation.fields:
        lines.append(body_excerpt(answer, redactor))
    return Result.error(*lines)


def media_type_label(answer: UpstreamResponse, redactor: Redactor) -> str:
    """The content type without secrets, for errors."""
    return redactor.clean(answer.media_type)[:200] or "no content type"


def _is_json(answer: UpstreamResponse) -> bool:
    """True if the body is JSON by the content type; or by the content, if the content type is missing
    or one that servers send by default."""
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
