"""Makes up values from the top of a schema down."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.sampling.containers import array, object_of
from mcpgen.sampling.resolved_schema import ResolvedSchema, applied_schemas, resolve_schema
from mcpgen.sampling.scalars import sample_number, string
from mcpgen.sampling.validators import Json, SchemaValidators

DEPTH = 5
"""Levels to which properties that may be left out are filled in."""

DEEPEST = 40
"""Levels to which anything is made up; a schema that asks for more asks for infinity."""

GENEROUS = 200
"""Values of one sample after which properties that may be left out are left out, save at the top."""

TOP = 2
"""Levels at which nothing is left out for the sake of brevity."""

MOST = 20_000
"""Values of one sample after which nothing more is made up."""

ATTEMPTS = 30
"""Alternatives of unions that one sample tries; whether one fits may be a schema to compile."""

ASKED = 2_000_000
"""Schemas that are asked about the values of one sample; see `SchemaValidators.asked`."""

ANYTHING = "sample"

HARD = frozenset(
    {"not", "if", "contains", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems"}
)
"""Keywords that are met by luck only, so that the whole has to be checked."""

IMPLIED: tuple[tuple[str, frozenset[str]], ...] = (
    ("object", frozenset({"properties", "required", "additionalProperties", "minProperties"})),
    ("object", frozenset({"patternProperties", "propertyNames"})),
    ("array", frozenset({"items", "prefixItems", "minItems", "uniqueItems", "contains"})),
    ("string", frozenset({"pattern", "format", "minLength", "maxLength", "contentEncoding"})),
    ("number", frozenset({"minimum", "maximum", "multipleOf"})),
    ("number", frozenset({"exclusiveMinimum", "exclusiveMaximum"})),
)
"""The type that is meant by a schema without one, told by its keywords."""


class Generator:
    """Makes up the values of one sample. `doubtful` tells that the result has to be checked."""

    def __init__(self, library: SchemaValidators, *, optional: bool) -> None:
        self.library = library
        self.optional = optional
        self.doubtful = False
        self._made = 0
        self._tried = 0
        self._asked_before = library.asked

    def value(
        self, schema: Json, depth: int = 0, inside: frozenset[str] = frozenset(), nth: int = 0
    ) -> Json:
        """A value for a schema. `inside` are the names of the schemas it stands in; `nth` counts
        the values that were asked for before, each of which should be another one."""
        self._made += 1
        if schema is False or depth > DEEPEST or self._made > MOST:
            self.doubtful = True
            return None
        if not isinstance(schema, dict):
            return ANYTHING
        whole = resolve_schema(schema, self.library)
        ready, found = self._ready(schema, whole.schema, nth)
        if found:
            return ready
        for keyword in ("oneOf", "anyOf"):
            if branches := whole.listed(keyword):
                return self._branch(schema, whole, keyword, branches, depth, inside, nth)
        return self._made_up(whole, depth, inside, nth)

    def is_generous(self, depth: int) -> bool:
        """Whether what may be left out is filled in at this depth."""
        brief = depth < TOP or (depth < DEPTH and self._made < GENEROUS)
        return self.optional and brief

    def _ready(self, schema: Json, whole: Mapping[str, Json], nth: int) -> tuple[Json, bool]:
        """A value that the schema itself gives, and whether there is one."""
        if "const" in whole:
            return whole["const"], True
        given = whole.get("examples")
        choices = [*given] if isinstance(given, list) else []
        choices += [whole["default"]] if "default" in whole else []
        for each in choices[nth:]:
            candidate = self._lean(each, whole)
            if not is_excluded(candidate, whole, self.library) and self.library.valid(
                candidate, schema
            ):
                return candidate, True
        enum = whole.get("enum")
        if isinstance(enum, list) and enum:
            typed = [each for each in enum if is_of_type(each, whole.get("type", ALL))]
            solid = [each for each in typed if each is not None] or typed or enum
            return solid[nth % len(solid)], True
        return None, False

    def _lean(self, value: Json, whole: Mapping[str, Json]) -> Json:
        """An example without the properties that may be left out, where they shall be."""
        if self.optional or not isinstance(value, dict):
            return value
        required = whole.get("required", ())
        return {name: value[name] for name in value if name in required}

    def _branch(
        self,
        schema: Json,
        whole: ResolvedSchema,
        keyword: str,
        branches: list[Json],
        depth: int,
        inside: frozenset[str],
        nth: int,
    ) -> Json:
        """The first value of a branch that fits; the first of all where none does."""
        inside |= whole.names
        order = sorted(
            branches, key=lambda branch: (_is_null(branch), self._recurs(branch, inside))
        )
        others = branches if keyword == "oneOf" else []
        tried = []
        for branch in order:
            doubtful, self.doubtful = self.doubtful, False
            narrowed = whole.narrowed(keyword, branch)
            value = self.value(narrowed, depth + 1, inside, nth)
            sure = not self.doubtful and all(
                other is branch or is_excluded(value, other, self.library) for other in others
            )
            self.doubtful = doubtful
            if sure or (not self._is_tired() and self.library.valid(value, schema)):
                return value
            tried.append(value)
            self._tried += 1
            if self._made > MOST or self._is_tired():
                break
        self.doubtful = True
        return tried[0]

    def _is_tired(self) -> bool:
        """Whether this sample has tried or asked enough, so that what comes first is taken."""
        return self._tried > ATTEMPTS or self.library.asked - self._asked_before > ASKED

    def _recurs(self, branch: Json, inside: frozenset[str]) -> bool:
        """Whether a branch cannot be made up without one of the schemas it stands in."""
        whole = resolve_schema(branch, self.library)
        properties = whole.mapped("properties")
        needed = (properties[name] for name in whole.listed("required") if name in properties)
        return any(not inside.isdisjoint(applied_schemas(each)) for each in (branch, *needed))

    def _made_up(self, whole: ResolvedSchema, depth: int, inside: frozenset[str], nth: int) -> Json:
        schema = whole.schema
        self.doubtful |= not HARD.isdisjoint(schema) or "pattern" in schema or whole.cut
        kind = _type(schema)
        inside |= whole.names
        if kind == "object":
            return object_of(self, schema, depth, inside, nth)
        if kind == "array":
            return array(self, schema, depth, inside, nth)
        if kind == "string":
            return string(schema, nth)
        if kind in ("integer", "number"):
            return sample_number(schema, whole=kind == "integer", nth=nth)
        return {"boolean": nth % 2 == 0, "null": None}.get(kind, ANYTHING)


ALL = ("object", "array", "string", "number", "boolean", "null")


def _type(schema: Mapping[str, Json]) -> str:
    """The type to make up: the first that is not null, or the one its keywords imply."""
    types = schema.get("type")
    if isinstance(types, str):
        return types
    if isinstance(types, list) and types:
        return str(next((name for name in types if name != "null"), "null"))
    return next((name for name, keywords in IMPLIED if not keywords.isdisjoint(schema)), "")


def _is_null(schema: Json) -> bool:
    """Whether a schema is the branch that only allows null."""
    return isinstance(schema, dict) and schema.get("type") == "null"


TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
}


def is_excluded(value: Json, schema: Json, library: SchemaValidators, depth: int = 0) -> bool:
    """Whether the value certainly does not fit; False says nothing."""
    if schema is False:
        return True
    if not isinstance(schema, dict) or depth > 5:
        return False
    if "$ref" in schema and is_excluded(
        value, library.resolved(schema["$ref"]), library, depth + 1
    ):
        return True
    types = schema.get("type")
    if types is not None and not is_of_type(value, types):
        return True
    if "const" in schema and not _same(schema["const"], value):
        return True
    if "enum" in schema and not any(_same(each, value) for each in schema["enum"]):
        return True
    if isinstance(value, dict):
        return _is_wrong_object(value, schema, library, depth)
    return False


def is_of_type(value: Json, types: Json) -> bool:
    """Whether a value has one of the types of a schema."""
    return any(_has_type(value, name) for name in ([types] if isinstance(types, str) else types))


def _has_type(value: Json, name: str) -> bool:
    if name in TYPES:
        return isinstance(value, TYPES[name])
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return name == "number" or value % 1 == 0


def _is_wrong_object(
    value: dict[str, Json], schema: Mapping[str, Json], library: SchemaValidators, depth: int
) -> bool:
    if any(name not in value for name in schema.get("required", ())):
        return True
    properties = schema.get("properties", {})
    closed = schema.get("additionalProperties") is False and "patternProperties" not in schema
    if closed and any(name not in properties for name in value):
        return True
    return any(
        is_excluded(value[name], properties[name], library, depth + 1)
        for name in value
        if name in properties
    )


def _same(left: Json, right: Json) -> bool:
    """Whether two values are equal as JSON, where true is not 1."""
    return left == right and isinstance(left, bool) == isinstance(right, bool)
