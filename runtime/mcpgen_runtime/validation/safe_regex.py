"""Regular expressions in time that grows with the text alone, for the engine in pure Python.

Python's own engine may take exponential time; here all ways through a pattern are followed at once.
Its parser is used, so a pattern that Python cannot read, or that looks around or back, is not judged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from typing import Any

from .validation_cost import TooExpensive

# Imported by name, because the parser of `re` has no types.
_parser: Any = import_module("re._parser")

MOST_STEPS = 5_000_000
"""How many steps the patterns of one judgement may take: one for each character."""

_UNKNOWN = 10
"""How many more for each state that is left with it, as long as it is not known what that leads to."""

_MOST_STATES = 4_000
_MOST_KEPT = 1_000_000
_DIGITS = frozenset("0123456789")
_WORD = _DIGITS | frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_SPACE = frozenset("\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff") | frozenset(
    map(chr, range(0x2000, 0x200B))
)
_CATEGORIES = {"DIGIT": _DIGITS, "WORD": _WORD, "SPACE": _SPACE}
_LINE_ENDS = frozenset("\n\r\u2028\u2029")

Test = Callable[[str], bool]


@dataclass
class StepBudget:
    """How many steps are left."""

    left: int = MOST_STEPS

    def take(self, number: int) -> None:
        """Takes so many. Raises `TooExpensive` if they are not left."""
        self.left -= number
        if self.left < 0:
            raise TooExpensive


class _Unknown(Exception):
    """A pattern with a part that is not judged here."""


@dataclass
class SafeRegex:
    """States with what leads from each: a test of one character, or nothing."""

    tests: list[tuple[Test | None, int]] = field(default_factory=list)
    free: list[list[tuple[str, int]]] = field(default_factory=list)
    start: int = 0
    end: int = 0
    _after: dict[tuple[frozenset[int], str], frozenset[int]] = field(default_factory=dict)
    _sets: dict[frozenset[int], frozenset[int]] = field(default_factory=dict)
    _kept: int = 0

    def found(self, text: str, steps: StepBudget) -> bool:
        """Whether the pattern matches anywhere in the text. Raises `TooExpensive`."""
        steps.take(len(text))
        last = len(text)
        states = self._closed([self.start], first=True, final=not text)
        for position, character in enumerate(text):
            if self.end in states:
                return True
            key = (states, character)
            # The last character is followed by the end, which other sets are closed without.
            after = self._after.get(key) if position + 1 < last else None
            if after is None:
                steps.take(_UNKNOWN * len(states))
                moved = [to for state in states for to in self._moved(state, character)]
                after = self._closed([*moved, self.start], first=False, final=position + 1 == last)
                if position + 1 < last and self._kept < _MOST_KEPT:
                    self._kept += 1 + len(after)
                    # The same set is the same object, for which no states are compared.
                    after = self._after[key] = self._sets.setdefault(after, after)
            states = after
        return self.end in states

    def _moved(self, state: int, character: str) -> Iterator[int]:
        test, to = self.tests[state]
        if test is not None and test(character):
            yield to

    def _closed(self, states: list[int], *, first: bool, final: bool) -> frozenset[int]:
        """The states with all that are reached from them without a character."""
        known = {"": True, "first": first, "final": final}
        found: set[int] = set()
        while states:
            state = states.pop()
            if state not in found:
                found.add(state)
                states += (to for where, to in self.free[state] if known[where])
        return frozenset(found)

    def new(self) -> int:
        """The number of a new state."""
        if len(self.free) >= _MOST_STATES:
            raise _Unknown
        self.tests.append((None, 0))
        self.free.append([])
        return len(self.free) - 1


@lru_cache(maxsize=512)
def compile_regex(pattern: str) -> SafeRegex | None:
    """The pattern, None if it is not judged here."""
    try:
        tree = _parser.parse(pattern.replace("(?<", "(?P<") if _names_groups(pattern) else pattern)
        if tree.state.flags & ~re.UNICODE:
            return None
        made = SafeRegex()
        made.start = made.new()
        made.end = _sequence(made, tree, made.start)
    except (_Unknown, re.error, OverflowError, RecursionError):
        return None
    return made


def _names_groups(pattern: str) -> bool:
    return re.search(r"\(\?<[A-Za-z_]", pattern) is not None and "(?<=" not in pattern


def _sequence(made: SafeRegex, parts: Any, state: int) -> int:
    for kind, value in parts:
        build = _BUILDERS.get(str(kind))
        if build is None:
            raise _Unknown
        state = build(made, value, state)
    return state


def _step(made: SafeRegex, state: int, test: Test) -> int:
    before, after = made.new(), made.new()
    made.free[state].append(("", before))
    made.tests[before] = (test, after)
    return after


def _literal(made: SafeRegex, code: int, state: int) -> int:
    return _step(made, state, chr(code).__eq__)


def _not_literal(made: SafeRegex, code: int, state: int) -> int:
    return _step(made, state, chr(code).__ne__)


def _any(made: SafeRegex, _: None, state: int) -> int:
    return _step(made, state, lambda character: character not in _LINE_ENDS)


def _in(made: SafeRegex, parts: Any, state: int) -> int:
    negated = str(parts[0][0]) == "NEGATE"
    tests = [_member(str(kind), value) for kind, value in parts[negated:]]
    return _step(made, state, lambda c: any(test(c) for test in tests) is not negated)


def _member(kind: str, value: Any) -> Test:
    if kind == "LITERAL":
        return chr(value).__eq__
    if kind == "RANGE":
        low, high = map(chr, value)
        return lambda character: low <= character <= high
    if kind != "CATEGORY":
        raise _Unknown
    name = str(value).removeprefix("CATEGORY_")
    members = _CATEGORIES[name.removeprefix("NOT_")]
    negated = name.startswith("NOT_")
    return lambda character: (character in members) is not negated


def _branch(made: SafeRegex, value: Any, state: int) -> int:
    end = made.new()
    for option in value[1]:
        begin = made.new()
        made.free[state].append(("", begin))
        made.free[_sequence(made, option, begin)].append(("", end))
    return end


def _group(made: SafeRegex, value: Any, state: int) -> int:
    _, on, off, parts = value
    if on or off:
        raise _Unknown
    return _sequence(made, parts, state)


def _repeat(made: SafeRegex, value: Any, state: int) -> int:
    least, most, parts = value
    for _ in range(least):
        before, state = state, _sequence(made, parts, state)
        if state == before:
            return state
    end = made.new()
    if str(most) == "MAXREPEAT":
        begin = made.new()
        made.free[state].append(("", begin))
        made.free[_sequence(made, parts, begin)].append(("", begin))
        made.free[begin].append(("", end))
        return end
    for _ in range(most - least):
        made.free[state].append(("", end))
        before, state = state, _sequence(made, parts, state)
        if state == before:
            break
    made.free[state].append(("", end))
    return end


def _at(made: SafeRegex, where: Any, state: int) -> int:
    name = {"AT_BEGINNING": "first", "AT_END": "final"}.get(str(where))
    if name is None:
        raise _Unknown
    after = made.new()
    made.free[state].append((name, after))
    return after


_BUILDERS: dict[str, Callable[[SafeRegex, Any, int], int]] = {
    "LITERAL": _literal,
    "NOT_LITERAL": _not_literal,
    "ANY": _any,
    "IN": _in,
    "BRANCH": _branch,
    "SUBPATTERN": _group,
    "MAX_REPEAT": _repeat,
    "MIN_REPEAT": _repeat,
    "AT": _at,
}
