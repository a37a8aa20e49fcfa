"""Locations of members that a schema has through a `$ref`, a part of an `allOf` or a branch of a union.

`lower` joins such schemas and calls a property by its path in the joined schema, such as
`/components/schemas/Pet/properties/owner/properties/name`, where `owner` may be a mere `$ref`.
"""

from __future__ import annotations

from mcpgen.diagnostics import Location
from mcpgen.ir.source import Json
from mcpgen.parse.node import Node, Path, step
from mcpgen.parse.references import References

_JOINED = ("allOf", "anyOf", "oneOf")
_MOST = 400
"""Values that the search for one location may look at. The search is recursive, and Python allows 1,000
frames."""


class MemberLocations:
    """Finds where the documents of one source write the members of joined schemas."""

    def __init__(self, references: References) -> None:
        documents = references.source.documents.values()
        self._references = references
        self._roots = {document.name: Node(document.tree, document, ()) for document in documents}

    def find(self, at: Location) -> Location:
        """The location that a path leads to once references and joined schemas are followed; of a path
        that leads nowhere, the last location that exists on the way.

        For example `/a/properties/b` is `/c/properties/b` where `/a` holds `{"$ref": "#/c"}`.
        """
        root = self._roots.get(at.file)
        if root is None:
            return at
        search = _Search(self._references)
        node = search.member(root, at.path)
        return (node or search.last or root).at


class _Search:
    """The search for one location; `last` is where the longest part of the path led."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._seen: set[tuple[str, Path, int]] = set()
        self._left = 0
        self.last: Node | None = None

    def member(self, node: Node, keys: Path) -> Node | None:
        """The value that `keys` lead to from a node, or None."""
        if not keys:
            return node
        place = (node.document.key, node.path, len(keys))
        if place in self._seen or len(self._seen) >= _MOST:
            return None
        self._seen.add(place)
        if self.last is None or len(keys) < self._left:
            self.last, self._left = node, len(keys)
        exists, value = step(node.value, keys[0])
        if exists:
            child = Node(value, node.document, (*node.path, keys[0]))
            if target := self.member(child, keys[1:]):
                return target
        for part in self._parts(node):
            if target := self.member(part, keys):
                return target
        return None

    def _parts(self, node: Node) -> list[Node]:
        """The schemas that speak of the same value: the target of a reference, parts and branches."""
        parts = []
        reference: Json = node.get("$ref")
        if isinstance(reference, str):
            target = self._references.find(reference, node.document, node.path)
            parts += [target] if isinstance(target, Node) else []
        for keyword in _JOINED:
            parts += node.child(keyword).elements()
        return parts
