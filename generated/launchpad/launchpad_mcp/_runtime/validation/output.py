# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Validates structured results against the output schema."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import replace

from ..extensions import Definitions, Extensions
from ..result import Block, Result, text_block
from ..tool import Json, Tool
from ..upstream.exchange import InvalidArguments
from ..upstream.value_text import loads
from .nesting import is_deeper
from .validate import LazyValidator, text_lines

logger = logging.getLogger(__name__)

MAX_CONTENT_DEPTH = 100
"""Maximum levels of nesting of structured content; clients and the SDK fail on much deeper values."""

MAX_SHOWN_VIOLATIONS = 10
"""Maximum number of violations in a result."""


class OutputSchema:
    """The output schema of a tool. `invalid_count` counts the responses and handler results that violated
    the schema. The schema of a wrapped tool describes an object with the value as the member `result`.
    """

    def __init__(self, tool: Tool, definitions: Definitions) -> None:
        self._name = tool.name
        self._wrapped = tool.wrapped
        properties = (tool.output or {}).get("properties", {})
        # `properties` and `items` restrict objects and arrays only.
        self._allows_text = tool.wrapped and properties["result"].keys() <= {"properties", "items"}
        self._schema = LazyValidator(lambda: definitions.with_definitions(tool.output))
        self.invalid_count = 0

    def of_response(self, value: Json, blocks: tuple[Block, ...]) -> Result:
        """The result with structured content, if valid.

        Clients refuse a success without the announced structured content. An invalid value is
        therefore returned as a failure with the content, and with a note that the API's response is
        invalid although the call succeeded.
        """
        problems = self._problems(value)
        if not problems:
            return Result(blocks, value)
        self._record_invalid("the API's answer is not what its description promises", problems)
        head = "Warning: the API did what was asked and its answer is above, but the answer is not what"
        lines = [
            f"{head} its description promises, so it has no structured form:",
            *problems[:MAX_SHOWN_VIOLATIONS],
        ]
        return Result((*blocks, text_block("\n".join(lines))), failed=True)

    def of_no_content(self, text: str, blocks: tuple[Block, ...]) -> Result:
        """The result of a response without content. The structured content of a wrapped tool whose
        `result` may be any text is `{"result": text}`, because some clients show only the structured
        content; otherwise `{}`, which the schema may refuse."""
        return self.of_response({"result": text} if self._allows_text else {}, blocks)

    def of_handler(self, result: Result) -> Result:
        """The result of a handler; a failure is returned unchanged. For a wrapped tool, the text of a
        success without structured content becomes the structured content. A success that violates the
        output schema becomes a failure without structured content."""
        if result.failed:
            return result
        if result.structured is None and self._wrapped:
            result = replace(result, structured={"result": _text_value(result)})
        value = result.structured
        problems = ["there is none"] if value is None else self._problems(value)
        if not problems:
            return result
        self._record_invalid("the result of its handler does not match the output schema", problems)
        head = "Warning: the call was made and its result is above, but the structured form is not what"
        lines = [f"{head} the tool announces:", *problems[:MAX_SHOWN_VIOLATIONS]]
        blocks = (*result.content, text_block("\n".join(lines)))
        return replace(result, content=blocks, structured=None, failed=True)

    def _problems(self, value: Json) -> list[str]:
        """The violations by structured content. A schema that cannot be used is a violation, too: the content
        is unchecked."""
        if is_deeper(value, MAX_CONTENT_DEPTH):
            return ["it is nested too deeply"]
        try:
            return text_lines(self._schema.problems(value), "result")
        except InvalidArguments as error:
            return list(error.problems)

    def _record_invalid(self, message: str, problems: list[str]) -> None:
        """Counts and logs an invalid result."""
        self.invalid_count += 1
        logger.warning(
            "%s: %s (%d so far): %s",
            self._name,
            message,
            self.invalid_count,
            "; ".join(problem[:200] for problem in problems[:3]),
        )


def _text_value(result: Result) -> Json:
    """The JSON object or array in the texts of a result, else the texts joined by newlines."""
    text = "\n".join(block["text"] for block in result.content if block.get("type") == "text")
    if text[:1] in ("{", "["):
        with suppress(ValueError, RecursionError):
            return loads(text).value
    return text


def validated_output(installed: Extensions) -> None:
    """Installs the validation of results against output schemas."""
    installed.output_validator = OutputSchema
