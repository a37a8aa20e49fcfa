"""Makes up values from the top of a schema down."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.sampling.containers import sample_array, sample_object
from mcpgen.sampling.resolved_schema import ResolvedSchema, applied_schemas, resolve_schema
from mcpgen.sampling.scalars import sample_number, sample_string
from mcpgen.sampling.validators import Json, SchemaValidators

DEPTH = 5
"""Levels with optional properties."""

MAX_DEPTH = 40
"""Most levels of a sample; a schema that needs more is infinitely recursive."""

GENEROUS = 200
"""Values of one sample after which optional properties are left out below the top."""

TOP = 2
"""Levels that keep optional properties regardless of size."""

MAX_VALUES = 20_000
"""Most values of one sample."""

MAX_ATTEMPTS = 30
"""Most union branches tried per sample; a try may compile a schema. Real descriptions need 8, one needs
32."""

MAX_EVALUATIONS = 2_000_000
"""Schema evaluations per sample, see `SchemaValidators.asked`. Real descriptions need at most 43,000."""

ANYTHING = "sample"

HARD = frozenset(
    {"not", "if", "contains", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems"}
)
"""Keywords that sampling matches by luck only, so the whole sample is validated."""

IMPLIED: tuple[tuple[str, frozenset[str]], ...] = (
    ("object", frozenset({"properties", "required", "additionalProperties", "minProperties"})),
    ("object", frozenset({"patternProperties", "propertyNames"})),
    ("array", frozenset({"items", "prefixItems", "minItems", "uniqueItems", "contains"})),
    ("string", frozenset({"pattern", "format", "minLength", "maxLength", "contentEncoding"})),
    ("number", frozenset({"minimum", "maximum", "multipleOf"})),
    ("number", frozenset({"exclusiveMinimum", "exclusiveMaximum"})),
)
"""Types implied by keywords of a schema without `type`."""


class Generator:
    """Makes the values of one sample. `doubtful`: the result needs validation."""

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
        """Returns a value for a schema.

        `inside`: names of surrounding schemas. `nth`: number of values requested before, so that
        each request gives a new value.
        """
        self._made += 1
        if schema is False or depth > MAX_DEPTH or self._made > MAX_VALUES:
            self.doubtful = True
            return None
        if not isinstance(schema, dict):
            return ANYTHING
        whole = resolve_schema(schema, self.library)
        ready, sampled = self._ready(schema, whole.schema, nth)
        if sampled:
            return ready
        for keyword in ("oneOf", "anyOf"):
            if branches := whole.listed(keyword):
                return self._branch(schema, whole, keyword, branches, depth, inside, nth)
        return self._made_up(whole, depth, inside, nth)

    def is_generous(self, depth: int) -> bool:
        """True if optional properties are included at this depth."""
        brief = depth < TOP or (depth < DEPTH and self._made < GENEROUS)
        return self.optional and brief

    def _ready(self, schema: Json, whole: Mapping[str, Json], nth: int) -> tuple[Json, bool]:
        """Returns the schema's own example, default, constant or enum value, and whether one
        exists."""
        if "const" in whole:
            return whole["const"], True
        examples = whole.get("examples")
        choices = [*examples] if isinstance(examples, list) else []
        choices += [whole["default"]] if "default" in whole else []
        for choice in choices[nth:]:
            candidate = self._required_only(choice, whole)
            if not is_quickly_rejected(candidate, whole, self.library) and self.library.valid(
                candidate, schema
            ):
                return candidate, True
        enum = whole.get("enum")
        if isinstance(enum, list) and enum:
            typed = [choice for choice in enum if is_of_type(choice, whole.get("type", ALL))]
            solid = [choice for choice in typed if choice is not None] or typed or enum
            return solid[nth % len(solid)], True
        return None, False

    def _required_only(self, value: Json, whole: Mapping[str, Json]) -> Json:
        """Returns an example without optional properties if optional values are not wanted."""
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
        """Returns the first matching branch value, else the first branch's value."""
        inside |= whole.names
        order = sorted(
            branches, key=lambda branch: (_is_null(branch), self._recurs(branch, inside))
        )
        alternatives = branches if keyword == "oneOf" else []
        tried = []
        for branch in order:
            doubtful, self.doubtful = self.doubtful, False
            narrowed = whole.narrowed(keyword, branch)
            value = self.value(narrowed, depth + 1, inside, nth)
            sure = not self.doubtful and all(
                other is branch or is_quickly_rejected(value, other, self.library)
                for other in alternatives
            )
            self.doubtful = doubtful
            if sure or (not self._is_exhausted() and self.library.valid(value, schema)):
                return value
            tried.append(value)
            self._tried += 1
            if self._made > MAX_VALUES or self._is_exhausted():
                break
        self.doubtful = True
        return tried[0]

    def _is_exhausted(self) -> bool:
        """True if the sample has used up its attempts or evaluations."""
        return (
            self._tried > MAX_ATTEMPTS or self.library.asked - self._asked_before > MAX_EVALUATIONS
        )

    def _recurs(self, branch: Json, inside: frozenset[str]) -> bool:
        """True if every value of a branch contains a surrounding schema."""
        whole = resolve_schema(branch, self.library)
        properties = whole.mapped("properties")
        needed = (properties[name] for name in whole.listed("required") if name in properties)
        return any(
            not inside.isdisjoint(applied_schemas(needed_schema))
            for needed_schema in (branch, *needed)
        )

    def _made_up(self, whole: ResolvedSchema, depth: int, inside: frozenset[str], nth: int) -> Json:
        schema = whole.schema
        self.doubtful |= not HARD.isdisjoint(schema) or "pattern" in schema or whole.cut
        kind = _type_to_sample(schema)
        inside |= whole.names
        if kind == "object":
            return sample_object(self, schema, depth, inside, nth)
        if kind == "array":
            return sample_array(self, schema, depth, inside, nth)
        if kind == "string":
            return sample_string(schema, nth)
        if kind in ("integer", "number"):
            return sample_number(schema, whole=kind == "integer", nth=nth)
        return {"boolean": nth % 2 == 0, "null": None}.get(kind, ANYTHING)


