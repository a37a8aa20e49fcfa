"""Answers declared as data: actions performed in sequence."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..hooks import Call
from ..result import Block, Result, text_block
from ..tool import Json
from ..upstream.value_text import compact_json

_PLACEHOLDER = re.compile(r"\$(\$?)\{([^{}]*)\}")


@dataclass
class AnswerContext:
    """The state of one call. `values` are the values of placeholders: the arguments and the answers
    to questions."""

    call: Call
    values: dict[str, Json]
    blocks: list[Block] = field(default_factory=list)
    structured: Json = None
    failed: bool = False

    def fill(self, value: Json) -> Json:
        """The value with placeholders replaced in all strings; a string that is a single
        placeholder keeps the value's type."""
        if isinstance(value, str):
            match = _PLACEHOLDER.fullmatch(value)
            return self._value_of(match[2]) if match and not match[1] else self.text(value)
        if isinstance(value, Mapping):
            return {key: self.fill(member) for key, member in value.items()}
        if isinstance(value, list):
            return [self.fill(element) for element in value]
        return value

    def text(self, template: str) -> str:
        """The text with placeholders replaced; values other than strings become JSON, missing
        values `""`."""

        def replacement(match: re.Match[str]) -> str:
            if match[1]:
                return match[0][1:]
            value = self._value_of(match[2])
            return value if isinstance(value, str) else "" if value is None else compact_json(value)

        return _PLACEHOLDER.sub(replacement, template)

    def _value_of(self, name: str) -> Json:
        """The value of a name or dotted path; None if missing."""
        if name in self.values:
            return self.values[name]
        value: Any = self.values
        for step in name.split("."):
            if isinstance(value, list) and step.isdecimal() and int(step) < len(value):
                value = value[int(step)]
            elif isinstance(value, Mapping):
                value = value.get(step)
            else:
                return None
        return value

    def fail(self, text: str) -> None:
        """Ends the answer with a failure."""
        self.blocks.append(text_block(text))
        self.failed = True

    def result(self) -> Result:
        """The result of the call."""
        return Result(tuple(self.blocks), self.structured, self.failed)


class AnswerAction(Protocol):
    """One action of an answer."""

    async def perform(self, context: AnswerContext) -> None:
        """Performs the action."""


@dataclass(frozen=True)
class DeclaredAnswer:
    """A sequence of actions; stops at the first failure."""

    acts: tuple[AnswerAction, ...]

    async def __call__(self, call: Call) -> Result:
        """Performs the actions; returns the result."""
        context = AnswerContext(call, dict(call.arguments))
        for act in self.acts:
            await act.perform(context)
            if context.failed:
                break
        return context.result()


@dataclass(frozen=True)
class Text:
    """Adds a text."""

    text: str

    async def perform(self, context: AnswerContext) -> None:
        """Adds the block."""
        context.blocks.append(text_block(context.text(self.text)))


@dataclass(frozen=True)
class Image:
    """Adds an image, given as base64."""

    data: str
    type: str

    async def perform(self, context: AnswerContext) -> None:
        """Adds the block."""
        context.blocks.append({"type": "image", "data": self.data, "mimeType": self.type})


@dataclass(frozen=True)
class Audio:
    """Adds audio, given as base64."""

    data: str
    type: str

    async def perform(self, context: AnswerContext) -> None:
        """Adds the block."""
        context.blocks.append({"type": "audio", "data": self.data, "mimeType": self.type})


@dataclass(frozen=True)
class Embedded:
    """Embeds a resource: text, or bytes as base64."""

    uri: str
    type: str = ""
    text: str | None = None
    data: str | None = None

    async def perform(self, context: AnswerContext) -> None:
        """Adds the block."""
        content = {"blob": self.data} if self.text is None else {"text": context.text(self.text)}
        kind = _non_empty(mimeType=self.type)
        resource = {"uri": context.text(self.uri), **kind, **content}
        context.blocks.append({"type": "resource", "resource": resource})


@dataclass(frozen=True)
class ResourceLink:
    """Adds a link to a resource."""

    uri: str
    name: str
    title: str = ""
    description: str = ""
    type: str = ""

    async def perform(self, context: AnswerContext) -> None:
        """Adds the block."""
        optional = _non_empty(title=self.title, description=self.description, mimeType=self.type)
        texts = {key: context.text(text) for key, text in optional.items()}
        required = {"uri": context.text(self.uri), "name": context.text(self.name)}
        context.blocks.append({"type": "resource_link", **required, **texts})


@dataclass(frozen=True)
class Structured:
    """Sets structured content, and adds the same value as JSON text."""

    value: Mapping[str, Json]

    async def perform(self, context: AnswerContext) -> None:
        """Sets the value and adds the block."""
        context.structured = context.fill(self.value)
        context.blocks.append(text_block(compact_json(context.structured)))


@dataclass(frozen=True)
class Wait:
    """Waits a number of milliseconds."""

    milliseconds: int

    async def perform(self, context: AnswerContext) -> None:
        """Waits."""
        await asyncio.sleep(self.milliseconds / 1000)


@dataclass(frozen=True)
class Fail:
    """Fails the call."""

    text: str

    async def perform(self, context: AnswerContext) -> None:
        """Adds the message and stops."""
        context.fail(context.text(self.text))


def _non_empty(**texts: str) -> dict[str, str]:
    """The non-empty texts by name."""
    return {name: text for name, text in texts.items() if text}
