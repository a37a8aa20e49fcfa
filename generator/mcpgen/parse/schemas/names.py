"""Names of definitions: the component's own, else made of the place where the schema stands."""

from __future__ import annotations

import posixpath
import re

from mcpgen.ir.source import Json, Source
from mcpgen.parse.node import Node, Path

_LONGEST = 80
_CONTAINERS = frozenset({"schemas", "definitions", "$defs"})
_NOISE = frozenset(
    {"paths", "components", "schemas", "definitions", "$defs", "properties", "items"}
    | {"content", "schema", "application/json", "allOf", "anyOf", "oneOf"}
)
"""Keys that say nothing about what a schema describes."""
_ILLEGAL = re.compile(r"[^A-Za-z0-9_.-]+")


class SchemaNames:
    """Unique names for schemas. Those of the first document's components are never given away."""

    def __init__(self, source: Source) -> None:
        self._taken: set[str] = set()
        self._own: dict[Path, str] = {}
        for container, key in _components(source.root.tree):
            name = _legal(key)
            if name and name not in self._taken:
                self._taken.add(name)
                self._own[(*container, key)] = name

    def name(self, node: Node) -> tuple[str, str]:
        """The name for the schema at a place and the one it would have had, the same as a rule."""
        if not node.document.key and node.path in self._own:
            own = self._own[node.path]
            return own, own
        stem = _legal(posixpath.basename(node.document.key).partition(".")[0])
        wanted = _wanted(node.path) or stem or "schema"
        name = wanted
        if name in self._taken and stem and stem != wanted:
            name = f"{stem}_{wanted}"[:_LONGEST]
        number = 2
        base = name
        while name in self._taken:
            name = f"{base[: _LONGEST - 8]}_{number}"
            number += 1
        self._taken.add(name)
        return name, wanted


def _components(tree: Json) -> list[tuple[Path, str]]:
    """The places of the named schemas of a document, in document order."""
    found: list[tuple[Path, str]] = []
    for container in (("components", "schemas"), ("definitions",)):
        value = tree
        for key in container:
            value = value.get(key) if isinstance(value, dict) else None
        if isinstance(value, dict):
            found.extend((container, key) for key in value)
    return found


def _wanted(path: Path) -> str:
    """What a schema at a place is best called; `""` for a whole document."""
    if len(path) > 1 and path[-2] in _CONTAINERS:
        return _legal(path[-1])
    parts = [key for key in path if key not in _NOISE]
    return _legal("_".join(parts or path[-1:]))


def _legal(text: str) -> str:
    """A text with only the characters that names may have."""
    return _ILLEGAL.sub("_", text).strip("_.-")[:_LONGEST]