ALL = ("object", "array", "string", "number", "boolean", "null")


def _type_to_sample(schema: Mapping[str, Json]) -> str:
    """Returns the type to sample: the first besides null, or the implied type."""
    types = schema.get("type")
    if isinstance(types, str):
        return types
    if isinstance(types, list) and types:
        return str(next((name for name in types if name != "null"), "null"))
    return next((name for name, keywords in IMPLIED if not keywords.isdisjoint(schema)), "")


def _is_null(schema: Json) -> bool:
    """True for a branch that allows null only."""
    return isinstance(schema, dict) and schema.get("type") == "null"


TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
}


def is_quickly_rejected(
    value: Json, schema: Json, library: SchemaValidators, depth: int = 0
) -> bool:
    """True if the value certainly does not match; False is inconclusive. Cheaper than compiling
    a validator."""
    if schema is False:
        return True
    if not isinstance(schema, dict) or depth > 5:
        return False
    if "$ref" in schema and is_quickly_rejected(
        value, library.resolved(schema["$ref"]), library, depth + 1
    ):
        return True
    types = schema.get("type")
    if types is not None and not is_of_type(value, types):
        return True
    if "const" in schema and not _same(schema["const"], value):
        return True
    if "enum" in schema and not any(_same(allowed, value) for allowed in schema["enum"]):
        return True
    if isinstance(value, dict):
        return _is_wrong_object(value, schema, library, depth)
    return False


def is_of_type(value: Json, types: Json) -> bool:
    """True if a value has one of the types."""
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
        is_quickly_rejected(value[name], properties[name], library, depth + 1)
        for name in value
        if name in properties
    )


def _same(left: Json, right: Json) -> bool:
    """True for equal JSON values; true and 1 differ."""
    return left == right and isinstance(left, bool) == isinstance(right, bool)
