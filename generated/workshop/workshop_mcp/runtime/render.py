"""An answer of the API as the result of a tool."""

from __future__ import annotations

import base64
import json
import re
from http import HTTPStatus

from .answer import Answer
from .encode import json_text, whole
from .operation import Operation
from .redact import Redactor
from .result import Block, Result, text_block
from .tool import Json

EXCERPT = 2000
"""How many characters of a failure's body are shown."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]+")
_TEXTUAL = re.compile(
    r"text/.*|application/(.*\+)?(xml|yaml|x-yaml|javascript|graphql|x-ndjson|jsonl|toml)"
    r"|application/x-www-form-urlencoded|application/(jwt|jose|sql)"
)
_JSON = re.compile(r"(application|text)/(.*\+)?json")


def render(operation: Operation, answer: Answer, redactor: Redactor) -> Result:
    """The result that tells of an answer; a failure if it is one or is not what was asked for."""
    if answer.status >= 400:
        return _failure(answer, redactor)
    if answer.status >= 300:
        return _elsewhere(answer, redactor)
    if not answer.complete:
        size = len(answer.body)
        return Result.error(f"The API's answer is larger than {size} bytes; ask for less.")
    if not answer.body:
        return Result((text_block(f"Done: {_status(answer)}."), *_handles(answer, redactor)))
    if _is_json(answer):
        return _json(operation, answer, redactor)
    if not _is_accepted(operation.tool.route.accept, answer.media_type):
        return _wrong_type(operation, answer, redactor)
    if _TEXTUAL.fullmatch(answer.media_type):
        return Result((text_block(redactor.clean(answer.text)), *_handles(answer, redactor)))
    if redactor.finds(answer.body):
        return Result.error("The API's answer is a file that holds a secret; it is not passed on.")
    media_type = whole(redactor.clean(answer.media_type))
    head = f"{media_type or 'binary content'}, {len(answer.body)} bytes"
    return Result((text_block(head), _binary(answer, media_type)))


def _status(answer: Answer) -> str:
    reason = answer.reason
    if not reason and answer.status in HTTPStatus._value2member_map_:
        reason = HTTPStatus(answer.status).phrase
    return f"{answer.status} {reason}".strip()


def _failure(answer: Answer, redactor: Redactor) -> Result:
    lines = [f"The API answered {redactor.clean(_status(answer))}."]
    if retry := answer.headers.get("retry-after"):
        lines.append(f"Retry-After: {redactor.clean(retry)}")
    if answer.body:
        lines.append(_excerpt(answer, redactor))
    return Result.error(*lines)


def _elsewhere(answer: Answer, redactor: Redactor) -> Result:
    location = redactor.clean(answer.headers.get("location", ""))
    where = f" It points to {location[:EXCERPT]}, which is not followed." if location else ""
    return Result.error(f"The API answered {redactor.clean(_status(answer))}.{where}")


def _wrong_type(operation: Operation, answer: Answer, redactor: Redactor) -> Result:
    got = redactor.clean(answer.media_type) or "no content type"
    head = f"The API answered with {got} instead of {operation.tool.route.accept}."
    if not _TEXTUAL.fullmatch(answer.media_type):
        return Result.error(head)
    return Result.error(head, _excerpt(answer, redactor))


def _excerpt(answer: Answer, redactor: Redactor) -> str:
    text = redactor.clean(_CONTROL.sub(" ", answer.text)).strip()
    return text if len(text) <= EXCERPT else f"{text[:EXCERPT]}…"


def _is_json(answer: Answer) -> bool:
    """Whether the body is JSON, by its type or, as many an API forgets to say so, by its look."""
    return bool(_JSON.fullmatch(answer.media_type)) or (
        answer.media_type in ("", "text/plain", "text/html", "application/octet-stream")
        and answer.body.lstrip()[:1] in (b"{", b"[")
        and _parsed(answer) is not _BROKEN
    )


def _is_accepted(accept: str, media_type: str) -> bool:
    """Whether a type is among those asked for; parameters do not count."""
    for asked in accept.lower().split(","):
        asked = asked.partition(";")[0].strip()
        if asked in ("*/*", "", media_type) or not media_type:
            return True
        if asked.endswith("/*") and media_type.startswith(asked[:-1]):
            return True
    return False


_BROKEN = object()


def _parsed(answer: Answer) -> Json:
    try:
        return json.loads(answer.body)
    except (ValueError, RecursionError):
        return _BROKEN


def _json(operation: Operation, answer: Answer, redactor: Redactor) -> Result:
    value = _parsed(answer)
    if value is _BROKEN:
        return Result.error(
            "The API's answer is not the JSON it claims.", _excerpt(answer, redactor)
        )
    try:
        text = json_text(value)
    except ValueError:
        # A number that JSON allows and Python turns into infinity: the text stays as it came.
        text = answer.body.decode(json.detect_encoding(answer.body), "surrogatepass")
    text = redactor.clean_json(text)
    blocks = (text_block(text), *_handles(answer, redactor))
    if operation.tool.output is None:
        return Result(blocks)
    return _structured(operation, text, blocks)


def _structured(operation: Operation, text: str, blocks: tuple[Block, ...]) -> Result:
    value = json.loads(text)
    structured = {"result": value} if operation.tool.wrapped else value
    problems = operation.output_problems(structured)
    if not problems:
        return Result(blocks, structured)
    head = "The API's answer is above, but it is not what its description promises:"
    return Result((*blocks, text_block("\n".join([head, *problems[:10]]))), failed=True)


def _handles(answer: Answer, redactor: Redactor) -> list[Block]:
    """Where to go on from here: pages that follow, a thing that was made."""
    found = [
        f"{name}: {redactor.clean(answer.headers[name.lower()])[:EXCERPT]}"
        for name in ("Link", "Location")
        if name.lower() in answer.headers
    ]
    return [text_block("\n".join(found))] if found else []


def _binary(answer: Answer, media_type: str) -> Block:
    """An image, audio, or any other file as an embedded resource."""
    coded = base64.b64encode(answer.body).decode()
    media_type = media_type or "application/octet-stream"
    kind = media_type.partition("/")[0]
    if kind in ("image", "audio"):
        return {"type": kind, "data": coded, "mimeType": media_type}
    resource = {"uri": f"upstream:{answer.path}", "mimeType": media_type, "blob": coded}
    return {"type": "resource", "resource": resource}
