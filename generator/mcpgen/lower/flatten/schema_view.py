"""Enumerated values: their types, and which of them the rest of a schema allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

import jsonschema_rs

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Schema
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.merge import MergedKeywords, merge_schemas

BOUNDS = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
)


def possible(keywords: Mapping[str, Json]) -> dict[str, Json] | None:
    """The keywords with only those enumerated values that type and bounds allow, None if they
    allow none of them."""
    kept = dict(keywords)
    for keyword in ("enum", "const"):
        if keyword not in keywords or keywords[keyword] is None:
            continue
        values = keywords["enum"] if keyword == "enum" else [keywords["const"]]
        valid = [value for value in values if _allows(keywords, value)]
        if not valid:
            return None
        if keyword == "enum" and len(valid) < len(values):
            kept["enum"] = valid
    return kept


def _allows(keywords: Mapping[str, Json], value: Json) -> bool:
    kinds = keywords.get("type")
    if kinds is not None:
        kind = json_type(value)
        known = [kinds] if isinstance(kinds, str) else kinds
        if kind not in known and not (kind == "integer" and "number" in known):
            return False
    bounds = {keyword: keywords[keyword] for keyword in BOUNDS if keyword in keywords}
    if not bounds or not isinstance(value, str | int | float):
        return True
    try:
        return jsonschema_rs.is_valid(bounds, value)
    except jsonschema_rs.ValidationError:
        # A pattern that does not compile is told where the schema is used, and excludes nothing.
        return True


def json_type(value: Json) -> str:
    """The JSON Schema type of a value; whole numbers are integers."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return "integer"
    if isinstance(value, float):
        return "number"
    if value is None:
        return "null"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


MANY = 100
"""Parts of one schema from which on it is looked whether any stands twice."""


def allof_parts(parts: list[Json]) -> list[Json]:
    """The parts to join; where there are very many, those inside them instead, each once: schemas
    that are merged at every level hold the same ones again and again."""
    return parts if len(list(islice(_inside(parts), MANY))) < MANY else _distinct(parts)


def _inside(parts: list[Json]) -> Iterator[Json]:
    """The parts, those that are mere `allOf`s replaced by their own, at any depth."""
    waiting = list(reversed(parts))
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict) and part.keys() == {"allOf"}:
            waiting += reversed(part["allOf"])
        else:
            yield part


def _distinct(parts: list[Json]) -> list[Json]:
    """What `_inside` finds, each reference and each schema once."""
    found: dict[str | int, Json] = {}
    seen: set[int] = set()
    waiting = list(reversed(parts))
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict) and part.keys() == {"allOf"}:
            waiting += () if id(part) in seen else reversed(part["allOf"])
            seen.add(id(part))
        else:
            found.setdefault(_name(part) or id(part), part)
    return list(found.values())


def _name(part: Json) -> str:
    """What a mere reference leads to, `""` for anything else."""
    return str(part["$ref"]) if isinstance(part, dict) and part.keys() == {"$ref"} else ""


PREFIX = "#/$defs/"
_UNIONS = ("oneOf", "anyOf")
_SHOWN = 4
"""Values that a message shows."""
_JOINED = frozenset({"$ref", "allOf", *_UNIONS})


@dataclass(frozen=True, slots=True)
class SchemaView:
    """One schema as its keywords say when taken together.

    `keywords` has no `$ref`; `allOf` holds only what could not be merged; null is no longer among
    the types, values and branches but told by `nullable`. `names` are the definitions passed
    through. `contradiction` says why no value is valid, or is `""`.
    """

    keywords: Mapping[str, Json]
    names: frozenset[str] = frozenset()
    nullable: bool = False
    contradiction: str = ""

    def get(self, keyword: str, default: Json = None) -> Json:
        """The value of a keyword."""
        return self.keywords.get(keyword, default)

    @property
    def branches(self) -> list[Json]:
        """The alternatives of `oneOf` and `anyOf`."""
        return [*self.get("oneOf", ()), *self.get("anyOf", ())]


