"""Places that schemas name themselves: `$id`, `$anchor`, `$dynamicAnchor` and `$recursiveAnchor`;
https://json-schema.org/draft/2020-12/json-schema-core#section-8.2."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urljoin

from mcpgen.ir.source import Document, Json, Source
from mcpgen.parse.node import Node, Path
from mcpgen.parse.pointer import step

_WORDS = re.compile(r"\$(?:id|self|anchor|dynamicAnchor|recursiveAnchor)")
_IDENTIFIERS = ("$id", "$self")
_ANCHORS = ("$anchor", "$dynamicAnchor")
_LITERAL = frozenset({"example", "examples", "default", "const", "enum", "value"})
"""Keys whose values are data, in which `$id` is an ordinary key."""


class Anchors:
    """The identifiers and anchors of a source; of several with one name, the first counts."""

    def __init__(self, source: Source) -> None:
        self._documents: set[str] = set()
        self._identified: dict[str, Node] = {}
        self._named: dict[tuple[str, Path, str], Node] = {}
        for document in source.documents.values():
            if document.mentions(_WORDS):
                self._documents.add(document.key)
                self._collect(document)

    def within(self, document: Document) -> bool:
        """Whether references in a document depend on where in it they stand."""
        return document.key in self._documents

    def enclosing(self, document: Document, path: Path) -> Node:
        """The innermost schema with an identifier around a place, or the whole document."""
        around = Node(document.tree, document, ())
        if self.within(document):
            for node in _ancestry(document, path):
                if _identifier(node.value):
                    around = node
        return around

    def recursive(self, document: Document, path: Path) -> Node | None:
        """The outermost schema around a place that sets `$recursiveAnchor`, or None."""
        for node in _ancestry(document, path):
            if node.get("$recursiveAnchor") is True:
                return node
        return None

    def identified(self, uri: str, document: Document, path: Path) -> Node | None:
        """The schema whose identifier `uri` is, as written at a place, or None."""
        return self._identified.get(_joined(_base(document, path), uri)) or self._identified.get(
            uri
        )

    def named(self, anchor: str, resource: Node) -> Node | None:
        """The schema with an anchor inside a resource, or None."""
        return self._named.get((resource.document.key, resource.path, anchor))

    def _collect(self, document: Document) -> None:
        pending: list[tuple[Json, Path, Path, str]] = [(document.tree, (), (), "")]
        while pending:
            value, path, resource, base = pending.pop()
            if isinstance(value, dict):
                identifier = _identifier(value)
                if identifier:
                    resource, base = path, _joined(base, identifier)
                    node = Node(value, document, path)
                    self._identified.setdefault(base.partition("#")[0], node)
                    self._identified.setdefault(identifier.partition("#")[0], node)
                for word in _ANCHORS:
                    if isinstance(value.get(word), str):
                        self._named.setdefault(
                            (document.key, resource, value[word]), Node(value, document, path)
                        )
            pending.extend(
                (child, (*path, key), resource, base) for key, child in reversed(_children(value))
            )


def _children(value: Json) -> list[tuple[str, Json]]:
    """The values inside a value that may hold schemas."""
    if isinstance(value, dict):
        return [(key, child) for key, child in value.items() if key not in _LITERAL]
    if isinstance(value, list):
        return [(str(index), child) for index, child in enumerate(value)]
    return []


def _ancestry(document: Document, path: Path) -> Iterator[Node]:
    """The values on the way from the document's root to a place, both included."""
    value = document.tree
    yield Node(value, document, ())
    for index, key in enumerate(path):
        value = step(value, key)[1]
        yield Node(value, document, path[: index + 1])


def _identifier(value: Json) -> str:
    """The identifier a value gives itself, or `""`."""
    if isinstance(value, dict):
        for word in _IDENTIFIERS:
            if isinstance(value.get(word), str):
                return str(value[word])
    return ""


def _base(document: Document, path: Path) -> str:
    """The URI that references at a place are relative to, or `""`."""
    base = ""
    for node in _ancestry(document, path):
        base = _joined(base, _identifier(node.value))
    return base


def _joined(base: str, uri: str) -> str:
    """`uri` made absolute; as it stands where it is no URI at all."""
    try:
        return urljoin(base, uri)
    except ValueError:
        return uri
