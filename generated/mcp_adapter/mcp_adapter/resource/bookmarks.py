"""Cursors and bookmarks of changes: opaque texts that a client sends back unchanged."""

from __future__ import annotations

import base64
import json

from mcp_adapter.resource.conditions import Value
from mcp_adapter.resource.problems import invalid_argument


def encode_bookmark(kind: str, *values: Value) -> str:
    """Returns a bookmark with a kind and these values."""
    return base64.urlsafe_b64encode(json.dumps([kind, *values]).encode()).decode().rstrip("=")


def decode_bookmark(kind: str, bookmark: str, count: int) -> list[Value]:
    """Returns the `count` values of a bookmark. Raises `Problem` for another kind or another
    text."""
    try:
        values = json.loads(base64.urlsafe_b64decode(bookmark + "=" * (-len(bookmark) % 4)))
    except ValueError:
        values = None
    if not isinstance(values, list) or len(values) != count + 1 or values[0] != kind:
        raise invalid_argument(f"{bookmark!r} is no bookmark of the kind `{kind}`")
    if not all(value is None or isinstance(value, str | int | float) for value in values):
        raise invalid_argument(f"{bookmark!r} holds a value of another type than a bookmark")
    return values[1:]
