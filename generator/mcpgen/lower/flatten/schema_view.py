"""Views of schemas: `$ref` and `allOf` resolved at the top level, null set aside; and the walk of subschemas."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

import jsonschema_rs

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Schema
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.merge import MergedKeywords, merge_schemas

MAPS = frozenset({"properties", "patternProperties", "dependentSchemas"})
LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
SCHEMAS = frozenset(
    {
        "items",
        "additionalProperties",
        "unevaluatedProperties",
        "unevaluatedItems",
        "propertyNames",
        "contains",
        "not",
        "if",
        "then",
        "else",
    }
)
SAME_VALUE = frozenset({"allOf", "anyOf", "oneOf", "then", "else"})
"""Keywords whose schemas apply to the value itself."""
CONDITIONS = frozenset({"if", "not", "dependentSchemas"})
"""Keywords whose schemas look at the value itself without having to match."""


def subschemas(schema: Json) -> Iterator[Json]:
    """Yields the direct subschemas of a schema, in order of its keywords."""
    if not isinstance(schema, dict):
        return
    for keyword, value in schema.items():
        if keyword in MAPS and isinstance(value, dict):
            yield from value.values()
        elif keyword in LISTS and isinstance(value, list):
            yield from value
        elif keyword in SCHEMAS:
            yield value


def map_subschemas(schema: dict[str, Json], change: Callable[[Json, str], Json]) -> dict[str, Json]:
    """Returns the schema with `change(subschema, keyword)` in place of each direct subschema."""
    changed: dict[str, Json] = {}
    for keyword, value in schema.items():
        if keyword in MAPS and isinstance(value, dict):
            changed[keyword] = {key: change(part, keyword) for key, part in value.items()}
        elif keyword in LISTS and isinstance(value, list):
            changed[keyword] = [change(part, keyword) for part in value]
        else:
            changed[keyword] = change(value, keyword) if keyword in SCHEMAS else value
    return changed


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


def drop_impossible_values(keywords: Mapping[str, Json]) -> dict[str, Json] | None:
    """Returns the keywords with the enumerated values that match type and bounds, None if no
    value does."""
    reduced = dict(keywords)
    for keyword in ("enum", "const"):
        if keyword not in keywords or keywords[keyword] is None:
            continue
        values = keywords["enum"] if keyword == "enum" else [keywords["const"]]
        valid = [value for value in values if _allows(keywords, value)]
        if not valid:
            return None
        if keyword == "enum" and len(valid) < len(values):
            reduced["enum"] = valid
    return reduced


def _allows(keywords: Mapping[str, Json], value: Json) -> bool:
    kinds = keywords.get("type")
    if kinds is not None:
        kind = json_type(value)
        allowed = [kinds] if isinstance(kinds, str) else kinds
        if kind not in allowed and not (kind == "integer" and "number" in allowed):
            return False
    bounds = {keyword: keywords[keyword] for keyword in BOUNDS if keyword in keywords}
    if not bounds or not isinstance(value, str | int | float):
        return True
    try:
        return jsonschema_rs.is_valid(bounds, value)
    except jsonschema_rs.ValidationError:
        # A pattern that does not compile excludes nothing; `compilable_pattern` reports the
        # pattern.
        return True


def json_type(value: Json) -> str:
    """The JSON Schema type of a value; whole numbers are integers.

    Example: `json_type(2.0)` gives `'integer'`.
    """
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
"""Number of `allOf` parts from which duplicates are removed."""


def allof_parts(parts: list[Json]) -> list[Json]:
    """Returns the parts to merge.

    From `MANY` parts on, nested `allOf`s are replaced by their distinct parts: generated documents
    repeat the same parts at every level.
    """
    return parts if len(list(islice(_inside_allof(parts), MANY))) < MANY else _distinct(parts)


def _inside_allof(parts: list[Json]) -> Iterator[Json]:
    """Yields the parts, with nested plain `allOf`s replaced by their parts."""
    waiting = list(reversed(parts))
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict) and part.keys() == {"allOf"}:
            waiting += reversed(part["allOf"])
        else:
            yield part


def _distinct(parts: list[Json]) -> list[Json]:
    """Returns the parts of `_inside_allof` without repeated references and schemas."""
    distinct: dict[str | int, Json] = {}
    seen: set[int] = set()
    waiting = list(reversed(parts))
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict) and part.keys() == {"allOf"}:
            waiting += () if id(part) in seen else reversed(part["allOf"])
            seen.add(id(part))
        else:
            distinct.setdefault(_plain_target(part) or id(part), part)
    return list(distinct.values())


def _plain_target(part: Json) -> str:
    """Returns the target of a plain reference, else `""`."""
    return str(part["$ref"]) if isinstance(part, dict) and part.keys() == {"$ref"} else ""


PREFIX = "#/$defs/"
_UNIONS = ("oneOf", "anyOf")
_SHOWN = 4
"""Number of values shown in a message."""
_JOINED = frozenset({"$ref", "allOf", *_UNIONS})


@dataclass(frozen=True, slots=True)
class SchemaView:
    """The merged keywords of one schema.

    `keywords` has no `$ref`; `allOf` holds only unmergeable rests; null is removed from types,
    values and branches and shown by `nullable`. `names`: definitions passed through.
    `contradiction`: why no value is valid, or `""`.
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
    """The document's definitions with cached views.

    `types_by_view` caches `schema_types()` by the id of a view and depth; `signatures` caches
    `type_notation()` by reference or id and its two limits. Both keep the keyed object alive, so that
    no other object gets its id.
    """

    definitions: Mapping[str, Schema]
    types_by_view: dict[tuple[int, int], tuple[SchemaView, frozenset[str]]] = field(
        default_factory=dict
    )
    signatures: dict[tuple[str | int, int, int], tuple[Json, str]] = field(default_factory=dict)
    _views: dict[int, tuple[Json, SchemaView]] = field(default_factory=dict)
    _raw: dict[str, tuple[MergedKeywords, frozenset[str]]] = field(default_factory=dict)
    _circles: set[str] = field(default_factory=set)

    @cached_property
    def has_discriminators(self) -> bool:
        """True if any definition has a discriminator; without one, uses need no inspection."""
        schemas = (schema.json for schema in self.definitions.values())
        return any(isinstance(json, dict) and "discriminator" in json for json in schemas)

    def view(self, json: Json) -> SchemaView:
        """Returns the view of a schema, built once."""
        cached = self._views.get(id(json))
        # The schema is kept beside its view, so its id cannot be given to another one.
        if cached is None or cached[0] is not json:
            # A union with itself as a branch sees this unconstrained view during construction.
            self._views[id(json)] = (json, SchemaView({}))
            cached = (json, self._look(json))
            self._views[id(json)] = cached
        return cached[1]

    def keyword_of(self, json: Json, keyword: str) -> Json:
        """Returns a keyword unchanged by merging, without building a view for a schema without
        `$ref` and `allOf`."""
        if isinstance(json, dict) and _JOINED.isdisjoint(json):
            return json.get(keyword)
        return self.view(json).get(keyword)

    def at(self, json: Json, otherwise: Location) -> Location:
        """Returns the place of a schema: of the definition for a plain reference, else
        `otherwise`."""
        name = reference_name(json)
        return self.definitions[name].at if name in self.definitions else otherwise

    def _look(self, json: Json) -> SchemaView:
        merged, names = self._resolve(json, ())
        keywords = dict(merged.keywords)
        fixed = False if keywords.get("const") is not None else None
        allows_null = [fixed, _take_null_type(keywords), _take_null_value(keywords)]
        for union in _UNIONS:
            if union in keywords:
                found_null, merged, names = self._take_null_branch(union, keywords, merged, names)
                keywords = dict(merged.keywords)
                allows_null.append(found_null)
        answers = [answer for answer in allows_null if answer is not None]
        nullable = bool(answers) and all(answers)
        reduced = drop_impossible_values(keywords)
        if reduced is None:
            reason = merged.contradiction or _excluding_keywords(keywords)
            return SchemaView(keywords, names, nullable, reason)
        return SchemaView(reduced, names, nullable, merged.contradiction)

    def _take_null_branch(
        self, union: str, keywords: dict[str, Json], merged: MergedKeywords, names: frozenset[str]
    ) -> tuple[bool, MergedKeywords, frozenset[str]]:
        """Removes null branches of a union; a single remaining branch is merged into the schema.

        The first value says whether any branch allows null.
        """
        branches = [b for b in keywords[union] if not self._null(b)]
        nullable = len(branches) < len(keywords[union]) or any(
            self.view(b).nullable for b in branches
        )
        rest = {key: value for key, value in keywords.items() if key != union}
        if len(branches) != 1:
            if not branches:
                rest["const"] = None
                return nullable, MergedKeywords(rest, merged.contradiction), names
            return nullable, MergedKeywords(rest | {union: branches}, merged.contradiction), names
        only = self.view(branches[0])
        joined = merge_schemas(rest, only.keywords)
        reason = merged.contradiction or only.contradiction or joined.contradiction
        return nullable, MergedKeywords(joined.keywords, reason), names | only.names

    def _null(self, json: Json) -> bool:
        if not isinstance(json, dict):
            return False
        if "$ref" not in json and "type" not in json and "const" not in json and "enum" not in json:
            return False
        view = self.view(json)
        return "const" in view.keywords and view.keywords["const"] is None

    def _resolve(self, json: Json, stack: tuple[str, ...]) -> tuple[MergedKeywords, frozenset[str]]:
        """Returns the keywords of a schema merged with its reference and `allOf`, and the
        definitions passed."""
        if not isinstance(json, dict):
            return MergedKeywords({}, "" if json is not False else "it allows nothing"), frozenset()
        if "$ref" not in json and "allOf" not in json:
            return MergedKeywords(json), frozenset()
        own = {key: value for key, value in json.items() if key not in ("$ref", "allOf")}
        reason = ""
        names: frozenset[str] = frozenset()
        parts = [{"$ref": json["$ref"]}] if "$ref" in json else []
        for part in allof_parts([*parts, *json.get("allOf", ())]):
            merged, passed = self._part(part, stack)
            joined = merge_schemas(own, merged.keywords)
            reason = reason or merged.contradiction or joined.contradiction
            own, names = joined.keywords, names | passed
        return MergedKeywords(own, reason), names

    def _part(self, json: Json, stack: tuple[str, ...]) -> tuple[MergedKeywords, frozenset[str]]:
        """Returns one `allOf` part or the target of a reference.

        A cycle ends silently: a schema that requires itself adds no condition.
        """
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
        merged, passed = self._resolve(self.definitions[name].json, (*stack, name))
        result = (merged, passed | {name})
        self._circles.discard(name)
        # A cycle was cut for a schema further up, so the result is valid only below that schema.
        if self._circles.isdisjoint(stack):
            self._raw[name] = result
        return result


