"""Shapes that several checks share."""

from __future__ import annotations

from mcpgen.conformance.exchange import Exchange, printable
from mcpgen.conformance.strict_json import Json

OPTIONAL_TEXTS = ("title", "description", "websiteUrl")
BLOCKS = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource_link": ("uri", "name"),
    "resource": (),
}
"""The string members each kind of content block must have."""


def implementation_problem(value: Json) -> str:
    """What keeps `value` from being an Implementation (`name` and `version`), or `""`."""
    if not isinstance(value, dict):
        return printable(value)
    for key in ("name", "version"):
        if not isinstance(value.get(key), str):
            return f"`{key}` is {printable(value.get(key))!r}"
    for key in OPTIONAL_TEXTS:
        if not isinstance(value.get(key, ""), str):
            return f"`{key}` is {printable(value[key])!r}"
    return ""


def block_problem(block: Json) -> str:
    """What keeps `block` from being a content block, or `""`."""
    if not isinstance(block, dict):
        return f"a block is {printable(block)!r}"
    kind = block.get("type")
    if not isinstance(kind, str) or kind not in BLOCKS:
        return f"a block has the type {printable(kind)!r}"
    for key in BLOCKS[kind]:
        if not isinstance(block.get(key), str):
            return f"a {kind} block has no string `{key}`"
    if kind == "resource" and not isinstance(block.get("resource"), dict):
        return "a resource block has no `resource`"
    return ""


def blocks(result: Json) -> list[Json]:
    """The content blocks of a result, or none where `content` is not a list."""
    content = result.get("content") if isinstance(result, dict) else None
    return content if isinstance(content, list) else []


def is_text(block: Json) -> bool:
    """Whether `block` is a text block."""
    return (
        isinstance(block, dict)
        and block.get("type") == "text"
        and isinstance(block.get("text"), str)
    )


def refused(exchange: Exchange) -> bool:
    """Whether the server said no: a 4xx status or a JSON-RPC error."""
    return 400 <= exchange.status < 500 or exchange.error is not None


def crashed(exchange: Exchange) -> bool:
    """Whether the server broke: a 5xx status, an internal error, or no answer at all."""
    return exchange.status >= 500 or exchange.status == 0 or exchange.code == -32603
