"""Structured results, held against the schema that was announced for them."""

from __future__ import annotations

import logging

from .operation import Operation
from .result import Block, Result, text_block
from .tool import Json

logger = logging.getLogger(__name__)

DEEPEST = 100
"""How deep a structured form may be nested; clients and the SDK give up on much deeper ones."""

SHOWN = 10
"""How many of the differences are told."""


def kept(operation: Operation, value: Json, blocks: tuple[Block, ...]) -> Result:
    """The result with its structured form.

    Where the API breaks its own promise there can be no structured form, and clients refuse a
    success without one: the content still arrives, in a result that is marked as failed and says
    that it was the promise that failed and not the call.
    """
    problems = ["it is nested too deeply"] if _is_deep(value) else operation.output_problems(value)
    if not problems:
        return Result(blocks, value)
    operation.broken_promises += 1
    logger.warning(
        "%s: the API's answer is not what its description promises (%d so far): %s",
        operation.tool.name,
        operation.broken_promises,
        "; ".join(problem[:200] for problem in problems[:3]),
    )
    head = "Warning: the API did what was asked and its answer is above, but the answer is not what"
    lines = [f"{head} its description promises, so it has no structured form:", *problems[:SHOWN]]
    return Result((*blocks, text_block("\n".join(lines))), failed=True)


def kept_empty(operation: Operation, blocks: tuple[Block, ...]) -> Result:
    """The result of an answer without content; its structured form is an object without members."""
    return Result(blocks) if operation.tool.output is None else kept(operation, {}, blocks)


def _is_deep(value: Json) -> bool:
    """Whether a value has more levels than a structured form may have."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(DEEPEST):
        level = [
            inner
            for one in level
            for inner in (one.values() if isinstance(one, dict) else one)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True
