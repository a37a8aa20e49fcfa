"""Schemas that inherit from others: those whose `allOf` leads to them.

https://swagger.io/specification/v2/#models-with-polymorphism-support
"""

from __future__ import annotations

from mcpgen.ir.source import Source
from mcpgen.parse.dialect_rules import DialectRules
from mcpgen.parse.node import Node, Path
from mcpgen.parse.references import References

_ALTERNATIVES = ("oneOf", "anyOf")

Place = tuple[str, Path]
"""A document's key and a path in it."""


class Subtypes:
    """The named schemas of the first document that inherit from a schema, found when first asked
    for."""

    def __init__(self, source: Source, rules: DialectRules, references: References) -> None:
        self._source = source
        self._rules = rules
        self._references = references
        self._direct: dict[Place, list[tuple[str, Place]]] | None = None

    def of(self, node: Node) -> list[str]:
        """The names of all heirs of a schema, in document order by generation; none for a schema
        that lists its alternatives itself."""
        if any(node.has(keyword) for keyword in _ALTERNATIVES):
            return []
        direct = self._known()
        found: dict[str, None] = {}
        pending = list(direct.get((node.document.key, node.path), ()))
        while pending:
            name, place = pending.pop(0)
            if name not in found:
                found[name] = None
                pending.extend(direct.get(place, ()))
        return list(found)

    def _known(self) -> dict[Place, list[tuple[str, Place]]]:
        """The heirs of each schema in the first generation."""
        if self._direct is None:
            self._direct = {}
            container = Node(self._source.root.tree, self._source.root, ())
            for key in self._rules.definitions:
                container = container.child(key)
            for name, schema in container.members():
                self._note(name, schema, self._direct)
        return self._direct

    def _note(self, name: str, schema: Node, direct: dict[Place, list[tuple[str, Place]]]) -> None:
        for element in schema.child("allOf").elements():
            reference = element.get("$ref")
            if not isinstance(reference, str):
                continue
            parent = self._references.find(reference, element.document, element.path)
            if isinstance(parent, Node):
                heir = (name, (schema.document.key, schema.path))
                direct.setdefault((parent.document.key, parent.path), []).append(heir)
