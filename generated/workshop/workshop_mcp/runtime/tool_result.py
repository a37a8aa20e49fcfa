"""An answer of the API as the result of a tool."""

from __future__ import annotations

import base64
import re
from dataclasses import replace

from .error_result import EXCERPT, body_excerpt, failure, status
from .json_result import json_result, read_json, stream_result
from .lenient_json import TooDeep, loads
from .output_validation import validate_empty_output
from .redact import Redactor
from .response_headers import handles
from .result import Block, HandlerResponse, Result, text_block
from .tool import Json
from .tool_operation import ToolOperation
from .upstream_response import UpstreamResponse
from .value_text import compact_json, replace_surrogates

_TEXTUAL = re.compile(
    r"text/.*|application/(.*\+)?(xml|yaml|x-yaml|javascript|graphql|toml)"
    r"|application/x-www-form-urlencoded|application/(jwt|jose|sql|sdp|pem-certificate-chain)"
)
_JSON = re.compile(r"(application|text)/(.*\+)?json")
_NOT_MODIFIED = 304


def render_result(operation: ToolOperation, answer: UpstreamResponse, redactor: Redactor) -> Result:
    """The result that tells of an answer; a failure if it is one or is not what was asked for."""
    if unfit := _unfit(answer, redactor, bool(operation.fields)):
        return unfit
    if answer.stream is not None:
        return stream_result(operation, answer, answer.stream, redactor)
    if not answer.body:
        method = operation.route.method
        done = text_block(f"Done: {status(answer, redactor)}.")
        return validate_empty_output(operation, (done, *handles(answer, redactor, method)))
    if _is_json(answer):
        return json_result(operation, answer, redactor)
    if operation.fields:
        return _unchosen(operation, answer, redactor)
    if not _is_accepted(operation.route.accept, answer.media_type):
        return _wrong_type(operation, answer, redactor)
    if _TEXTUAL.fullmatch(answer.media_type):
        return Result((text_block(redactor.clean(answer.text)), *handles(answer, redactor)))
    return _file(answer, redactor)


def attach_response(
    operation: ToolOperation, answer: UpstreamResponse, redactor: Redactor
) -> Result:
    """The same result, and beside it what a hook may read of the answer."""
    return replace(
        render_result(operation, answer, redactor), answered=handler_response(answer, redactor)
    )


def handler_response(answer: UpstreamResponse, redactor: Redactor) -> HandlerResponse:
    """What a hook may read of an answer."""
    body = _body(answer, redactor)
    textual = body is None and answer.complete and _TEXTUAL.fullmatch(answer.media_type)
    return HandlerResponse(
        answer.status,
        body,
        {name: redactor.clean(value) for name, value in answer.headers.items()},
        redactor.clean(answer.text) if textual else "",
        _unfit(answer, redactor, reduced=False),
    )


def _unfit(answer: UpstreamResponse, redactor: Redactor, reduced: bool) -> Result | None:
    """The failure that tells of an answer whose body is not what was asked for; None of others."""
    if answer.status >= 400:
        return failure(answer, redactor, reduced=reduced)
    if answer.status < 200:
        return Result.error(f"The API answered {status(answer, redactor)}, which is no answer.")
    if answer.status >= 300 and answer.status != _NOT_MODIFIED:
        return _elsewhere(answer, redactor)
    if not answer.complete:
        size = len(answer.body)
        return Result.error(f"The API's answer is larger than {size} bytes; ask for less.")
    return None


def _body(answer: UpstreamResponse, redactor: Redactor) -> Json:
    """The body as JSON without secrets, None if it is none."""
    if answer.stream is not None:
        return [loads(redactor.clean_json(compact_json(one))).value for one in answer.stream.items]
    if not answer.complete or not _is_json(answer):
        return None
    try:
        return loads(redactor.clean_json(read_json(answer).text)).value
    except (ValueError, TooDeep, RecursionError):
        return None


def _elsewhere(answer: UpstreamResponse, redactor: Redactor) -> Result:
    location = redactor.clean(answer.headers.get("location", ""))
    where = f" It points to {location[:EXCERPT]}, which is not followed." if location else ""
    return Result.error(f"The API answered {status(answer, redactor)}.{where}")


def _wrong_type(operation: ToolOperation, answer: UpstreamResponse, redactor: Redactor) -> Result:
    head = f"The API answered with {_kind(answer, redactor)} instead of"
    head = f"{head} {operation.route.accept}."
    if not _TEXTUAL.fullmatch(answer.media_type):
        return Result.error(head)
    return Result.error(head, body_excerpt(answer, redactor))


def _unchosen(operation: ToolOperation, answer: UpstreamResponse, redactor: Redactor) -> Result:
    """Nothing is shown of what the fields of this tool cannot be taken from."""
    names = ", ".join(operation.tool.fields)
    return Result.error(
        f"The API answered {status(answer, redactor)} with {_kind(answer, redactor)}, which has no"
        f" fields; this tool shows only {names}."
    )


def _kind(answer: UpstreamResponse, redactor: Redactor) -> str:
    return redactor.clean(answer.media_type)[:200] or "no content type"


def _is_json(answer: UpstreamResponse) -> bool:
    """Whether the body is JSON, by its type or, as many an API forgets to say so, by its look."""
    return bool(_JSON.fullmatch(answer.media_type)) or (
        answer.media_type in ("", "text/plain", "text/html", "application/octet-stream")
        and answer.body.lstrip()[:1] in (b"{", b"[")
        and _is_readable(answer)
    )


def _is_readable(answer: UpstreamResponse) -> bool:
    try:
        read_json(answer)
    except (ValueError, TooDeep):
        return False
    return True


def _is_accepted(accept: str, media_type: str) -> bool:
    """Whether a type is among those asked for; parameters do not count."""
    for asked in accept.lower().split(","):
        asked = asked.partition(";")[0].strip()
        if asked in ("*/*", "", media_type) or not media_type:
            return True
        if asked.endswith("/*") and media_type.startswith(asked[:-1]):
            return True
    return False


def _file(answer: UpstreamResponse, redactor: Redactor) -> Result:
    if redactor.finds(answer.body):
        return Result.error("The API's answer is a file that holds a secret; it is not passed on.")
    media_type = replace_surrogates(redactor.clean(answer.media_type))
    head = text_block(f"{media_type or 'binary content'}, {len(answer.body)} bytes")
    return Result((head, _binary(answer, media_type), *handles(answer, redactor)))


def _binary(answer: UpstreamResponse, media_type: str) -> Block:
    """An image, audio, or any other file as an embedded resource."""
    coded = base64.b64encode(answer.body).decode()
    media_type = media_type or "application/octet-stream"
    kind = media_type.partition("/")[0]
    if kind in ("image", "audio"):
        return {"type": kind, "data": coded, "mimeType": media_type}
    resource = {"uri": f"upstream:{answer.path}", "mimeType": media_type, "blob": coded}
    return {"type": "resource", "resource": resource}
