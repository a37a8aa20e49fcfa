"""Locates members that a schema has through a `$ref`, a part of an `allOf` or a branch of a union.

`lower` merges such schemas and names a property by its path in the merged schema, such as
`/components/schemas/Pet/properties/owner/properties/name`, where `owner` may be a `$ref`.
"""

from __future__ import annotations

from mcpgen.diagnostics import Location
from mcpgen.ir.source import Json
from mcpgen.parse.node import Node, Path, get_member
from mcpgen.parse.references import References

_JOINED = ("allOf", "anyOf", "oneOf")
_MOST = 400
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
        self._left = 0
        self.last: Node | None = None

    def member(self, node: Node, keys: Path) -> Node | None:
        """Node at the end of `keys` below a node, or None."""
        if not keys:
            return node
        place = (node.document.key, node.path, len(keys))
        if place in self._seen or len(self._seen) >= _MOST:
            return None
        self._seen.add(place)
        if self.last is None or len(keys) < self._left:
            self.last, self._left = node, len(keys)
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
        for keyword in _JOINED:
            parts += node.child(keyword).elements()
        return parts
