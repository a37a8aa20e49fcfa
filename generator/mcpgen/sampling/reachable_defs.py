"""The named schemas that one value meets on its way through a schema.

A validator of a schema compiles all schemas that it leads to, which in a large description is nearly
all of them, for every question anew. A value is small, and meets few of them; none of the others can
say anything about it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcpgen.sampling.validation_cost import MOST, effort
from mcpgen.sampling.validators import Json, definition_name, referenced_names


class ReachableDefs:
    """What finds them among definitions, which are taken not to change."""

    def __init__(self, definitions: Mapping[str, Json]) -> None:
        self._definitions = definitions
        self._named: dict[str, frozenset[str]] = {}

    def by(self, value: Json, schema: Json) -> dict[str, Json] | None:
        """The definitions that a schema needs to judge one value, in the order of their names: those
        that the value meets, as far as they ask anything of it, and in place of those that they lead
        to besides one that allows everything and is never asked. None where no validator could judge
        the value in bounded time."""
        found: set[str] = set()

        def resolved(reference: str) -> Json:
            name = definition_name(reference)
            if name not in self._definitions:
                return True
            found.add(name)
            return self._definitions[name]

        if effort(value, schema, resolved) > MOST:
            return None
        named = found.union(referenced_names(schema), *map(self._used, found))
        members = frozenset(_members(value))
        return {
            name: _asking(self._definitions[name], members) if name in found else True
            for name in sorted(named)
            if name in self._definitions
        }

    def _used(self, name: str) -> frozenset[str]:
        """The names that the references of a definition lead to."""
        if name not in self._named:
            self._named[name] = frozenset(referenced_names(self._definitions[name]))
        return self._named[name]


def _members(value: Json) -> Iterator[str]:
    """The names of all members in a value."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            yield from part
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)


def _asking(schema: Json, members: frozenset[str]) -> Json:
    """A schema without the properties of which a value with these members has none."""
    if not isinstance(schema, dict):
        return schema
    asking = dict(schema)
    if isinstance(named := schema.get("properties"), dict):
        asking["properties"] = {name: part for name, part in named.items() if name in members}
    if isinstance(parts := schema.get("allOf"), list):
        asking["allOf"] = [_asking(part, members) for part in parts]
    return asking
