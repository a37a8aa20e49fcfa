"""Reads the mappings of the companion key by key, with diagnostics for invalid values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mcpgen.diagnostics import Code, Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.source import Json
from mcpgen.openspec.companion.keys import CompanionKey, CompanionType, Keys, Rule
from mcpgen.parse.node import Node, format_value, value_kind

TYPES: Mapping[CompanionType, tuple[type, ...]] = {
    CompanionType.TEXT: (str,),
    CompanionType.NUMBER: (int,),
    CompanionType.FLAG: (bool,),
    CompanionType.MAPPING: (dict,),
    CompanionType.LIST: (list,),
}
"""Python types per kind; the remaining kinds have checks of their own."""


@dataclass(frozen=True, slots=True)
class CompanionReader:
    """Reads values of a companion and collects diagnostics."""

    diagnostics: Diagnostics

    def members(self, node: Node, owner: str, keys: Keys) -> Mapping[str, Node]:
        """Returns the valid values of a mapping by key, and reports the rest.

        `owner` is the name of the mapping in messages.
        """
        if type(node.value) is not dict:
            self.wrong_type(node, owner, CompanionType.MAPPING)
            return {}
        for key in keys:
            if keys[key].needed and not node.has(key):
                self.tell(codes.MISSING_COMPANION_KEY, node, owner=owner, key=key)
        found = {}
        for name, member in node.members():
            if name not in keys:
                self.unknown_key(member, owner, name, keys)
            elif self.sound(member, name, keys[name]):
                found[name] = member
        return found

    def sound(self, node: Node, name: str, key: CompanionKey) -> bool:
        """Returns whether a value satisfies its key; adds a diagnostic otherwise."""
        if key.kind is CompanionType.TEXTS:
            return self._sound_texts(node, name, key)
        if key.kind is not CompanionType.ANY and type(node.value) not in TYPES[key.kind]:
            self.wrong_type(node, name, key.kind)
            return False
        return self._fitting(node, name, key)

    def _sound_texts(self, node: Node, name: str, key: CompanionKey) -> bool:
        found = list(node.elements()) if type(node.value) is list else [node]
        if not found:
            self.illegal(node, name, "at least one text")
            return False
        for one in found:
            if type(one.value) is not str:
                self.wrong_type(one, name, key.kind)
                return False
        fitting = [self._fitting(one, name, key) for one in found]
        return all(fitting)

    def _fitting(self, node: Node, name: str, key: CompanionKey) -> bool:
        if key.fits is None or key.fits(node.value):
            return True
        self.illegal(node, name, key.must)
        return False

    def named(self, node: Node | None, owner: str, name: Rule) -> Iterator[tuple[str, Node]]:
        """Yields the members of a mapping with keys chosen by the author, in document order.

        Invalid keys are reported as keys of `owner` and left out.
        """
        for key, member in node.members() if node else ():
            if name[0](key):
                yield key, member
            else:
                self.illegal(member, owner, name[1], key)

    def pairs(
        self,
        node: Node | None,
        name: Rule,
        value: Rule,
    ) -> Mapping[str, str]:
        """Returns the valid texts of a mapping with keys chosen by the author."""
        found = {}
        for key, member in node.members() if node else ():
            spoken = format_value(key)
            if not name[0](key):
                self.illegal(member, spoken, name[1], key)
            elif type(member.value) is not str:
                self.wrong_type(member, spoken, CompanionType.TEXT)
            elif not value[0](member.value):
                self.illegal(member, spoken, value[1])
            else:
                found[key] = member.value
        return found

    def only_one(self, node: Node, owner: str, keys: Iterable[str]) -> bool:
        """Returns whether a mapping has at most one of `keys`; reports rival keys."""
        found = [key for key in keys if node.has(key)]
        if len(found) > 1:
            spoken = _join_known_keys(found)
            self.tell(codes.RIVAL_KEYS, node.child(found[1]), owner=owner, keys=spoken)
        return len(found) <= 1

    def unknown_key(self, node: Node, owner: str, name: str, known: Iterable[str]) -> None:
        """Reports an unknown key with the closest known key."""
        hint = closest_match(name, known) or f"it has {_join_known_keys(known)}"
        self.tell(
            codes.UNKNOWN_COMPANION_KEY, node, owner=owner, key=format_value(name), nearest=hint
        )

    def wrong_type(self, node: Node, name: str, expected: str) -> None:
        """Reports a value of a wrong type."""
        found = value_kind(node.value)
        self.tell(codes.COMPANION_TYPE, node, key=name, expected=expected, found=found)

    def illegal(self, node: Node, name: str, must: str, value: Json = None) -> None:
        """Reports a value outside the legal range."""
        given = format_value(node.value if value is None else value)
        self.tell(codes.COMPANION_VALUE, node, key=name, must=must, value=given)

    def tell(self, code: Code, node: Node, **facts: object) -> None:
        """Adds a diagnostic at a value."""
        self.diagnostics.add(code, node.at, severity=None, **facts)


def _join_known_keys(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def as_texts(node: Node | None) -> tuple[str, ...]:
    """Returns the texts of a text or a list of texts; empty without a value."""
    if node is None:
        return ()
    return (node.value,) if type(node.value) is str else tuple(node.value)


def read_text(found: Mapping[str, Node], key: str) -> str:
    """Returns the text of a key, `""` if missing."""
    return str(found[key].value) if key in found else ""
