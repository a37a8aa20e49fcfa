"""Resolves `$ref`, `$id` and `$anchor` to nodes of the documents that were read, and locates members.

https://json-schema.org/draft/2020-12/json-schema-core#section-8.2

`lower` merges schemas joined by `$ref` and `allOf`, and names a property by its path in the merged schema, such as
`/components/schemas/Pet/properties/owner/properties/name`, where `owner` may be a `$ref`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote

from mcpgen.diagnostics import Code, Location
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.document_urls import DATA_KEYS, own_identifier, remote_key, resolve_uri
from mcpgen.ir.source import Document, Json, Source
from mcpgen.parse.node import Node, Path, format_value, get_member, pointer_tokens

_MAX_HOPS = 32
"""References that one pointer may pass; real documents have one or two."""


@dataclass(frozen=True, slots=True)
class BrokenReference:
    """A reference without target: code and reason. `is_reported`: an earlier stage has added the
    finding."""

    code: Code
    reason: str = ""
    is_reported: bool = False


@dataclass
class References:
    """Resolves the references of one source, each once.

    `refused`: names of documents with references that `read` refused and reported.
    """

    source: Source
    refused: frozenset[str] = frozenset()
    _targets: dict[tuple[str, str], Node | BrokenReference] = field(default_factory=dict)
    _anchors: IdentifierIndex | None = None

    @property
    def anchors(self) -> IdentifierIndex:
        """Identifiers and anchors of the source, collected on first use."""
        if self._anchors is None:
            self._anchors = IdentifierIndex(self.source)
        return self._anchors

    def find(self, reference: str, document: Document, path: Path) -> Node | BrokenReference:
        """Resolves `reference`, which is written in `document` at `path`.

        Example: `b.yaml#/components/schemas/Pet` gives the node at `/components/schemas/Pet` of
        `b.yaml`.
        """
        if self.anchors.depends_on_position(document):
            return self._find(reference, document, path, 0)
        key = (document.key, reference)
        if key not in self._targets:
            self._targets[key] = self._find(reference, document, path, 0)
        return self._targets[key]

    def _find(
        self, reference: str, document: Document, path: Path, hops: int
    ) -> Node | BrokenReference:
        uri, _, fragment = reference.partition("#")
        resource = self._resource(uri, document, path)
        if isinstance(resource, BrokenReference):
            return resource
        if fragment and not fragment.startswith("/"):
            return self.anchors.find_by_anchor(unquote(fragment), resource) or BrokenReference(
                codes.DANGLING_REFERENCE, f"there is no anchor `{format_value(fragment)}`"
            )
        target = self._walk(resource, pointer_tokens(fragment), hops)
        if isinstance(target, BrokenReference) and resource.path and not uri:
            # By the standard a pointer starts at the nearest `$id`; most authors mean the document,
            # so that is tried second.
            document_root = Node(document.tree, document, ())
            again = self._walk(document_root, pointer_tokens(fragment), hops)
            return again if isinstance(again, Node) else target
        return target

    def _resource(self, uri: str, document: Document, path: Path) -> Node | BrokenReference:
        """The schema resource (core §4.3.5): document or schema with an `$id`, for the part of a
        reference before `#`."""
        if not uri:
            return self.anchors.enclosing_resource(document, path)
        remote = remote_key(uri, document.key)
        path_key = posixpath.normpath(posixpath.join(posixpath.dirname(document.key), unquote(uri)))
        key = remote if remote and remote in self.source.documents else path_key
        root = self.source.root
        if key in self.source.documents:
            document_found = self.source.documents[key]
            return Node(document_found.tree, document_found, ())
        if key == posixpath.basename(root.name):
            return Node(root.tree, root, ())
        schema = self.anchors.find_by_identifier(uri, document, path)
        if schema is not None:
            return schema
        return BrokenReference(codes.UNREAD_DOCUMENT, is_reported=self._is_reported(document))

    def _is_reported(self, document: Document) -> bool:
        """True if an earlier stage reported the references of a document or its overlays."""
        names = [document.name]
        if not document.key:
            names += [overlay.name for overlay in self.source.overlays]
        return not self.refused.isdisjoint(names)

    def _walk(self, start: Node, keys: Path, hops: int) -> Node | BrokenReference:
        """Follows a pointer, and continues behind a `$ref` if the value itself lacks the key."""
        value, path = start.value, start.path
        for index, key in enumerate(keys):
            exists, child = get_member(value, key)
            if not exists:
                through = value.get("$ref") if isinstance(value, dict) else None
                if isinstance(through, str) and hops < _MAX_HOPS:
                    target = self._find(through, start.document, path, hops + 1)
                    return (
                        target
                        if isinstance(target, BrokenReference)
                        else self._walk(target, keys[index:], hops + 1)
                    )
                pointer = "".join(f"/{step}" for step in path)
                place = f"`{format_value(pointer)}`" if pointer else "the document"
                reason = f"{place} has no `{format_value(key)}`"
                return BrokenReference(codes.DANGLING_REFERENCE, reason)
            value, path = child, (*path, key)
        return Node(value, start.document, path)


_IDENTIFYING_KEYWORDS = re.compile(r"\$(?:id|self|anchor|dynamicAnchor|recursiveAnchor)")
_ANCHORS = ("$anchor", "$dynamicAnchor")


class IdentifierIndex:
    """Identifiers and anchors of a source; the first of several with one name wins."""

    def __init__(self, source: Source) -> None:
        self._documents: set[str] = set()
        self._by_identifier: dict[str, Node] = {}
        self._by_anchor: dict[tuple[str, Path, str], Node] = {}
        for document in source.documents.values():
            if document.mentions(_IDENTIFYING_KEYWORDS):
                self._documents.add(document.key)
                self._collect(document)

    def depends_on_position(self, document: Document) -> bool:
        """True if the target of a reference in `document` depends on the position of the reference."""
        return document.key in self._documents

    def enclosing_resource(self, document: Document, path: Path) -> Node:
        """Innermost schema with an identifier around a path, or the whole document (JSON Schema
        core §8.2)."""
        resource = Node(document.tree, document, ())
        if self.depends_on_position(document):
            for node in _ancestry(document, path):
                if own_identifier(node.value):
                    resource = node
        return resource

    def find_recursive_anchor(self, document: Document, path: Path) -> Node | None:
        """Outermost schema around a path with `$recursiveAnchor: true`, or None."""
        for node in _ancestry(document, path):
            if node.get("$recursiveAnchor") is True:
                return node
        return None

    def find_by_identifier(self, uri: str, document: Document, path: Path) -> Node | None:
        """Schema with the identifier `uri`, resolved at a path, or None."""
        return self._by_identifier.get(
            resolve_uri(_base_uri(document, path), uri)
        ) or self._by_identifier.get(uri)

    def find_by_anchor(self, anchor: str, resource: Node) -> Node | None:
        """Schema with an anchor inside a resource, or None."""
        return self._by_anchor.get((resource.document.key, resource.path, anchor))

    def _collect(self, document: Document) -> None:
        pending: list[tuple[Json, Path, Path, str]] = [(document.tree, (), (), "")]
        while pending:
            value, path, resource, base = pending.pop()
            if isinstance(value, dict):
                identifier = own_identifier(value)
                if identifier:
                    resource, base = path, resolve_uri(base, identifier)
                    node = Node(value, document, path)
                    self._by_identifier.setdefault(base.partition("#")[0], node)
                    self._by_identifier.setdefault(identifier.partition("#")[0], node)
                for word in _ANCHORS:
                    if isinstance(value.get(word), str):
                        self._by_anchor.setdefault(
                            (document.key, resource, value[word]), Node(value, document, path)
                        )
            pending.extend(
                (child, (*path, key), resource, base)
                for key, child in reversed(_schema_members(value))
            )


def _schema_members(value: Json) -> list[tuple[str, Json]]:
    """Members that may hold schemas."""
    if isinstance(value, dict):
        return [(key, child) for key, child in value.items() if key not in DATA_KEYS]
    if isinstance(value, list):
        return [(str(index), child) for index, child in enumerate(value)]
    return []


def _ancestry(document: Document, path: Path) -> Iterator[Node]:
    """Yields the values from the root to a path, both included."""
    value = document.tree
    yield Node(value, document, ())
    for index, key in enumerate(path):
        value = get_member(value, key)[1]
        yield Node(value, document, path[: index + 1])


def _base_uri(document: Document, path: Path) -> str:
    """Base URI for references at a path, or `""`."""
    base = ""
    for node in _ancestry(document, path):
        base = resolve_uri(base, own_identifier(node.value))
    return base


_APPLICATORS = ("allOf", "anyOf", "oneOf")
_MAX_VISITED = 400
"""Values visited per search. The search is recursive, and Python allows 1,000 frames."""


class MemberLocations:
    """Finds the location of members of merged schemas in the documents of one source."""

    def __init__(self, references: References) -> None:
        documents = references.source.documents.values()
        self._references = references
        self._roots = {document.name: Node(document.tree, document, ()) for document in documents}

    def find(self, at: Location) -> Location:
        """Location at the end of a path through references and merged schemas; for a path without
        end, the last existing location.

        Example: `/a/properties/b` is `/c/properties/b` if `/a` holds `{"$ref": "#/c"}`.
        """
        root = self._roots.get(at.file)
        if root is None:
            return at
        search = _Search(self._references)
        node = search.member(root, at.path)
        return (node or search.last or root).at


class _Search:
    """Search for one location; `last` is the location after the longest part of the path."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._seen: set[tuple[str, Path, int]] = set()
        self._unmatched_count = 0
        self.last: Node | None = None

    def member(self, node: Node, keys: Path) -> Node | None:
        """Node at the end of `keys` below a node, or None."""
        if not keys:
            return node
        place = (node.document.key, node.path, len(keys))
        if place in self._seen or len(self._seen) >= _MAX_VISITED:
            return None
        self._seen.add(place)
        if self.last is None or len(keys) < self._unmatched_count:
            self.last, self._unmatched_count = node, len(keys)
        exists, value = get_member(node.value, keys[0])
        if exists:
            child = Node(value, node.document, (*node.path, keys[0]))
            if target := self.member(child, keys[1:]):
                return target
        for part in self._parts(node):
            if target := self.member(part, keys):
                return target
        return None

    def _parts(self, node: Node) -> list[Node]:
        """Schemas of the same value: target of the reference, parts of `allOf`, branches of unions."""
        parts = []
        reference: Json = node.get("$ref")
        if isinstance(reference, str):
            target = self._references.find(reference, node.document, node.path)
            parts += [target] if isinstance(target, Node) else []
        for keyword in _APPLICATORS:
            parts += node.child(keyword).elements()
        return parts