@dataclass
class SchemaViews:
    """The document's definitions, with what was found out about them kept.

    `kinds` are the types of each view by its identity and the depth it was met at, with the view
    itself, so that no other gets its identity. `signatures` are the types written for a schema, by its
    reference or its identity and by the two limits of `signature`, with the schema itself.
    """

    definitions: Mapping[str, Schema]
    kinds: dict[tuple[int, int], tuple[SchemaView, frozenset[str]]] = field(default_factory=dict)
    signatures: dict[tuple[str | int, int, int], tuple[Json, str]] = field(default_factory=dict)
    _views: dict[int, tuple[Json, SchemaView]] = field(default_factory=dict)
    _raw: dict[str, tuple[MergedKeywords, frozenset[str]]] = field(default_factory=dict)
    _circles: set[str] = field(default_factory=set)

    @cached_property
    def has_discriminators(self) -> bool:
        """Whether a definition tells its subtypes apart; where none does, no use has to be looked at."""
        schemas = (one.json for one in self.definitions.values())
        return any(isinstance(json, dict) and "discriminator" in json for json in schemas)

    def view(self, json: Json) -> SchemaView:
        """How a schema looks; the same schema is looked at once."""
        known = self._views.get(id(json))
        # The schema is kept beside its view, so its id cannot be given to another one.
        if known is None or known[0] is not json:
            # A union that has itself as a branch meets this view of anything while it is looked at.
            self._views[id(json)] = (json, SchemaView({}))
            known = (json, self._look(json))
            self._views[id(json)] = known
        return known[1]

    def said(self, json: Json, keyword: str) -> Json:
        """The value of a keyword that looking at a schema leaves as it is; one that is not joined
        from others need not be looked at."""
        if isinstance(json, dict) and _JOINED.isdisjoint(json):
            return json.get(keyword)
        return self.view(json).get(keyword)

    def at(self, json: Json, otherwise: Location) -> Location:
        """Where a schema is written: its definition's place if it is a mere reference."""
        name = reference_name(json)
        return self.definitions[name].at if name in self.definitions else otherwise

    def _look(self, json: Json) -> SchemaView:
        found, names = self._resolve(json, ())
        keywords = dict(found.keywords)
        fixed = False if keywords.get("const") is not None else None
        allows_null = [fixed, _take_null_type(keywords), _take_null_value(keywords)]
        for union in _UNIONS:
            if union in keywords:
                found_null, found, names = self._take_null_branch(union, keywords, found, names)
                keywords = dict(found.keywords)
                allows_null.append(found_null)
        told = [answer for answer in allows_null if answer is not None]
        nullable = bool(told) and all(told)
        kept = possible(keywords)
        if kept is None:
            reason = found.contradiction or _unmet(keywords)
            return SchemaView(keywords, names, nullable, reason)
        return SchemaView(kept, names, nullable, found.contradiction)

    def _take_null_branch(
        self, union: str, keywords: dict[str, Json], found: MergedKeywords, names: frozenset[str]
    ) -> tuple[bool, MergedKeywords, frozenset[str]]:
        """Sets aside the branches that are null; a single branch left becomes part of the whole.

        The first value tells whether any of the branches allows null.
        """
        kept = [b for b in keywords[union] if not self._null(b)]
        nullable = len(kept) < len(keywords[union]) or any(self.view(b).nullable for b in kept)
        rest = {key: value for key, value in keywords.items() if key != union}
        if len(kept) != 1:
            if not kept:
                rest["const"] = None
                return nullable, MergedKeywords(rest, found.contradiction), names
            return nullable, MergedKeywords(rest | {union: kept}, found.contradiction), names
        only = self.view(kept[0])
        joined = merge_schemas(rest, only.keywords)
        reason = found.contradiction or only.contradiction or joined.contradiction
        return nullable, MergedKeywords(joined.keywords, reason), names | only.names

    def _null(self, json: Json) -> bool:
        if not isinstance(json, dict):
            return False
        if "$ref" not in json and "type" not in json and "const" not in json and "enum" not in json:
            return False
        view = self.view(json)
        return "const" in view.keywords and view.keywords["const"] is None

    def _resolve(self, json: Json, stack: tuple[str, ...]) -> tuple[MergedKeywords, frozenset[str]]:
        """A schema's keywords with those of its reference and of its `allOf`, and the names passed."""
        if not isinstance(json, dict):
            return MergedKeywords({}, "" if json is not False else "it allows nothing"), frozenset()
        if "$ref" not in json and "allOf" not in json:
            return MergedKeywords(json), frozenset()
        own = {key: value for key, value in json.items() if key not in ("$ref", "allOf")}
        reason = ""
        names: frozenset[str] = frozenset()
        parts = [{"$ref": json["$ref"]}] if "$ref" in json else []
        for part in allof_parts([*parts, *json.get("allOf", ())]):
            found, passed = self._part(part, stack)
            joined = merge_schemas(own, found.keywords)
            reason = reason or found.contradiction or joined.contradiction
            own, names = joined.keywords, names | passed
        return MergedKeywords(own, reason), names

    def _part(self, json: Json, stack: tuple[str, ...]) -> tuple[MergedKeywords, frozenset[str]]:
        """One part of an `allOf`, or the target of a reference; a circle of them ends silently:
        requiring a schema of itself adds no condition."""
        name = reference_name(json)
        if not name:
            return self._resolve(json, stack)
        if name in self._raw:
            return self._raw[name]
        if name in stack:
            self._circles.add(name)
            return MergedKeywords({}), frozenset({name})
        if name not in self.definitions:
            return MergedKeywords({}), frozenset({name})
        found, passed = self._resolve(self.definitions[name].json, (*stack, name))
        result = (found, passed | {name})
        self._circles.discard(name)
        # What was left out because of a schema further up holds only below that schema.
        if self._circles.isdisjoint(stack):
            self._raw[name] = result
        return result


