"""Structured results, held against the schema that was announced for them."""

from __future__ import annotations

import logging
from dataclasses import replace

from ..result import Block, Result, text_block
from ..tool import Json
from ..upstream.operation import ToolOperation
from .nesting import is_deeper

logger = logging.getLogger(__name__)

DEEPEST = 100
"""How deep a structured form may be nested; clients and the SDK give up on much deeper ones."""

SHOWN = 10
"""How many of the differences are told."""


def validate_output(operation: ToolOperation, value: Json, blocks: tuple[Block, ...]) -> Result:
    """The result with its structured form.

    Where the API breaks its own promise there can be no structured form, and clients refuse a
    success without one: the content still arrives, in a result that is marked as failed and says
    that it was the promise that failed and not the call.
    """
    problems = _problems(operation, value)
    if not problems:
        return Result(blocks, value)
    _count(operation, "the API's answer is not what its description promises", problems)
    head = "Warning: the API did what was asked and its answer is above, but the answer is not what"
    lines = [f"{head} its description promises, so it has no structured form:", *problems[:SHOWN]]
    return Result((*blocks, text_block("\n".join(lines))), failed=True)


def validate_handler_output(operation: ToolOperation, result: Result) -> Result:
    """The result of a handler; as a failure without structured form where the tool has announced
    another one. What the handler itself calls a failure promises nothing."""
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
    """What is wrong with a structured form."""
    return (
        ["it is nested too deeply"]
        if is_deeper(value, DEEPEST)
        else operation.output_problems(value)
    )


def _count(operation: ToolOperation, what: str, problems: list[str]) -> None:
    """Counts a broken promise, and tells the log of it."""
    operation.broken_promises += 1
    logger.warning(
        "%s: %s (%d so far): %s",
        operation.tool.name,
        what,
        operation.broken_promises,
        "; ".join(problem[:200] for problem in problems[:3]),
    )


def validate_empty_output(operation: ToolOperation, blocks: tuple[Block, ...]) -> Result:
    """The result of an answer without content; its structured form is an object without members."""
    return (
        Result(blocks) if operation.tool.output is None else validate_output(operation, {}, blocks)
    )
