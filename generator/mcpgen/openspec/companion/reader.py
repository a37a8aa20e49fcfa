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
            self._report_type(node, owner, CompanionType.MAPPING)
            return {}
        for key in keys:
            if keys[key].needed and not node.has(key):
                self.tell(codes.MISSING_COMPANION_KEY, node, owner=owner, key=key)
        members = {}
        for name, member in node.members():
            if name not in keys:
                self.unknown_key(member, owner, name, keys)
            elif self.sound(member, name, keys[name]):
                members[name] = member
        return members

    def sound(self, node: Node, name: str, key: CompanionKey) -> bool:
        """Returns whether a value satisfies its key; adds a diagnostic otherwise."""
        if key.kind is CompanionType.TEXTS:
            return self._sound_texts(node, name, key)
        if key.kind is not CompanionType.ANY and type(node.value) not in TYPES[key.kind]:
            self.wrong_type(node, name, key.kind)
            return False
        return self._fitting(node, name, key)

    def _sound_texts(self, node: Node, name: str, key: CompanionKey) -> bool:
        texts = list(node.elements()) if type(node.value) is list else [node]
        if not texts:
            self.illegal(node, name, "at least one text")
            return False
        for text in texts:
            if type(text.value) is not str:
                self.wrong_type(text, name, key.kind)
                return False
        fitting = [self._fitting(text, name, key) for text in texts]
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
        pairs = {}
        for key, member in node.members() if node else ():
            label = format_value(key)
            if not name[0](key):
                self.illegal(member, label, name[1], key)
            elif type(member.value) is not str:
                self.wrong_type(member, label, CompanionType.TEXT)
            elif not value[0](member.value):
                self.illegal(member, label, value[1])
            else:
                pairs[key] = member.value
        return pairs

    def only_one(self, node: Node, owner: str, keys: Iterable[str]) -> bool:
        """Returns whether a mapping has at most one of `keys`; reports rival keys."""
        present = [key for key in keys if node.has(key)]
        if len(present) > 1:
            listing = _join_known_keys(present)
            self.tell(codes.RIVAL_KEYS, node.child(present[1]), owner=owner, keys=listing)
        return len(present) <= 1

    def unknown_key(self, node: Node, owner: str, name: str, keys: Iterable[str]) -> None:
        """Reports an unknown key with the closest known key."""
        hint = closest_match(name, keys) or f"it has {_join_known_keys(keys)}"
        self.tell(
            codes.UNKNOWN_COMPANION_KEY, node, owner=owner, key=format_value(name), nearest=hint
        )

    def wrong_type(self, node: Node, name: str, expected: str) -> None:
        """Reports a value of a wrong type at a key."""
        self._report_type(node, f"`{name}`", expected)

    def _report_type(self, node: Node, what: str, expected: str) -> None:
        """Adds COMPANION_TYPE; `what` names the value in words, with back-ticks around names."""
        kind = value_kind(node.value)
        self.tell(codes.COMPANION_TYPE, node, what=what, expected=expected, found=kind)

    def illegal(self, node: Node, name: str, must: str, value: Json = None) -> None:
        """Reports a value outside the legal range."""
        text = format_value(node.value if value is None else value)
        self.tell(codes.COMPANION_VALUE, node, key=name, must=must, value=text)

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


def read_text(members: Mapping[str, Node], key: str) -> str:
    """Returns the text of a key, `""` if missing."""
    return str(members[key].value) if key in members else ""