def reference_name(json: Json) -> str:
    """Returns the definition name of a plain reference, else `""`.

    Example: `reference_name({"$ref": "#/$defs/Pet"})` gives `'Pet'`.
    """
    if isinstance(json, dict) and len(json) == 1 and "$ref" in json:
        return str(json["$ref"]).removeprefix(PREFIX)
    return ""


def _excluding_keywords(keywords: Mapping[str, Json]) -> str:
    """Returns why no enumerated value is possible, naming the keywords that exclude the values."""
    values = keywords.get("enum", [keywords.get("const")])
    values_text = ", ".join(str(value) for value in values[:_SHOWN])
    constraints = [f"`{name}` {keywords[name]}" for name in ("type", *BOUNDS) if name in keywords]
    return f"no value of `enum` ({values_text}) meets {' and '.join(constraints)}"


def _take_null_type(keywords: dict[str, Json]) -> bool | None:
    """Removes null from `type`; True if null was allowed, None without types."""
    kinds = keywords.get("type")
    if kinds is None:
        return None
    if kinds == "null":
        keywords.pop("type")
        keywords.setdefault("const", None)
        return True
    if isinstance(kinds, str) or "null" not in kinds:
        return False
    types = [kind for kind in kinds if kind != "null"]
    if not types:
        keywords.pop("type")
        keywords.setdefault("const", None)
    else:
        keywords["type"] = types[0] if len(types) == 1 else types
    return True


def _take_null_value(keywords: dict[str, Json]) -> bool | None:
    """Removes null from `enum`; True if null was allowed, None without values."""
    values = keywords.get("enum")
    if values is None:
        return None
    if None not in values:
        return False
    remaining = [value for value in values if value is not None]
    if remaining:
        keywords["enum"] = remaining
    else:
        keywords.pop("enum")
        keywords["const"] = None
    return True
