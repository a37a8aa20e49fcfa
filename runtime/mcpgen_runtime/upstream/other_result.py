"""Results of responses that are not JSON: text, images, audio and other files."""

from __future__ import annotations

import base64

from ..extensions import Extensions
from ..observability.redact import Redactor
from ..result import Block, Result, text_block
from ..tool import Json
from .error_result import status_text
from .exchange import UpstreamResponse
from .operation import ToolOperation
from .tool_result import TEXTUAL, header_blocks, media_type_label, wrong_type_result
from .value_text import replace_surrogates


def other_results(installed: Extensions) -> None:
    """Installs the results of responses that are not JSON."""
    installed.other_result = _other_result


def _other_result(operation: ToolOperation, answer: UpstreamResponse, redactor: Redactor) -> Result:
    if operation.fields:
        return _unrequested_type(operation, answer, redactor)
    if not _is_accepted(operation.route.accept, answer.media_type):
        return wrong_type_result(operation, answer, redactor)
    if not TEXTUAL.fullmatch(answer.media_type):
        return _structured(operation, {}, _file(answer, redactor))
    text = redactor.clean(answer.text)
    value = {"result": text} if operation.tool.wrapped else text
    return _structured(
        operation, value, Result((text_block(text), *header_blocks(answer, redactor)))
    )


def _structured(operation: ToolOperation, value: Json, result: Result) -> Result:
    """The result with structured content, for a tool with an output schema."""
    if operation.output is None or result.failed:
        return result
    return operation.output.of_response(value, result.content)


def _unrequested_type(
    operation: ToolOperation, answer: UpstreamResponse, redactor: Redactor
) -> Result:
    """The error for a response without the tool's selected fields; nothing else of the response is
    shown."""
    names = ", ".join(operation.tool.fields)
    return Result.error(
        f"The API answered {status_text(answer, redactor)} with {media_type_label(answer, redactor)}, which has no"
        f" fields; this tool shows only {names}."
    )


def _is_accepted(accept: str, media_type: str) -> bool:
    """True if the content type matches the `Accept` header, ignoring parameters."""
    for media_range in accept.lower().split(","):
        media_range = media_range.partition(";")[0].strip()
        if media_range in ("*/*", "", media_type) or not media_type:
            return True
        if media_range.endswith("/*") and media_type.startswith(media_range[:-1]):
            return True
    return False


def _file(answer: UpstreamResponse, redactor: Redactor) -> Result:
    """The file as an image, audio or embedded resource block."""
    text = answer.body.decode("utf-8", "surrogateescape")
    if redactor.clean(text) != text:
        return Result.error("The API's answer is a file that holds a secret; it is not passed on.")
    media_type = replace_surrogates(redactor.clean(answer.media_type))
    head = text_block(f"{media_type or 'binary content'}, {len(answer.body)} bytes")
    coded = base64.b64encode(answer.body).decode()
    media_type = media_type or "application/octet-stream"
    kind = media_type.partition("/")[0]
    block: Block = {"type": kind, "data": coded, "mimeType": media_type}
    if kind not in ("image", "audio"):
        resource = {"uri": f"upstream:{answer.path}", "mimeType": media_type, "blob": coded}
        block = {"type": "resource", "resource": resource}
    return Result((head, block, *header_blocks(answer, redactor)))
