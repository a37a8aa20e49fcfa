# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""The result of a tool: content blocks, and structured content if the tool has an output schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from json import loads
from typing import Any, Literal

from .tool import Json
from .upstream.value_text import compact_json, replace_surrogates

RETRY_SECONDS = 1  # Seconds after which a call refused for load may be retried
Block = dict[str, Any]  # One content block in MCP format


@dataclass(frozen=True)
class HandlerResponse:
    """A response of the API without secrets: status, body as JSON (of a stream the items), None if
    not JSON; headers by lower-case name, and `text` of another textual body. `failure` is the error
    result for an unusable response, such as a 404 or a redirect; None for a success."""

    status: int
    body: Json = None
    headers: Mapping[str, str] = field(default_factory=dict, compare=False)
    text: str = field(default="", compare=False)
    failure: Result | None = field(default=None, repr=False, compare=False)


# Not frozen: created for each call, and a frozen dataclass takes five times as long to create.
@dataclass(slots=True)
class Result:
    """The result of a call: `content` blocks, and `structured`, sent as `structuredContent`.
    `refused`: the caller may not make the call. `asks` are questions for the client, needed before
    the call can run, and `needs` the missing client capabilities. `cause`: invalid `arguments`, or
    `absence` of the named object. `answered` is the API's response in hooks, if there is one."""

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
        """The outcome for logs and metrics; not sent to clients."""
        if self.asks is not None:
            return "asks"
        if self.refused:
            return "denied"
        return "failure" if self.failed else "ok"

    @classmethod
    def text(cls, text: str) -> Result:
        """A result with one text block."""
        return cls((text_block(text),))

    @classmethod
    def json(cls, value: Json, *, failed: bool = False) -> Result:
        """A result with one JSON value as compact text."""
        return cls((text_block(compact_json(value)),), failed=failed)

    @classmethod
    def of(cls, value: Mapping[str, Json], text: str = "", *, failed: bool = False) -> Result:
        """A result with an object as structured content, and as text: `text`, or compact JSON by
        default."""
        block = text_block(text or compact_json(value))
        return cls((block,), structured=dict(value), failed=failed)

    @classmethod
    def error(cls, *lines: str) -> Result:
        """A failure with a message for the model."""
        return cls((text_block("\n".join(lines)),), failed=True)

    @classmethod
    def denied(cls, envelope: Json) -> Result:
        """A call that the caller may not make; `envelope` is the JSON text."""
        return cls((text_block(compact_json(envelope)),), failed=True, refused=True)

    @classmethod
    def crowded(cls, reason: str) -> Result:
        """A call refused for load, to be retried soon."""
        envelope = {"outcome": "denied", "code": "too_many_calls"}
        details = {"message": f"Too many calls at once: {reason}", "retryAfter": RETRY_SECONDS}
        return cls.denied({**envelope, **details})

    def wire(self) -> dict[str, Any]:
        """The result in MCP format."""
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
    """A text block; surrogates are replaced."""
    return {"type": "text", "text": replace_surrogates(text)}


def is_plain_text(block: object) -> bool:
    """True for a text block without other members; handlers may return anything."""
    return (
        isinstance(block, dict)
        and len(block) == 2
        and block.get("type") == "text"
        and isinstance(block.get("text"), str)
    )


def bullet_list(head: str, lines: Iterable[str]) -> str:
    """A headline with a bullet list."""
    return "\n".join([head, *(f"- {line}" for line in lines)])


def writable(result: object) -> Result:
    """The handler's result with surrogates replaced. Raises `TypeError` or `ValueError` for a value
    that is not a result or not JSON."""
    if not isinstance(result, Result):
        raise TypeError(f"a handler gives a `Result`, not `{type(result).__name__}`")
    if result.structured is not None and not isinstance(result.structured, dict):
        raise TypeError("the structured content of a result is an object")
    content = result.content
    if result.structured is None and isinstance(content, tuple) and all(map(_is_ascii, content)):
        return result
    text = compact_json([result.content, result.structured])
    if text == replace_surrogates(text):
        return result
    blocks, structured = loads(replace_surrogates(text))
    return replace(result, content=tuple(blocks), structured=structured)


def _is_ascii(block: Block) -> bool:
    """True for an ASCII text block, which needs no further check."""
    return is_plain_text(block) and bool(block["text"].isascii())
