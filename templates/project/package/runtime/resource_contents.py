"""A result of a tool as the contents of a resource, and the errors of one that cannot be read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST

from .client_channel import Context
from .result import Block, Result

RESOURCE_NOT_FOUND = -32002
"""What revisions before 2026-07-28 call a resource that is not there; that one has -32602."""

_MODERN = "2026-07-28"
_BINARY = {"image": "data", "audio": "data"}


def of_file(uri: str, mime_type: str, file: Mapping[str, str]) -> list[dict[str, Any]]:
    """The contents of a file."""
    kind = {"mimeType": mime_type} if mime_type else {}
    return [{"uri": uri, **kind, **file}]


def of_result(uri: str, mime_type: str, result: Result) -> list[dict[str, Any]]:
    """The contents of what a tool gave: its files, or else its texts, of which the first is what
    was asked for and the others are notes about it."""
    files = [file for block in result.content if (file := _file(uri, block))]
    if files:
        return files
    texts = [str(block.get("text", "")) for block in result.content if block["type"] == "text"]
    if not texts:
        return [{"uri": uri, "mimeType": mime_type or "text/plain", "text": ""}]
    first = {"uri": uri, "mimeType": mime_type or _kind(texts[0]), "text": texts[0]}
    return [first, *({"uri": uri, "mimeType": "text/plain", "text": text} for text in texts[1:])]


def _file(uri: str, block: Block) -> dict[str, Any] | None:
    """The contents of a block that is a file; None of others."""
    if block["type"] in _BINARY:
        return {"uri": uri, "mimeType": block["mimeType"], "blob": block[_BINARY[block["type"]]]}
    if block["type"] == "resource":
        return {**block["resource"], "uri": uri}
    return None


def _kind(text: str) -> str:
    """The type of a text whose type nobody has told."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return "text/plain"
    return "application/json"


def no_such_resource(context: Context, uri: str) -> MCPError:
    """The error of a resource that is not there, or not for the caller."""
    code = INVALID_PARAMS if context.protocol_version >= _MODERN else RESOURCE_NOT_FOUND
    return MCPError(code, "Resource not found", {"uri": uri[:2000]})


def read_error(context: Context, uri: str, result: Result) -> MCPError:
    """The error that tells of a result which is a failure."""
    text = "\n".join(str(block["text"]) for block in result.content if block["type"] == "text")
    if result.cause == "absence":
        return no_such_resource(context, uri)
    if result.refused:
        return _denied(_envelope(text))
    code = INVALID_PARAMS if result.cause == "arguments" else INTERNAL_ERROR
    return MCPError(code, text, {"uri": uri[:2000]})


def _denied(envelope: Any) -> MCPError:
    """The error of a denial. One that speaks against any message has its own code and words, which the
    message of a call would be answered with, too."""
    told = envelope if isinstance(envelope, dict) else {}
    if type(told.get("code")) is not int:
        return MCPError(INVALID_REQUEST, "The resource may not be read", envelope)
    rest = {key: value for key, value in told.items() if key not in ("outcome", "code", "message")}
    return MCPError(told["code"], str(told.get("message", "")), rest or None)


def _envelope(text: str) -> Any:
    """What a denial says, as the object that it is."""
    try:
        return json.loads(text)
    except ValueError:
        return text
