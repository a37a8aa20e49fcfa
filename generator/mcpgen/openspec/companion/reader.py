"""Takes the mappings of the companion key by key and says what is wrong with each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from mcpgen.diagnostics import Code, Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.source import Json
from mcpgen.openspec.companion.keys import CompanionKey, CompanionType, Keys
from mcpgen.parse.node import Node, format_value, value_kind

Rule = tuple[Callable[[Json], bool], str]
"""Whether a value is legal, and what it must be."""

TYPES: Mapping[CompanionType, tuple[type, ...]] = {
    CompanionType.TEXT: (str,),
    CompanionType.NUMBER: (int,),
    CompanionType.FLAG: (bool,),
    CompanionType.MAPPING: (dict,),
    CompanionType.LIST: (list,),
}
"""The types of Python that a kind is; the others are looked at more closely."""


@dataclass(frozen=True, slots=True)
class CompanionReader:
    """Where findings go, and how a value is taken."""

    diagnostics: Diagnostics

    def members(self, node: Node, owner: str, keys: Keys) -> Mapping[str, Node]:
        """The values of a mapping by key, without those that are wrong, which are told; `owner` is
        what messages call the mapping."""
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
        """Whether a value is what its key asks for; tells what is wrong with it."""
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
        """The members of a mapping whose keys are the author's own, in the order written, without
        those whose keys are wrong, which are told as those of `owner`."""
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
        """The texts of a mapping whose keys are the author's own, without those that are wrong."""
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
        """Whether a mapping has at most one of the keys; tells which it has besides."""
        found = [key for key in keys if node.has(key)]
        if len(found) > 1:
            spoken = _listed(found)
            self.tell(codes.RIVAL_KEYS, node.child(found[1]), owner=owner, keys=spoken)
        return len(found) <= 1

    def unknown_key(self, node: Node, owner: str, name: str, known: Iterable[str]) -> None:
        """Tells of a key that nobody reads, with the one that was probably meant."""
        hint = closest_match(name, known) or f"it has {_listed(known)}"
        self.tell(
            codes.UNKNOWN_COMPANION_KEY, node, owner=owner, key=format_value(name), nearest=hint
        )

    def wrong_type(self, node: Node, name: str, expected: str) -> None:
        """Tells of a value of another type."""
        found = value_kind(node.value)
        self.tell(codes.COMPANION_TYPE, node, key=name, expected=expected, found=found)

    def illegal(self, node: Node, name: str, must: str, value: Json = None) -> None:
        """Tells of a value that cannot be used."""
        given = format_value(node.value if value is None else value)
        self.tell(codes.COMPANION_VALUE, node, key=name, must=must, value=given)

    def tell(self, code: Code, node: Node, **facts: object) -> None:
        """Records a finding at a value."""
        self.diagnostics.add(code, node.at, severity=None, **facts)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def as_texts(node: Node | None) -> tuple[str, ...]:
    """The texts of a value that is one text or a list of them; none where there is no value."""
    if node is None:
        return ()
    return (node.value,) if type(node.value) is str else tuple(node.value)


def read_text(found: Mapping[str, Node], key: str) -> str:
    """The text of a key, `""` where there is none."""
    return str(found[key].value) if key in found else ""