def reference_name(json: Json) -> str:
    """The name a schema refers to if it is a reference and nothing else, or `""`."""
    if isinstance(json, dict) and len(json) == 1 and "$ref" in json:
        return str(json["$ref"]).removeprefix(PREFIX)
    return ""


def _unmet(keywords: Mapping[str, Json]) -> str:
    """Why no value is possible, with the values and the keywords that exclude them."""
    values = keywords.get("enum", [keywords.get("const")])
    shown = ", ".join(str(value) for value in values[:_SHOWN])
    others = [f"`{name}` {keywords[name]}" for name in ("type", *BOUNDS) if name in keywords]
    return f"no value of `enum` ({shown}) meets {' and '.join(others)}"


def _take_null_type(keywords: dict[str, Json]) -> bool | None:
    """Takes null out of the types; whether they allowed it, None if there are none."""
    kinds = keywords.get("type")
    if kinds is None:
        return None
    if kinds == "null":
        keywords.pop("type")
        keywords.setdefault("const", None)
        return True
    if isinstance(kinds, str) or "null" not in kinds:
        return False
    kept = [kind for kind in kinds if kind != "null"]
    if not kept:
        keywords.pop("type")
        keywords.setdefault("const", None)
    else:
        keywords["type"] = kept[0] if len(kept) == 1 else kept
    return True


def _take_null_value(keywords: dict[str, Json]) -> bool | None:
    """Takes null out of the values; whether they allowed it, None if there are none."""
    values = keywords.get("enum")
    if values is None:
        return None
    if None not in values:
        return False
    kept = [value for value in values if value is not None]
    if kept:
        keywords["enum"] = kept
    else:
        keywords.pop("enum")
        keywords["const"] = None
    return True
