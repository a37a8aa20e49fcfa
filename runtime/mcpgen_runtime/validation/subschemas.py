"""Direct subschemas of a schema with the values they apply to, and the cost of pattern searches."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, lru_cache
from itertools import repeat
from math import prod
from typing import NamedTuple
from urllib.parse import unquote

from ..tool import Json

MAX_QUICK_REPETITIONS = 500
"""Maximum count of bounded repetitions in a pattern that is searched in linear time."""

_AT_LEAST, _SQUARE = 500, 1_000
"""Minimum cost of a backtracking search, and the divisor of the squared length."""

_COUNTED = 100
"""Character inspections per cost unit. `_MAX_REPETITIONS` caps the count of repetitions."""

_MAX_REPETITIONS = 100_000

_LITERAL = re.compile(r"\\[pP]\{[^}]*\}|\\[^1-9kKGR]|\[(?:\\.|[^\]\\])*\]", re.DOTALL)
"""Escapes, properties and classes that match one character and contain no syntax."""

_AHEAD = re.compile(r"\^(?:\(\?[=!](?:[^()]|\((?:\?:)?(?!\?)[^()]*\))*\))+(?![*+?{])")
"""Look-aheads at the start, evaluated once each; usually a test for a non-blank text."""

_GROUP = re.compile(r"\([^()]*\)")

_BACKTRACKING = re.compile(r"\(\?(?!:|P?<[A-Za-z_]|[imsuU-]+[:)])|\\[1-9kKGR]|[*+?}]\+")
"""Syntax that needs backtracking: look-around, back references and possessive quantifiers."""

_REPEATED = re.compile(r"(\))?\{(\d{1,40})?(?:,(\d{0,40}))?\}")


def is_quick(pattern: str) -> bool:
    """True if a search takes little time per character, for any text."""
    return search_cost(pattern, 0) == 0


@lru_cache(maxsize=512)
def search_cost(pattern: str, length: int) -> int:
    """The extra cost of a search in a text of `length` characters, in schema evaluations."""
    backtracks, repeats = _analyze_pattern(pattern)
    if backtracks:
        return _AT_LEAST + length**2 // _SQUARE
    return 0 if repeats <= MAX_QUICK_REPETITIONS else 1 + length * repeats // _COUNTED


@lru_cache(maxsize=512)
def _analyze_pattern(pattern: str) -> tuple[bool, int]:
    """True if a pattern needs backtracking, and the count of bounded repetitions."""
    bare = _LITERAL.sub("x", pattern)
    ahead = _AHEAD.match(bare)
    # With alternatives, the part after the look-ahead is searched at every position where the
    # first alternative fails.
    searched = bare[ahead.end() :] if ahead else bare
    if ahead and "|" in _GROUP.sub("x", searched):
        searched = bare
    return _BACKTRACKING.search(searched) is not None, _count_repetitions(bare)


def _count_repetitions(bare: str) -> int:
    """An upper bound for the product of bounded repetitions, assuming that groups are nested."""
    counts = [
        (int(maximum or minimum or 1) or 1, group)
        for group, minimum, maximum in _REPEATED.findall(bare)
    ]
    alone = sum(count for count, group in counts if not group)
    return min(max(alone, 1) * prod(count for count, group in counts if group), _MAX_REPETITIONS)


_IN_PLACE = frozenset(("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$ref"))
_OF_MEMBERS = frozenset(("additionalProperties", "unevaluatedProperties"))
_OF_ITEMS = frozenset(("items", "unevaluatedItems", "contains"))
_OF_SOME = frozenset(("properties", "patternProperties", "propertyNames", "prefixItems"))
_CHILD_KEYWORDS = _OF_MEMBERS | _OF_ITEMS | _OF_SOME | {"dependentSchemas"}
UNEVALUATED = frozenset(("unevaluatedProperties", "unevaluatedItems"))
"""Keywords that depend on the members or items evaluated by adjacent schemas."""

_MAX_UNIFORM_COST = 1_000
"""Maximum uniform cost of a schema; more expensive schemas are counted individually."""

Inside = tuple[Json, Iterable[str], Collection[Json]]
"""A schema with the names and values of the members or items it applies to; items have no names."""


class CountedSchema(NamedTuple):
    """A schema applied to a value. `times` counts the evaluations, `adjacent` further evaluations
    for an adjacent `unevaluated…` keyword. `path_length` is the length of the names on the path."""

    schema: Json
    value: Json
    times: int
    adjacent: int
    path_length: int


def combine(first: CountedSchema, second: CountedSchema) -> CountedSchema:
    """The same schema and value with multiplicities added."""
    times, adjacent = first.times + second.times, first.adjacent + second.adjacent
    return first._replace(
        times=times, adjacent=adjacent, path_length=max(first.path_length, second.path_length)
    )


Alike = Callable[[Json, type], int | None]
"""The evaluations that a schema needs for any value of a type, including the schema itself; None if
the number depends on the value."""


class UniformCosts:
    """Cached uniform costs of the schemas of a document."""

    def __init__(self, document: Json) -> None:
        self._document = document
        self._costs: dict[tuple[int, type], int | None] = {}

    def __call__(self, schema: Json, kind: type) -> int | None:
        """The uniform cost of a schema for a type, or None."""
        key = (id(schema), kind)
        if key not in self._costs:
            # A recursive schema has no uniform cost and is counted level by level.
            self._costs[key] = None
            self._costs[key] = self._uniform_cost(schema, kind)
        return self._costs[key]

    def _uniform_cost(self, schema: Json, kind: type) -> int | None:
        if not isinstance(schema, dict):
            return 1
        if kind in (dict, list) and not _CHILD_KEYWORDS.isdisjoint(schema):
            return None
        if kind is str and not is_quick(str(schema.get("pattern", ""))):
            return None
        count = 1
        for subschema in in_place_subschemas(schema, self._document):
            cost = self(subschema, kind)
            if cost is None or count + cost > _MAX_UNIFORM_COST:
                return None
            count += cost
        return count


def no_uniform_cost(_schema: Json, _kind: type) -> None:
    """Returns None: every schema is counted individually."""


def expand_schema(counted: CountedSchema, document: Json, alike: Alike) -> Iterator[CountedSchema]:
    """The direct subschemas and references with the values they apply to. Schemas with
    value-independent cost are folded into one `true` with a weight."""
    schema, value, times, adjacent, path_length = counted
    if not isinstance(schema, dict):
        return
    if isinstance(value, dict | list) and not UNEVALUATED.isdisjoint(schema):
        adjacent += times
    evaluations = times + adjacent
    for subschema in in_place_subschemas(schema, document):
        yield CountedSchema(subschema, value, evaluations, adjacent, path_length)
    if isinstance(value, dict):
        for subschema in schema.get("dependentSchemas", {}).values():
            yield CountedSchema(subschema, value, evaluations, adjacent, path_length)
    if not isinstance(value, dict | list) or _CHILD_KEYWORDS.isdisjoint(schema):
        return
    uniform = 0
    for part, names, values in _child_subschemas(schema, value):
        numbers = [alike(part, kind) for kind in set(map(type, values))]
        if None not in numbers:
            uniform += len(values) * max(filter(None, numbers), default=0)
            continue
        for name, inner in zip(names, values, strict=False):
            number = alike(part, type(inner))
            uniform += number or 0
            if number is None:
                yield CountedSchema(part, inner, evaluations, 0, path_length + len(name))
    if uniform:
        yield CountedSchema(True, None, evaluations * uniform, 0, 0)


def in_place_subschemas(schema: Json, document: Json) -> Iterator[Json]:
    """The subschemas that apply to the same value."""
    for keyword in _IN_PLACE & schema.keys():
        part = schema[keyword]
        if keyword == "$ref":
            yield resolve_reference(document, part)
        elif isinstance(part, list):
            yield from part
        else:
            yield part


def _child_subschemas(schema: dict[str, Json], value: Json) -> Iterator[Inside]:
    """The subschemas for items of a list or members of an object. Every `patternProperties` schema
    counts, whether the pattern matches or not."""
    if isinstance(value, list):
        for keyword in _OF_ITEMS & schema.keys():
            yield schema[keyword], repeat(""), value
        for part, inner in zip(schema.get("prefixItems", ()), value, strict=False):
            yield part, repeat(""), (inner,)
        return
    properties = schema.get("properties", {})
    for name in properties.keys() & value.keys():
        yield properties[name], (name,), (value[name],)
    for pattern, part in schema.get("patternProperties", {}).items():
        yield names_like(pattern), value, value.keys()
        yield part, value, value.values()
    for keyword in _OF_MEMBERS & schema.keys():
        yield schema[keyword], value, value.values()
    if "propertyNames" in schema:
        yield schema["propertyNames"], value, value.keys()


@cache
def names_like(pattern: str) -> Json:
    """The schema of names that match a pattern; cached, so that equal patterns give the same
    object."""
    return {"pattern": pattern}


def resolve_reference(document: Json, reference: Json) -> Json:
    """The target of a reference; `True` for a broken reference, which no validator accepts
    anyway."""
    target = document
    for step in unquote(str(reference)).split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(target, list) and key.isdecimal() and int(key) < len(target):
            target = target[int(key)]
        elif isinstance(target, dict) and key in target:
            target = target[key]
        else:
            return True
    return target
