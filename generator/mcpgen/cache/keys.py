"""Digests of values and of all that they refer to."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import cache, cached_property
from json import JSONEncoder
from operator import attrgetter
from typing import Any

_NAMED = re.compile(r"#/\$defs/([A-Za-z0-9_.-]+)")
"""A definition, wherever a text names it; more are found than are meant, never fewer."""


def canonical_json(value: object) -> str:
    """A value as a text that none has which differs from it: JSON, in which the fields of a dataclass
    stand behind its name. A tuple is told as a list is."""
    return _encoded(value)


@cache
def _fields(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """Getter of a dataclass's name and field values. Raises TypeError for any other class."""
    names = [field.name for field in fields(kind)]
    # The name stands twice, since `attrgetter` gives no tuple for a single attribute.
    return attrgetter("__class__.__qualname__", "__class__.__qualname__", *names)


_encoded = JSONEncoder(
    default=lambda value: _fields(value.__class__)(value), check_circular=False
).encode


def hash_texts(*texts: str | bytes | memoryview) -> str:
    """One hash over several texts, or over their bytes."""
    hasher = hashlib.sha256()
    for text in texts:
        told = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        hasher.update(len(told).to_bytes(8, "big"))
        hasher.update(told)
    return hasher.hexdigest()


class DefinitionKeys:
    """The digests of texts that name definitions, each with what its definitions lead to.

    `definitions` are texts as well. Those that lead to each other share one digest, so that all are
    known after one walk, however they hang together.
    """

    def __init__(self, definitions: Mapping[str, str]) -> None:
        self._definitions = definitions

    def of(self, text: str) -> str:
        """The digest of a text and of everything it leads to."""
        return hash_texts(text, *(self._whole[name] for name in self._names(text)))

    def _names(self, text: str) -> list[str]:
        return sorted({name for name in _NAMED.findall(text) if name in self._definitions})

    @cached_property
    def _whole(self) -> dict[str, str]:
        """The digest of each definition with what it leads to."""
        whole: dict[str, str] = {}
        below = {name: self._names(text) for name, text in self._definitions.items()}
        for group in _groups(below):
            inside = set(group)
            beyond = {each for name in group for each in below[name]} - inside
            own = (text for name in sorted(group) for text in (name, self._definitions[name]))
            told = hash_texts(*own, *(whole[name] for name in sorted(beyond)))
            whole.update(dict.fromkeys(group, told))
        return whole


def _groups(below: Mapping[str, list[str]]) -> Iterator[list[str]]:
    """The names by groups that lead to each other, those that a group leads to before it.

    Tarjan's algorithm, with a stack of its own: descriptions nest deeper than Python calls.
    """
    index: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_: list[str] = []
    is_open: set[str] = set()
    for root in below:
        if root in index:
            continue
        calls = [(root, iter(below[root]))]
        index[root] = lowest[root] = len(index)
        open_.append(root)
        is_open.add(root)
        while calls:
            name, rest = calls[-1]
            following = next(rest, None)
            if following is None:
                calls.pop()
                if calls:
                    above = calls[-1][0]
                    lowest[above] = min(lowest[above], lowest[name])
                if lowest[name] == index[name]:
                    group = [open_.pop()]
                    while group[-1] != name:
                        group.append(open_.pop())
                    is_open.difference_update(group)
                    yield group
            elif following not in index:
                index[following] = lowest[following] = len(index)
                open_.append(following)
                is_open.add(following)
                calls.append((following, iter(below[following])))
            elif following in is_open:
                lowest[name] = min(lowest[name], index[following])
