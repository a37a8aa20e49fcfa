"""Validates structured results against the output schema."""

from __future__ import annotations

import logging
from dataclasses import replace

from ..result import Block, Result, text_block
from ..tool import Json
from ..upstream.operation import ToolOperation
from .nesting import is_deeper

logger = logging.getLogger(__name__)

DEEPEST = 100
"""Maximum nesting of structured content; clients and the SDK fail on much deeper values."""

SHOWN = 10
"""Maximum number of violations shown."""


def validate_output(operation: ToolOperation, value: Json, blocks: tuple[Block, ...]) -> Result:
    """The result with structured content, if valid.

    Clients refuse a success without the announced structured content. An invalid value is therefore
    returned as a failure with the content, and with a note that the API's response is invalid
    although the call succeeded.
    """
    problems = _problems(operation, value)
    if not problems:
        return Result(blocks, value)
    _count(operation, "the API's answer is not what its description promises", problems)
    head = "Warning: the API did what was asked and its answer is above, but the answer is not what"
    lines = [f"{head} its description promises, so it has no structured form:", *problems[:SHOWN]]
    return Result((*blocks, text_block("\n".join(lines))), failed=True)


def validate_handler_output(operation: ToolOperation, result: Result) -> Result:
    """The result of a handler; a failure without structured content if the value violates the
    output schema. A failure is not validated."""
    if operation.tool.output is None or result.failed:
        return result
    value = result.structured
    problems = ["there is none"] if value is None else _problems(operation, value)
    if not problems:
        return result
    _count(operation, "what its handler gives back is not what it announces", problems)
    head = "Warning: the call was made and its result is above, but the structured form is not what"
    lines = [f"{head} the tool announces:", *problems[:SHOWN]]
    blocks = (*result.content, text_block("\n".join(lines)))
    return replace(result, content=blocks, structured=None, failed=True)


def _problems(operation: ToolOperation, value: Json) -> list[str]:
    """The violations of a structured value."""
    return (
        ["it is nested too deeply"]
        if is_deeper(value, DEEPEST)
        else operation.output_problems(value)
    )


def _count(operation: ToolOperation, what: str, problems: list[str]) -> None:
    """Counts and logs an invalid result."""
    operation.broken_promises += 1
    logger.warning(
        "%s: %s (%d so far): %s",
        operation.tool.name,
        what,
        operation.broken_promises,
        "; ".join(problem[:200] for problem in problems[:3]),
    )


def validate_empty_output(operation: ToolOperation, blocks: tuple[Block, ...]) -> Result:
    """The result of an empty response; the structured content is `{}`."""
    return (
        Result(blocks) if operation.tool.output is None else validate_output(operation, {}, blocks)
    )
