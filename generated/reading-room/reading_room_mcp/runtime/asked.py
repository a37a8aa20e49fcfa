"""What a schema asks: the schemas directly inside it, each with the values that it is held against."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from .tool import Json

_OF_THE_VALUE = frozenset(("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$ref"))
_OF_MEMBERS = frozenset(("additionalProperties", "unevaluatedProperties"))
_OF_ITEMS = frozenset(("items", "unevaluatedItems", "contains"))


class Asked(NamedTuple):
    """A schema that is asked about a value in so many ways. `way` is how long the names are that lead
    there. `watch` is how often all is asked once more, for a schema above that wants to know which
    members or items of the same value were looked at.
    """

    schema: Json
    value: Json
    ways: int
    watch: int
    way: int


def following(asked: Asked, whole: Json) -> Iterator[Asked]:
    """The schemas directly inside one, and what it refers to, each with what it is asked about."""
    schema, value, ways, watch, way = asked
    if not isinstance(schema, dict):
        return
    often = ways * (1 + watch)
    if "unevaluatedProperties" in schema or "unevaluatedItems" in schema:
        ways, watch = often, 1
    elif watch:
        watch += 1
    for keyword, part in schema.items():
        if keyword == "$ref":
            yield Asked(resolved(whole, part), value, ways, watch, way)
        elif keyword in _OF_THE_VALUE:
            for each in part if isinstance(part, list) else [part]:
                yield Asked(each, value, ways, watch, way)
        elif keyword == "dependentSchemas" and isinstance(value, dict):
            for each in part.values():
                yield Asked(each, value, ways, watch, way)
        elif isinstance(value, dict):
            for each, name, member in _asked_of_members(keyword, part, value):
                yield Asked(each, member, often, 0, way + len(name))
        elif isinstance(value, list) and keyword in _OF_ITEMS:
            for item in value:
                yield Asked(part, item, often, 0, way)
        elif isinstance(value, list) and keyword == "prefixItems":
            for each, item in zip(part, value, strict=False):
                yield Asked(each, item, often, 0, way)


def _asked_of_members(keyword: str, part: Json, value: Json) -> Iterator[tuple[Json, str, Json]]:
    """What a keyword asks of an object: schemas, with the names and values of the members that each is
    asked about. Whichever pattern a name meets, all are looked at."""
    if keyword == "properties":
        for name in part.keys() & value.keys():
            yield part[name], name, value[name]
    elif keyword == "patternProperties":
        for pattern, each in part.items():
            for name, member in value.items():
                yield {"pattern": pattern}, name, name
                yield each, name, member
    elif keyword in _OF_MEMBERS:
        for name, member in value.items():
            yield part, name, member
    elif keyword == "propertyNames":
        for name in value:
            yield part, name, name


def resolved(whole: Json, reference: Json) -> Json:
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
