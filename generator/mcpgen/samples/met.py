"""The named schemas that one value meets on its way through a schema.

A validator of a schema compiles all schemas that it leads to, which in a large description is nearly
all of them, for every question anew. A value is small, and meets few of them; none of the others can
say anything about it.
"""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.samples.asked import Pair, asked_by
from mcpgen.samples.effort import MOST, effort
from mcpgen.samples.library import Json, name_of, references


class Met:
    """What finds them among definitions, which are taken not to change."""

    def __init__(self, definitions: Mapping[str, Json]) -> None:
        self._definitions = definitions
        self._named: dict[str, frozenset[str]] = {}

    def by(self, value: Json, schema: Json) -> dict[str, Json]:
        """The definitions that a schema needs to judge one value, in the order of their names: those
        that the value meets as they are, and in place of those that they lead to besides one that
        allows everything and is never asked."""
        found = self._found(value, schema)
        named = set(references(schema)).union(*map(self._used, found))
        named.intersection_update(self._definitions.keys())
        return {
            name: self._definitions[name] if name in found else True
            for name in sorted(found | named)
        }

    def is_bearable(self, value: Json, schema: Json) -> bool:
        """Whether a validator can judge the value in bounded time."""
        definitions = self._definitions
        asked = effort(value, schema, lambda name: definitions.get(name_of(name), True))
        return asked <= MOST

    def _found(self, value: Json, schema: Json) -> set[str]:
        """The names of the definitions that a value meets."""
        found: set[str] = set()
        seen: set[tuple[int, int]] = set()
        waiting: list[Pair] = [(schema, value)]
        while waiting:
            part, asked = waiting.pop()
            key = (id(part), id(asked))
            if key in seen or not isinstance(part, dict):
                continue
            seen.add(key)
            reference = part.get("$ref")
            if isinstance(reference, str) and (name := name_of(reference)) in self._definitions:
                found.add(name)
                waiting.append((self._definitions[name], asked))
            waiting += asked_by(part, asked)
        return found

    def _used(self, name: str) -> frozenset[str]:
        """The names that the references of a definition lead to."""
        if name not in self._named:
            self._named[name] = frozenset(references(self._definitions[name]))
        return self._named[name]
