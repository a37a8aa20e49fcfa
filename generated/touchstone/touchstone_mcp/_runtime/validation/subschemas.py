"""Direct subschemas of a schema with the values they apply to, and the cost of searching for a pattern."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, lru_cache
from itertools import repeat
from math import prod
from typing import NamedTuple
from urllib.parse import unquote

from ..tool import Json

QUICK = 500
"""How often what a pattern repeats may be counted, so that it is searched for character by character."""

_AT_LEAST, _SQUARE = 500, 1_000
"""What a search that goes back counts for at least, and how many characters count for one when each is
looked at for each."""

_COUNTED = 100
"""How many times a character is looked at for one count; beyond the largest, no pattern is taken."""

_LARGEST = 100_000

_LITERAL = re.compile(r"\\[pP]\{[^}]*\}|\\[^1-9kKGR]|\[(?:\\.|[^\]\\])*\]", re.DOTALL)
"""What matches one character, and holds no syntax: escaped ones, properties and classes."""

_AHEAD = re.compile(r"\^(?:\(\?[=!](?:[^()]|\((?:\?:)?(?!\?)[^()]*\))*\))+(?![*+?{])")
"""Looks ahead from the start, which are taken once each: most often for a text that is not blank."""

_GROUP = re.compile(r"\([^()]*\)")

_GOES_BACK = re.compile(r"\(\?(?!:|P?<[A-Za-z_]|[imsuU-]+[:)])|\\[1-9kKGR]|[*+?}]\+")
"""What only patterns have that are not searched for in one go: they look around, or repeat a group."""

_REPEATED = re.compile(r"(\))?\{(\d{1,40})?(?:,(\d{0,40}))?\}")


def is_quick(pattern: str) -> bool:
    """Whether a search takes next to nothing for each character, whatever the text is."""
    return search(pattern, 0) == 0


@lru_cache(maxsize=512)
def search(pattern: str, length: int) -> int:
    """What the search in a text of some length takes, beside looking at it once: how many schemas could
    be asked meanwhile."""
    goes_back, repeats = _looks(pattern)
    if goes_back:
        return _AT_LEAST + length**2 // _SQUARE
    return 0 if repeats <= QUICK else 1 + length * repeats // _COUNTED


@lru_cache(maxsize=512)
def _looks(pattern: str) -> tuple[bool, int]:
    """Whether a pattern goes back, and how often it repeats what it counts."""
    bare = _LITERAL.sub("x", pattern)
    ahead = _AHEAD.match(bare)
    # With alternatives the rest is searched for wherever the first one is not found.
    rest = bare[ahead.end() :] if ahead else bare
    if ahead and "|" in _GROUP.sub("x", rest):
        rest = bare
    return _GOES_BACK.search(rest) is not None, _repeats(bare)


def _repeats(bare: str) -> int:
    """How often what is counted in a pattern is repeated at most, if each group holds all the rest."""
    counts = [
        (int(most or least or 1) or 1, group) for group, least, most in _REPEATED.findall(bare)
    ]
    alone = sum(count for count, group in counts if not group)
    return min(max(alone, 1) * prod(count for count, group in counts if group), _LARGEST)


_OF_THE_VALUE = frozenset(("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$ref"))
_OF_MEMBERS = frozenset(("additionalProperties", "unevaluatedProperties"))
_OF_ITEMS = frozenset(("items", "unevaluatedItems", "contains"))
_OF_SOME = frozenset(("properties", "patternProperties", "propertyNames", "prefixItems"))
_HOLDING = _OF_MEMBERS | _OF_ITEMS | _OF_SOME | {"dependentSchemas"}
RULING = frozenset(("unevaluatedProperties", "unevaluatedItems"))
"""What wants to know which members or items the other schemas of the same value look at."""

_MOST_ALIKE = 1_000
"""How many schemas may be asked alike; beyond, they are counted one by one."""

Inside = tuple[Json, Iterable[str], Collection[Json]]
"""A schema, and the names and values of what it is asked about; items have no names."""


class CountedSchema(NamedTuple):
    """A schema that is asked about a value in so many ways. `watched` is how often it is asked as well
    which members or items of the value it looks at, for a schema that rules the others. `way` is how
    long the names are that lead there.
    """

    schema: Json
    value: Json
    ways: int
    watched: int
    way: int


def combine(one: CountedSchema, other: CountedSchema) -> CountedSchema:
    """The same schema asked about the same value, on the ways of both."""
    ways, watched = one.ways + other.ways, one.watched + other.watched
    return one._replace(ways=ways, watched=watched, way=max(one.way, other.way))


Alike = Callable[[Json, type], int | None]
"""How many schemas one asks of each value of a type, itself included; None if that depends on the value."""


class UniformCosts:
    """What the schemas of a whole ask of values alike, each found out once."""

    def __init__(self, whole: Json) -> None:
        self._whole = whole
        self._known: dict[tuple[int, type], int | None] = {}

    def __call__(self, schema: Json, kind: type) -> int | None:
        """As `Alike` says."""
        key = (id(schema), kind)
        if key not in self._known:
            # Whoever leads back to itself never ends, and is counted level by level.
            self._known[key] = None
            self._known[key] = self._found(schema, kind)
        return self._known[key]

    def _found(self, schema: Json, kind: type) -> int | None:
        if not isinstance(schema, dict):
            return 1
        if kind in (dict, list) and not _HOLDING.isdisjoint(schema):
            return None
        if kind is str and not is_quick(str(schema.get("pattern", ""))):
            return None
        count = 1
        for each in of_the_value(schema, self._whole):
            asked = self(each, kind)
            if asked is None or count + asked > _MOST_ALIKE:
                return None
            count += asked
        return count


def depends(_schema: Json, _kind: type) -> None:
    """No number, for a count of which nothing is known before the value is."""


def following(asked: CountedSchema, whole: Json, alike: Alike) -> Iterator[CountedSchema]:
    """The schemas directly inside one, and what it refers to, each with what it is asked about. Those
    that ask the same of whatever they are asked about stand as one that is always met."""
    schema, value, ways, watched, way = asked
    if not isinstance(schema, dict):
        return
    if isinstance(value, dict | list) and not RULING.isdisjoint(schema):
        watched += ways
    often = ways + watched
    for each in of_the_value(schema, whole):
        yield CountedSchema(each, value, often, watched, way)
    if isinstance(value, dict):
        for each in schema.get("dependentSchemas", {}).values():
            yield CountedSchema(each, value, often, watched, way)
    if not isinstance(value, dict | list) or _HOLDING.isdisjoint(schema):
        return
    known = 0
    for part, names, values in _asked_inside(schema, value):
        numbers = [alike(part, kind) for kind in set(map(type, values))]
        if None not in numbers:
            known += len(values) * max(filter(None, numbers), default=0)
            continue
        for name, inner in zip(names, values, strict=False):
            number = alike(part, type(inner))
            known += number or 0
            if number is None:
                yield CountedSchema(part, inner, often, 0, way + len(name))
    if known:
        yield CountedSchema(True, None, often * known, 0, 0)


def of_the_value(schema: Json, whole: Json) -> Iterator[Json]:
    """The schemas that one asks about the same value."""
    for keyword in _OF_THE_VALUE & schema.keys():
        part = schema[keyword]
        if keyword == "$ref":
            yield resolve_reference(whole, part)
        elif isinstance(part, list):
            yield from part
        else:
            yield part


def _asked_inside(schema: dict[str, Json], value: Json) -> Iterator[Inside]:
    """What a schema asks of the items of a list or the members of an object. Whichever pattern a name
    meets, all are looked at."""
    if isinstance(value, list):
        for keyword in _OF_ITEMS & schema.keys():
            yield schema[keyword], repeat(""), value
        for part, inner in zip(schema.get("prefixItems", ()), value, strict=False):
            yield part, repeat(""), (inner,)
        return
    named = schema.get("properties", {})
    for name in named.keys() & value.keys():
        yield named[name], (name,), (value[name],)
    for pattern, part in schema.get("patternProperties", {}).items():
        yield names_like(pattern), value, value.keys()
        yield part, value, value.values()
    for keyword in _OF_MEMBERS & schema.keys():
        yield schema[keyword], value, value.values()
    if "propertyNames" in schema:
        yield schema["propertyNames"], value, value.keys()


@cache
def names_like(pattern: str) -> Json:
    """The schema of names that a pattern matches, always the same one."""
    return {"pattern": pattern}


def resolve_reference(whole: Json, reference: Json) -> Json:
    """What a reference leads to; nothing is asked by one that leads nowhere, which is no schema
    that a validator takes."""
    found = whole
    for step in unquote(str(reference)).split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(found, list) and key.isdecimal() and int(key) < len(found):
            found = found[int(key)]
        elif isinstance(found, dict) and key in found:
            found = found[key]
        else:
            return True
    return found
