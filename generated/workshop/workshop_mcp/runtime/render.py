"""An answer of the API as the result of a tool."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from http import HTTPStatus

from .answer import Answer
from .encode import json_text
from .operation import Operation
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

Clean = Callable[[str], str]
"""Takes secrets out of a text."""


def render(operation: Operation, answer: Answer, clean: Clean) -> Result:
    """The result that tells of an answer; a failure if it is one or is not what was asked for."""
    if answer.status >= 400:
        return _failure(answer, clean)
    if answer.status >= 300:
        return _elsewhere(answer, clean)
    if not answer.complete:
        size = len(answer.body)
        return Result.error(f"The API's answer is larger than {size} bytes; ask for less.")
    if not answer.body:
        return Result((text_block(f"Done: {_status(answer)}."), *_handles(answer, clean)))
    if _is_json(answer):
        return _json(operation, answer, clean)
    if not _is_accepted(operation.tool.route.accept, answer.media_type):
        return _wrong_type(operation, answer, clean)
    if _TEXTUAL.fullmatch(answer.media_type):
        return Result((text_block(clean(answer.text)), *_handles(answer, clean)))
    return Result((text_block(_size(answer)), _binary(answer)))


def _status(answer: Answer) -> str:
    reason = answer.reason
    if not reason and answer.status in HTTPStatus._value2member_map_:
        reason = HTTPStatus(answer.status).phrase
    return f"{answer.status} {reason}".strip()


def _failure(answer: Answer, clean: Clean) -> Result:
    lines = [f"The API answered {clean(_status(answer))}."]
    if retry := answer.headers.get("retry-after"):
        lines.append(f"Retry-After: {clean(retry)}")
    if answer.body:
        lines.append(_excerpt(answer, clean))
    return Result.error(*lines)


def _elsewhere(answer: Answer, clean: Clean) -> Result:
    location = clean(answer.headers.get("location", ""))
    where = f" It points to {location[:EXCERPT]}, which is not followed." if location else ""
    return Result.error(f"The API answered {clean(_status(answer))}.{where}")


def _wrong_type(operation: Operation, answer: Answer, clean: Clean) -> Result:
    got = clean(answer.media_type) or "no content type"
    head = f"The API answered with {got} instead of {operation.tool.route.accept}."
    if not _TEXTUAL.fullmatch(answer.media_type):
        return Result.error(head)
    return Result.error(head, _excerpt(answer, clean))


def _excerpt(answer: Answer, clean: Clean) -> str:
    text = clean(_CONTROL.sub(" ", answer.text)).strip()
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


def _json(operation: Operation, answer: Answer, clean: Clean) -> Result:
    value = _parsed(answer)
    if value is _BROKEN:
        return Result.error("The API's answer is not the JSON it claims.", _excerpt(answer, clean))
    try:
        text = clean(json_text(value))
    except ValueError:
        # A number that JSON allows and Python turns into infinity: the text stays as it came.
        text = clean(answer.text)
    blocks = (text_block(text), *_handles(answer, clean))
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


def _handles(answer: Answer, clean: Clean) -> list[Block]:
    """Where to go on from here: pages that follow, a thing that was made."""
    found = [
        f"{name}: {clean(answer.headers[name.lower()])[:EXCERPT]}"
        for name in ("Link", "Location")
        if name.lower() in answer.headers
    ]
    return [text_block("\n".join(found))] if found else []


def _size(answer: Answer) -> str:
    return f"{answer.media_type or 'binary content'}, {len(answer.body)} bytes"


def _binary(answer: Answer) -> Block:
    """An image, audio, or any other file as an embedded resource."""
    coded = base64.b64encode(answer.body).decode()
    media_type = answer.media_type or "application/octet-stream"
    kind = media_type.partition("/")[0]
    if kind in ("image", "audio"):
        return {"type": kind, "data": coded, "mimeType": media_type}
    resource = {"uri": f"upstream:{answer.path}", "mimeType": media_type, "blob": coded}
    return {"type": "resource", "resource": resource}
