"""Sample strings of regular expressions."""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

Node = tuple[Any, Any]
"""Node of Python's regex parse tree: kind and argument."""

LETTERS = "aA0b1B2-_. c3C"
"""Preferred characters, plainest first."""

PRINTABLE = LETTERS + "".join(map(chr, range(0x21, 0x7F))) + "\n\té"

CATEGORIES: dict[str, Callable[[str], bool]] = {
    "CATEGORY_DIGIT": lambda character: character in "0123456789",
    "CATEGORY_NOT_DIGIT": lambda character: character not in "0123456789",
    "CATEGORY_WORD": lambda character: character == "_"
    or (character.isascii() and character.isalnum()),
    "CATEGORY_NOT_WORD": lambda character: not (character == "_" or character.isalnum()),
    "CATEGORY_SPACE": str.isspace,
    "CATEGORY_NOT_SPACE": lambda character: not character.isspace(),
}


@lru_cache(maxsize=1_000)
def class_members(items: tuple[Node, ...]) -> str:
    """Returns the printable characters of a class, else its first character; `""` if there is
    none."""
    negated = str(items[0][0]) == "NEGATE"
    members = "".join(
        character for character in PRINTABLE if _is_in(character, items) is not negated
    )
    return members or ("" if negated else _first(*items[0]))


def _first(kind: Any, value: Any) -> str:
    """The first character of an item of a class."""
    if str(kind) == "RANGE":
        return chr(value[0])
    return chr(value) if str(kind) == "LITERAL" else ""


def _is_in(character: str, items: Sequence[Node]) -> bool:
    return any(_covers(str(kind), value, character) for kind, value in items)


def _covers(kind: str, value: Any, character: str) -> bool:
    if kind == "LITERAL":
        return bool(ord(character) == value)
    if kind == "RANGE":
        low, high = value
        return bool(low <= ord(character) <= high)
    return kind == "CATEGORY" and CATEGORIES[str(value)](character)


PATTERN = 2_000
"""Characters of the longest sampled pattern."""

BUILT = 10_000
"""Characters of the longest sampled string."""

ATTEMPTS = ((0, 0, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (1, 1, 0), (2, 0, 1), (3, 1, 2), (0, 0, 3))
"""Attempts in turn: first character, step, branch."""

PROPERTIES = {
    "L": "A-Za-z",
    "Lu": "A-Z",
    "Ll": "a-z",
    "N": "0-9",
    "Nd": "0-9",
    "P": "._-",
    "Z": " ",
}
"""Unicode property escapes with some of their characters."""

PROPERTY = re.compile(r"\\p\{(?:\w+=)?(\w+)\}")
CLASS_PROPERTY = re.compile(r"(\[[^\]]*)\\p\{(?:\w+=)?(\w+)\}")
NAMED_GROUP = re.compile(r"\(\?<(?![=!])")

# Python keeps its expression parser private but stable; there is no public one.
_parser: Any = importlib.import_module("re._parser")


class _TooLong(Exception):
    """The string exceeds `BUILT` characters."""


@dataclass(slots=True)
class _Build:
    """One attempt: index of the first character (`shift`), step (`turn`), extra repetitions and
    branch."""

    shift: int
    extra: int
    turn: int = 0
    branch: int = 0
    chosen: int = 0
    length: int = 0
    groups: dict[int, str] = field(default_factory=dict)
    hints: list[str] = field(default_factory=list)


def matches(pattern: str, low: int, high: int) -> Iterator[str]:
    """Yields different candidate strings of `low` to `high` characters, in a fixed order."""
    nodes = _parse(pattern)
    if nodes is None:
        return
    yielded: set[str] = set()
    extras = dict.fromkeys((*range(9), *(max(1, low // part) for part in (4, 3, 2, 1))))
    for shift, turn, branch in ATTEMPTS:
        for extra in extras:
            build = _Build(shift, extra, turn, branch)
            try:
                base = _sequence(nodes, build)
            except (_TooLong, RecursionError):
                break
            hints = "".join(build.hints)
            for text in (base, hints + base, (hints + base)[: max(len(base), low)], base + hints):
                if low <= len(text) <= high and text not in yielded:
                    yielded.add(text)
                    yield text


def _parse(pattern: str) -> Sequence[Node] | None:
    """Returns the parse tree, None for a pattern that Python cannot parse."""
    if len(pattern) > PATTERN:
        return None
    text = NAMED_GROUP.sub("(?P<", pattern)
    while CLASS_PROPERTY.search(text):
        text = CLASS_PROPERTY.sub(
            lambda source: source[1] + PROPERTIES.get(source[2], "A-Za-z"), text
        )
    text = PROPERTY.sub(lambda source: f"[{PROPERTIES.get(source[1], 'A-Za-z')}]", text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return list(_parser.parse(text))
    except (re.error, RecursionError, OverflowError):
        return None


def _sequence(nodes: Sequence[Node], build: _Build) -> str:
    return "".join(_node_text(str(kind), argument, build) for kind, argument in nodes)


def _node_text(kind: str, argument: Any, build: _Build) -> str:
    """Returns the string of one node."""
    text = BUILDERS[kind](argument, build) if kind in BUILDERS else ""
    if kind in LEAVES:
        build.length += len(text)
        if build.length > BUILT:
            raise _TooLong
    return text


def _choice(fitting: Sequence[str], build: _Build) -> str:
    """Returns one of the matching characters."""
    at = build.shift + build.turn * build.chosen
    build.chosen += 1
    return fitting[at % len(fitting)] if fitting else ""


def _in(items: Sequence[Node], build: _Build) -> str:
    return _choice(class_members(tuple(items)), build)


def _repeat(argument: Any, build: _Build) -> str:
    minimum, maximum, nodes = argument
    times = min(int(maximum), int(minimum) + build.extra)
    parts = []
    for _ in range(times):
        parts.append(_sequence(nodes, build))
        if not parts[-1]:
            break
    return "".join(parts)


def _group(argument: Any, build: _Build) -> str:
    number, _, _, nodes = argument
    text = _sequence(nodes, build)
    if number is not None:
        build.groups[number] = text
    return text


def _branch(argument: Any, build: _Build) -> str:
    branches = argument[1]
    return _sequence(branches[build.branch % len(branches)], build)


def _ahead(argument: Any, build: _Build) -> str:
    """Returns `""` and records the lookahead as a candidate part."""
    aside = _Build(build.shift, 0)
    build.hints.append(_sequence(argument[1], aside))
    return ""


LEAVES = frozenset({"LITERAL", "NOT_LITERAL", "ANY", "IN", "GROUPREF"})

BUILDERS: dict[str, Callable[[Any, _Build], str]] = {
    "LITERAL": lambda code, build: chr(code),
    "NOT_LITERAL": lambda code, build: _choice(PRINTABLE.replace(chr(code), ""), build),
    "ANY": lambda _, build: _choice(PRINTABLE.replace("\n", ""), build),
    "IN": _in,
    "MAX_REPEAT": _repeat,
    "MIN_REPEAT": _repeat,
    "POSSESSIVE_REPEAT": _repeat,
    "SUBPATTERN": _group,
    "ATOMIC_GROUP": _sequence,
    "BRANCH": _branch,
    "GROUPREF": lambda number, build: build.groups.get(number, ""),
    "ASSERT": _ahead,
}
"""Builder per kind of node; anchors and negative lookarounds add nothing."""
