"""The Tag Objects of a document; https://spec.openapis.org/oas/v3.2.0.html#tag-object."""

from __future__ import annotations

from mcpgen.ir.api import Tag
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node
from mcpgen.parse.scalars import read_text_key
from mcpgen.parse.suggestions import closest_word


def tags(scope: ParseContext, root: Node) -> tuple[Tag, ...]:
    """The tags a document declares, in its order. A parent counts if it is declared too, and if no
    tag is its own ancestor by it."""
    listed = root.child("tags")
    if listed.value is not None and not isinstance(listed.value, list):
        scope.ignored(listed, "tags", "a list")
    found: dict[str, Tag] = {}
    nodes = [each for each in listed.elements() if isinstance(each.get("name"), str)]
    declared = {str(each.get("name")): each for each in nodes}
    for name, node in declared.items():
        found[name] = Tag(
            name,
            node.at,
            summary=read_text_key(scope, node, "summary"),
            description=read_text_key(scope, node, "description"),
            kind=read_text_key(scope, node, "kind"),
            parent=_parent(scope, name, declared),
        )
    return tuple(found.values())


def _parent(scope: ParseContext, name: str, declared: dict[str, Node]) -> str:
    """The name of a tag's parent, or `""`."""
    node = declared[name]
    parent = read_text_key(scope, node, "parent")
    if parent and parent not in declared:
        hint = closest_word(parent, declared).removesuffix("?")
        expected = f"the name of a tag that is declared{f' ({hint}?)' if hint else ''}"
        scope.ignored(node.child("parent"), "parent", expected)
        return ""
    above, seen = parent, {name}
    while above:
        if above in seen:
            scope.ignored(node.child("parent"), "parent", "a tag that is not below this one")
            return ""
        seen.add(above)
        next_one = declared[above].get("parent") if above in declared else ""
        above = next_one if isinstance(next_one, str) else ""
    return parent
