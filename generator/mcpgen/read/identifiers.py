"""The names that documents and schemas give themselves, which references may use without a file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urljoin

from mcpgen.ir.source import Document, Json

_WORDS = ("$id", "$self")
_MENTIONED = re.compile(r"\$(?:id|self)")
_LITERAL = frozenset({"example", "examples", "default", "const", "enum", "value"})
"""Keys whose values are data, in which `$id` is an ordinary key."""


def identifiers(documents: Iterable[Document]) -> dict[str, str]:
    """What schemas call themselves with `$id`, and documents with `$self`: as it is written, and
    made absolute; also the key of each document, with the name it gives itself."""
    found: dict[str, str] = {}
    for document in documents:
        if document.mentions(_MENTIONED):
            own = _name(document.tree)
            if own:
                found[document.key] = own
            _collect(document.tree, found)
    return found


def resolve_uri(base: str, uri: str) -> str:
    """`uri` made absolute; as it stands where it is no URI at all."""
    try:
        return urljoin(base, uri)
    except ValueError:
        return uri


def _collect(tree: Json, found: dict[str, str]) -> None:
    pending: list[tuple[Json, str]] = [(tree, "")]
    while pending:
        value, base = pending.pop()
        if isinstance(value, dict):
            name = _name(value)
            if name:
                base = resolve_uri(base, name)
                for each in (name, base):
                    found.setdefault(each.partition("#")[0], base)
            pending.extend((child, base) for key, child in value.items() if key not in _LITERAL)
        elif isinstance(value, list):
            pending.extend((child, base) for child in value)


def _name(value: Json) -> str:
    """The name a value gives itself, or `""`."""
    if isinstance(value, dict):
        for word in _WORDS:
            if isinstance(value.get(word), str):
                return str(value[word])
    return ""
