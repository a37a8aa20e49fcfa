"""The Path Item Objects of a document; https://spec.openapis.org/oas/v3.1.1.html#path-item-object."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node, format_value
from mcpgen.parse.paths import RequestPath, parse_path_key
from mcpgen.parse.scalars import mapping

_METHOD = re.compile(r"[A-Za-z][A-Za-z0-9._-]{0,30}")


@dataclass(frozen=True, slots=True)
class PathItem:
    """One path with what it holds: the item itself and, below it, the one it refers to.

    `scope` has faults if nothing of it can be built.
    """

    node: Node
    template: RequestPath
    layers: tuple[Node, ...]
    scope: ParseContext

    def layer(self, key: str) -> Node:
        """The uppermost of the layers that has a key; the item itself if none has."""
        return next((each for each in self.layers if each.has(key)), self.node)

    def operations(self) -> Iterator[tuple[str, Node]]:
        """The methods with their operations, in document order; those that have a field of their own
        are in capitals."""
        found: dict[str, Node] = {}
        for layer in reversed(self.layers):
            found |= {
                key.upper(): each
                for key, each in layer.members()
                if key in self.scope.rules.methods
            }
            if self.scope.rules.additional_operations:
                found |= self._additional(layer)
        yield from found.items()

    def _additional(self, layer: Node) -> dict[str, Node]:
        """The operations of methods that have no field of their own."""
        listed = mapping(self.scope, layer, "additionalOperations")
        found = {}
        for method, each in listed.members() if listed is not None else ():
            if method.lower() in self.scope.rules.methods or not _METHOD.fullmatch(method):
                written = Node(method, each.document, each.path)
                expected = "a method of letters, digits and hyphens that has no field of its own"
                self.scope.ignored(written, "additionalOperations", expected)
            else:
                found[method] = each
        return found


def path_items(scope: ParseContext, paths: Node) -> Iterator[PathItem]:
    """The path items in document order, extensions aside; each with its template set right."""
    taken: dict[str, str] = {}
    shapes: dict[str, str] = {}
    for text, node in paths.members():
        if text.startswith("x-"):
            continue
        found = parse_path_key(text)
        own = scope.within(found.path)
        fault = found.fault
        identity = found.path + found.variant
        if not fault and identity in taken:
            fault = f"it is the same as `{format_value(taken[identity])}`"
        if fault:
            own.fail(codes.ILLEGAL_PATH, node, path=format_value(text, 200), reason=fault)
        elif found.mended:
            mended = format_value(found.path, 200)
            own.tell(
                codes.MENDED_PATH,
                node,
                path=format_value(text, 200),
                mended=mended,
                reason=found.mended,
            )
        taken.setdefault(identity, text)
        # A query or a fragment behind a path tells it apart; MG211 says what becomes of it.
        other = text if found.variant else shapes.setdefault(found.shape, text)
        if not fault and other != text:
            own.tell(
                codes.EQUIVALENT_PATHS,
                node,
                path=format_value(text, 200),
                other=format_value(other, 200),
            )
        yield PathItem(node, found, _layers(own, node, text), own)


def _layers(scope: ParseContext, node: Node, text: str) -> tuple[Node, ...]:
    """The path item and, below it, what it refers to."""
    if not isinstance(node.value, dict):
        if node.value is not None:
            scope.malformed(node, "the path item", "a mapping")
        return (node,)
    if not node.has("$ref"):
        return (node,)
    target = scope.follow(node)
    if target is None:
        return (node,)
    if not isinstance(target.value, dict):
        scope.malformed(target, "the path item", "a mapping")
    return (node, target)
