"""JSON Pointers in URI fragments; https://www.rfc-editor.org/rfc/rfc6901#section-6."""

from __future__ import annotations

import re
from urllib.parse import unquote

from mcpgen.ir.source import Json
from mcpgen.parse.node import Path

_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")


def pointer_tokens(fragment: str) -> Path:
    """The keys a fragment leads through; `fragment` is empty or begins with a slash."""
    if not fragment:
        return ()
    return tuple(
        key.replace("~1", "/").replace("~0", "~") for key in unquote(fragment)[1:].split("/")
    )


def step(value: Json, key: str) -> tuple[bool, Json]:
    """Whether a value has the child `key`, and that child."""
    if isinstance(value, dict):
        return key in value, value.get(key)
    if isinstance(value, list) and _INDEX.fullmatch(key) and int(key) < len(value):
        return True, value[int(key)]
    return False, None
