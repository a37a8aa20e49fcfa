"""JSON text as tokens with their places: slow, exact, and used only when something is to be found."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\],:]|[^\s"{}\[\],:]++')


class Token(NamedTuple):
    """A key or a scalar: its text as written, where it starts, and the path of what it belongs to.

    `path` is one list that changes with every token; who keeps it copies it. `mapping` counts the
    mappings in order of opening, so that keys of one can be told from another's.
    """

    text: str
    offset: int
    path: list[str]
    is_key: bool
    mapping: int


def scan_tokens(text: str) -> Iterator[Token]:
    """Every key and scalar of a well-formed JSON text, in order."""
    path: list[str] = []
    opened: list[int | None] = []
    count = 0
    expects_key = False
    for match in TOKEN.finditer(text):
        token = match[0]
        if token == "{" or token == "[":
            is_mapping = token == "{"
            count += is_mapping
            opened.append(count if is_mapping else None)
            path.append("" if is_mapping else "0")
            expects_key = is_mapping
        elif token == "}" or token == "]":
            opened.pop()
            path.pop()
            expects_key = False
        elif token == ",":
            expects_key = opened[-1] is not None
            if not expects_key:
                path[-1] = str(int(path[-1]) + 1)
        elif token != ":":
            mapping = opened[-1] if opened else None
            if expects_key:
                path[-1] = unquote(token)
            yield Token(token, match.start(), path, expects_key, mapping or 0)
            expects_key = False


def unquote(token: str) -> str:
    """The text that a JSON string token writes."""
    return json.loads(token) if "\\" in token else token[1:-1]
