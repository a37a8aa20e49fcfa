"""What a tool gives back: content blocks, and a value beside them if the tool has announced one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from json import loads
from typing import Any, Literal

from .tool import Json
from .upstream.value_text import compact_json, replace_surrogates

RETRY_SECONDS = 1
"""After how many seconds a call that found no place may be tried again."""

Block = dict[str, Any]
"""One content block, as MCP writes it."""


@dataclass(frozen=True)
class HandlerResponse:
    """What the API answered, without secrets: its status, its body as JSON (of a stream, the list of
    its items), None if it is none; its headers by lower-case name, and as `text` a body of text that
    is no JSON.

    `failure` is what the model would be told of an answer that is none to go on with, such as a 404,
    a redirect, or one that is too large; None of a success.
    """

    status: int
    body: Json = None
    headers: Mapping[str, str] = field(default_factory=dict, compare=False)
    text: str = field(default="", compare=False)
    failure: Result | None = field(default=None, repr=False, compare=False)


# Made for each call; a frozen one would take five times as long to make.
@dataclass(slots=True)
class Result:
    """A result: `content` are its blocks, and `structured` an object beside them, which clients get as
    `structuredContent`. `failed` tells the model that the call did not do what was asked, and `refused` the
    server's own records that the caller may not make it. `asks` are questions that the call needs the
    client's answers to before it can be made, and `needs` the capabilities that a client lacks for them.
    `cause` tells of some failures why: the `arguments` are not what the tool takes, or what they name is
    not there (`absence`).

    `answered` is what a hook may read of the API's answer; None where no answer came, and outside of
    hooks.
    """

    content: tuple[Block, ...]
    structured: Json = None
    failed: bool = False
    refused: bool = False
    asks: Mapping[str, Json] | None = None
    needs: Mapping[str, Json] | None = None
    cause: Literal["", "arguments", "absence"] = field(default="", compare=False)
    answered: HandlerResponse | None = field(default=None, repr=False, compare=False)

    @property
    def outcome(self) -> Literal["ok", "failure", "denied", "asks"]:
        """What became of the call, for records; it is not sent."""
        if self.asks is not None:
            return "asks"
        if self.refused:
            return "denied"
        return "failure" if self.failed else "ok"

    @classmethod
    def text(cls, text: str) -> Result:
        """A result of one text."""
        return cls((text_block(text),))

    @classmethod
    def json(cls, value: Json, *, failed: bool = False) -> Result:
        """A result of one JSON value, as compact text."""
        return cls((text_block(compact_json(value)),), failed=failed)

    @classmethod
    def of(cls, value: Mapping[str, Json], text: str = "", *, failed: bool = False) -> Result:
        """A result of one object that clients get as structured content, and as text: the one given,
        else the object as compact JSON."""
        shown = text_block(text or compact_json(value))
        return cls((shown,), structured=dict(value), failed=failed)

    @classmethod
    def error(cls, *lines: str) -> Result:
        """A failure, in words the model can act on."""
        return cls((text_block("\n".join(lines)),), failed=True)

    @classmethod
    def denied(cls, envelope: Json) -> Result:
        """A call that the caller may not make, as one JSON value."""
        return cls((text_block(compact_json(envelope)),), failed=True, refused=True)

    @classmethod
    def asking(cls, requests: Mapping[str, Json], state: str) -> Result:
        """Questions by key, and what comes back with their answers."""
        return cls((), asks={"inputRequests": dict(requests), "requestState": state})

    @classmethod
    def unheard(cls, text: str, needs: Mapping[str, Json] | None) -> Result:
        """A failure because the client was not, or cannot be, asked."""
        return cls((text_block(text),), failed=True, needs=needs)

    @classmethod
    def crowded(cls, reason: str) -> Result:
        """A call that found no place, and may find one soon."""
        envelope = {"outcome": "denied", "code": "too_many_calls"}
        said = {"message": f"Too many calls at once: {reason}", "retryAfter": RETRY_SECONDS}
        return cls.denied({**envelope, **said})

    def wire(self) -> dict[str, Any]:
        """The result as MCP writes it."""
        if self.asks is not None:
            return {"resultType": "input_required", **self.asks}
        wire: dict[str, Any] = {
            "resultType": "complete",
            "content": list(self.content),
            "isError": self.failed,
        }
        if self.structured is not None:
            wire["structuredContent"] = self.structured
        return wire


def text_block(text: str) -> Block:
    """A content block of text, of which every character can be written."""
    return {"type": "text", "text": replace_surrogates(text)}


def is_plain_text(block: object) -> bool:
    """Whether a content block is a text, and nothing beside; handlers may make what they like."""
    return (
        isinstance(block, dict)
        and len(block) == 2
        and block.get("type") == "text"
        and isinstance(block.get("text"), str)
    )


def bullet_list(head: str, lines: Iterable[str]) -> str:
    """A sentence and what it is about, one per line."""
    return "\n".join([head, *(f"- {line}" for line in lines)])


def writable(given: object) -> Result:
    """What a handler gave, as MCP can write it: halves of surrogate pairs are replaced.

    Raises `TypeError` or `ValueError` for what is no result or no JSON.
    """
    if not isinstance(given, Result):
        raise TypeError(f"a handler gives a `Result`, not `{type(given).__name__}`")
    if given.structured is not None and not isinstance(given.structured, dict):
        raise TypeError("the structured content of a result is an object")
    content = given.content
    if given.structured is None and isinstance(content, tuple) and all(map(_is_ascii, content)):
        return given
    text = compact_json([given.content, given.structured])
    if text == replace_surrogates(text):
        return given
    blocks, structured = loads(replace_surrogates(text))
    return replace(given, content=tuple(blocks), structured=structured)


def _is_ascii(block: Block) -> bool:
    """Whether a block is a text of ASCII, which need not be written to know that it can be."""
    return is_plain_text(block) and bool(block["text"].isascii())
