"""Answers in JSON, whole or item by item, as results."""

from __future__ import annotations

from .error_result import body_excerpt
from .field_filter import filter_fields
from .lenient_json import LenientJson, TooDeep, loads
from .output_validation import validate_output
from .redact import Redactor
from .response_headers import handles
from .result import Block, Result, text_block
from .tool_operation import ToolOperation
from .upstream_response import ResponseStream, UpstreamResponse
from .value_text import compact_json


def read_json(answer: UpstreamResponse) -> LenientJson:
    """The value of a body. Raises `ValueError` if it is no JSON, and `TooDeep`."""
    try:
        return loads(answer.body)
    except UnicodeDecodeError:
        return loads(answer.text)


def json_result(operation: ToolOperation, answer: UpstreamResponse, redactor: Redactor) -> Result:
    """The result of an answer that is JSON, or claims to be."""
    try:
        return _read(operation, read_json(answer), answer, redactor)
    except (TooDeep, RecursionError):
        return Result.error("The API's answer is JSON that is nested too deeply to be read.")
    except ValueError:
        head = "The API's answer is not the JSON it claims."
        shown = "" if operation.fields else body_excerpt(answer, redactor)
        return Result.error(head, *([shown] if shown else []))


def _read(
    operation: ToolOperation, found: LenientJson, answer: UpstreamResponse, redactor: Redactor
) -> Result:
    text, nulls = found.text, found.nulls
    if operation.fields:
        text = compact_json(filter_fields(found.value, operation.fields))
    text = redactor.clean_json(text)
    notes = [_odd_numbers(nulls)] if nulls else []
    blocks = (text_block(text), *map(text_block, notes), *handles(answer, redactor))
    if operation.tool.output is None:
        return Result(blocks)
    value = loads(text).value
    return validate_output(
        operation, {"result": value} if operation.tool.wrapped else value, blocks
    )


def stream_result(
    operation: ToolOperation, answer: UpstreamResponse, stream: ResponseStream, redactor: Redactor
) -> Result:
    """The result of an answer that came item by item: a line of JSON for each, and a list of them
    where it repeats an announced result.

    It is a failure only if the connection broke: an answer that was cut is what was asked for, as
    far as it came, and says so.
    """
    values = [filter_fields(item, operation.fields) for item in stream.items]
    lines = [redactor.clean_json(compact_json(value)) for value in values]
    listed = operation.tool.output is not None
    texts = ["\n".join(lines)] if lines else []
    if listed:
        texts = ["[" + ",\n".join(lines) + "]"]
    texts += _notes(stream, operation)
    blocks: tuple[Block, ...] = (*map(text_block, texts), *handles(answer, redactor))
    if stream.broken:
        return Result(blocks, failed=True)
    if not listed:
        return Result(blocks)
    return validate_output(operation, {"result": [loads(line).value for line in lines]}, blocks)


def _notes(stream: ResponseStream, operation: ToolOperation) -> list[str]:
    """What must be known beside the items."""
    count = f"{len(stream.items)} item{'' if len(stream.items) == 1 else 's'}"
    notes = []
    if stream.cut:
        notes.append(f"The stream was cut {stream.cut}; {count} came before, and more may follow.")
    elif not stream.items:
        notes.append("The stream ended without an item.")
    if stream.partial:
        notes.append("The last item was incomplete and is left out.")
    if stream.faults and not operation.fields:
        notes.append(f"{stream.faults} of the items are not JSON; they stand here as text.")
    return ["\n".join(notes)] if notes else []


def _odd_numbers(nulls: int) -> str:
    were = "1 number is" if nulls == 1 else f"{nulls} numbers are"
    return f"{were} null here because the API wrote NaN or Infinity, which JSON does not have."
