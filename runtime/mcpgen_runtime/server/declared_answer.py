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
    """The state of one call. `known` are the values of placeholders: the arguments and the answers
    to questions."""

    call: Call
    known: dict[str, Json]
    blocks: list[Block] = field(default_factory=list)
    structured: Json = None
    failed: bool = False

    def filled(self, value: Json) -> Json:
        """The value with placeholders replaced in all strings; a string that is a single
        placeholder keeps the value's type."""
        if isinstance(value, str):
            whole = _PLACEHOLDER.fullmatch(value)
            return self._of(whole[2]) if whole and not whole[1] else self.text(value)
        if isinstance(value, Mapping):
            return {key: self.filled(member) for key, member in value.items()}
        if isinstance(value, list):
            return [self.filled(element) for element in value]
        return value

    def text(self, template: str) -> str:
        """The text with placeholders replaced; values other than strings become JSON, missing
        values `""`."""

        def shown(found: re.Match[str]) -> str:
            if found[1]:
                return found[0][1:]
            value = self._of(found[2])
            return value if isinstance(value, str) else "" if value is None else compact_json(value)

        return _PLACEHOLDER.sub(shown, template)

    def _of(self, name: str) -> Json:
        """The value of a name or dotted path; None if missing."""
        if name in self.known:
            return self.known[name]
        value: Any = self.known
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

    async def perform(self, scene: AnswerContext) -> None:
        """Performs the action."""


@dataclass(frozen=True)
class DeclaredAnswer:
    """A sequence of actions; stops at the first failure."""

    acts: tuple[AnswerAction, ...]

    async def __call__(self, call: Call) -> Result:
        """Performs the actions; returns the result."""
        scene = AnswerContext(call, dict(call.arguments))
        for act in self.acts:
            await act.perform(scene)
            if scene.failed:
                break
        return scene.result()


@dataclass(frozen=True)
class Text:
    """Adds a text."""

    text: str

    async def perform(self, scene: AnswerContext) -> None:
        """Adds the block."""
        scene.blocks.append(text_block(scene.text(self.text)))


@dataclass(frozen=True)
class Image:
    """Adds an image, given as base64."""

    data: str
    type: str

    async def perform(self, scene: AnswerContext) -> None:
        """Adds the block."""
        scene.blocks.append({"type": "image", "data": self.data, "mimeType": self.type})


@dataclass(frozen=True)
class Audio:
    """Adds audio, given as base64."""

    data: str
    type: str

    async def perform(self, scene: AnswerContext) -> None:
        """Adds the block."""
        scene.blocks.append({"type": "audio", "data": self.data, "mimeType": self.type})


@dataclass(frozen=True)
class Embedded:
    """Embeds a resource: text, or bytes as base64."""

    uri: str
    type: str = ""
    text: str | None = None
    data: str | None = None

    async def perform(self, scene: AnswerContext) -> None:
        """Adds the block."""
        held = {"blob": self.data} if self.text is None else {"text": scene.text(self.text)}
        kind = _non_empty(mimeType=self.type)
        resource = {"uri": scene.text(self.uri), **kind, **held}
        scene.blocks.append({"type": "resource", "resource": resource})


@dataclass(frozen=True)
class ResourceLink:
    """Adds a link to a resource."""

    uri: str
    name: str
    title: str = ""
    description: str = ""
    type: str = ""

    async def perform(self, scene: AnswerContext) -> None:
        """Adds the block."""
        told = _non_empty(title=self.title, description=self.description, mimeType=self.type)
        shown = {key: scene.text(text) for key, text in told.items()}
        named = {"uri": scene.text(self.uri), "name": scene.text(self.name)}
        scene.blocks.append({"type": "resource_link", **named, **shown})


@dataclass(frozen=True)
class Structured:
    """Sets structured content, and adds the same value as JSON text."""

    value: Mapping[str, Json]

    async def perform(self, scene: AnswerContext) -> None:
        """Sets the value and adds the block."""
        scene.structured = scene.filled(self.value)
        scene.blocks.append(text_block(compact_json(scene.structured)))


@dataclass(frozen=True)
class Wait:
    """Waits a number of milliseconds."""

    milliseconds: int

    async def perform(self, scene: AnswerContext) -> None:
        """Waits."""
        await asyncio.sleep(self.milliseconds / 1000)


@dataclass(frozen=True)
class Fail:
    """Fails the call."""

    text: str

    async def perform(self, scene: AnswerContext) -> None:
        """Adds the message and stops."""
        scene.fail(scene.text(self.text))


def _non_empty(**told: str) -> dict[str, str]:
    """The non-empty texts by name."""
    return {name: text for name, text in told.items() if text}
