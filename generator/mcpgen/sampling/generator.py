"""Makes up values from the top of a schema down."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.sampling.containers import sample_array, sample_object
from mcpgen.sampling.resolved_schema import ResolvedSchema, applied_schemas, resolve_schema
from mcpgen.sampling.scalars import sample_number, sample_string
from mcpgen.sampling.validators import Json, SchemaValidators

OPTIONAL_DEPTH = 5
"""Levels of a sample with optional properties."""

MAX_DEPTH = 40
"""Most levels of a sample; a schema that needs more levels is infinitely recursive."""

OPTIONAL_VALUES = 200
"""Values of a sample after which optional properties are left out below `TOP_LEVELS`."""

TOP_LEVELS = 2
"""Levels that have optional properties in samples of any size."""

MAX_VALUES = 20_000
"""Most values of one sample."""

MAX_FAILED_BRANCHES = 30
"""Failed union branches per sample, after which a union takes the first branch; a try may compile a
schema. Real descriptions need at most 8, except one that needs 32 and gets first branches."""

MAX_EVALUATIONS = 2_000_000
"""Schema evaluations per sample, see `SchemaValidators.evaluations`. Real descriptions need at most
43,000."""

ANYTHING = "sample"
"""The value for a schema without a type."""

MAX_REJECTION_DEPTH = 5
"""Levels that `is_quickly_rejected` compares."""

UNCERTAIN_KEYWORDS = frozenset(
    {"not", "if", "contains", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems"}
)
"""Keywords that a sample may violate, so the sample has to be validated."""

IMPLIED_TYPES: tuple[tuple[str, frozenset[str]], ...] = (
    ("object", frozenset({"properties", "required", "additionalProperties", "minProperties"})),
    ("object", frozenset({"patternProperties", "propertyNames"})),
    ("array", frozenset({"items", "prefixItems", "minItems", "uniqueItems", "contains"})),
    ("string", frozenset({"pattern", "format", "minLength", "maxLength", "contentEncoding"})),
    ("number", frozenset({"minimum", "maximum", "multipleOf"})),
    ("number", frozenset({"exclusiveMinimum", "exclusiveMaximum"})),
)
"""Types that keywords imply in a schema without `type`; the first row with a keyword counts."""


class SampleGenerator:
    """Makes the values of one sample.

    `library`: the definitions with their validators. `optional`: include optional properties. `needs_validation`: the value
    may violate the schema.
    """

    def __init__(self, library: SchemaValidators, *, optional: bool) -> None:
        self.library = library
        self.optional = optional
        self.needs_validation = False
        self._value_count = 0
        self._failed_branches = 0
        self._evaluations_before = library.evaluations

    def value(
        self, schema: Json, depth: int = 0, inside: frozenset[str] = frozenset(), nth: int = 0
    ) -> Json:
        """Returns a value for a schema.

        `inside`: names of the definitions around the value. `nth`: number of values requested for
        this schema before, so that each request gives a new value.
        """
        self._value_count += 1
        if schema is False or depth > MAX_DEPTH or self._value_count > MAX_VALUES:
            self.needs_validation = True
            return None
        if not isinstance(schema, dict):
            return ANYTHING
        resolved = resolve_schema(schema, self.library)
        own_value, exists = self._own_value(schema, resolved.schema, nth)
        if exists:
            return own_value
        for keyword in ("oneOf", "anyOf"):
            if branches := resolved.listed(keyword):
                return self._branch(schema, resolved, keyword, branches, depth, inside, nth)
        return self._value_of_type(resolved, depth, inside, nth)

    def includes_optional(self, depth: int) -> bool:
        """True if optional properties are included at this depth."""
        if not self.optional:
            return False
        is_sample_small = self._value_count < OPTIONAL_VALUES
        return depth < TOP_LEVELS or (depth < OPTIONAL_DEPTH and is_sample_small)

    def _own_value(self, schema: Json, keywords: Mapping[str, Json], nth: int) -> tuple[Json, bool]:
        """Returns the constant of the schema, a valid example or default, or a value of the enum; and
        whether such a value exists. `keywords`: `schema` with its references resolved."""
        if "const" in keywords:
            return keywords["const"], True
        examples = keywords.get("examples")
        choices = [*examples] if isinstance(examples, list) else []
        choices += [keywords["default"]] if "default" in keywords else []
        for choice in choices[nth:]:
            candidate = self._required_only(choice, keywords)
            if not is_quickly_rejected(candidate, keywords, self.library) and self.library.valid(
                candidate, schema
            ):
                return candidate, True
        enum = keywords.get("enum")
        if isinstance(enum, list) and enum:
            typed = [
                choice for choice in enum if is_of_type(choice, keywords.get("type", ALL_TYPES))
            ]
            preferred = [choice for choice in typed if choice is not None] or typed or enum
            return preferred[nth % len(preferred)], True
        return None, False

    def _required_only(self, value: Json, keywords: Mapping[str, Json]) -> Json:
        """Returns an example without optional properties if optional values are not wanted."""
        if self.optional or not isinstance(value, dict):
            return value
        required = keywords.get("required", ())
        return {name: value[name] for name in value if name in required}

    def _branch(
        self,
        schema: Json,
        resolved: ResolvedSchema,
        keyword: str,
        branches: list[Json],
        depth: int,
        inside: frozenset[str],
        nth: int,
    ) -> Json:
        """Returns the first value of a branch that matches `schema`, else the value of the first
        branch. Branches with null, or with a surrounding definition inside, come last."""
        inside |= resolved.names
        order = sorted(
            branches, key=lambda branch: (_is_null(branch), self._recurs(branch, inside))
        )
        # A value of `oneOf` must not match another branch.
        excluded = branches if keyword == "oneOf" else []
        values = []
        for branch in order:
            needs_validation, self.needs_validation = self.needs_validation, False
            narrowed = resolved.narrowed(keyword, branch)
            value = self.value(narrowed, depth + 1, inside, nth)
            is_certain = not self.needs_validation and all(
                other is branch or is_quickly_rejected(value, other, self.library)
                for other in excluded
            )
            self.needs_validation = needs_validation
            if is_certain or (not self._is_exhausted() and self.library.valid(value, schema)):
                return value
            values.append(value)
            self._failed_branches += 1
            if self._value_count > MAX_VALUES or self._is_exhausted():
                break
        self.needs_validation = True
        return values[0]

    def _is_exhausted(self) -> bool:
        """True if the sample has reached the limit of failed branches or of evaluations."""
        return (
            self._failed_branches > MAX_FAILED_BRANCHES
            or self.library.evaluations - self._evaluations_before > MAX_EVALUATIONS
        )

    def _recurs(self, branch: Json, inside: frozenset[str]) -> bool:
        """True if a branch, or a required property of the branch, refers to a definition in `inside`,
        also as an alternative or an item."""
        resolved = resolve_schema(branch, self.library)
        properties = resolved.mapped("properties")
        needed = (properties[name] for name in resolved.listed("required") if name in properties)
        return any(
            not inside.isdisjoint(applied_schemas(needed_schema))
            for needed_schema in (branch, *needed)
        )

    def _value_of_type(
        self, resolved: ResolvedSchema, depth: int, inside: frozenset[str], nth: int
    ) -> Json:
        """Returns a value of the schema's type, within the bounds of the keywords."""
        schema = resolved.schema
        self.needs_validation |= (
            not UNCERTAIN_KEYWORDS.isdisjoint(schema) or "pattern" in schema or resolved.cut
        )
        kind = _type_to_sample(schema)
        inside |= resolved.names
        if kind == "object":
            return sample_object(self, schema, depth, inside, nth)
        if kind == "array":
            return sample_array(self, schema, depth, inside, nth)
        if kind == "string":
            return sample_string(schema, nth)
        if kind in ("integer", "number"):
            return sample_number(schema, whole=kind == "integer", nth=nth)
        return {"boolean": nth % 2 == 0, "null": None}.get(kind, ANYTHING)


ALL_TYPES = ("object", "array", "string", "number", "boolean", "null")
"""The types of JSON values; every integer is a number."""


def _type_to_sample(schema: Mapping[str, Json]) -> str:
    """Returns the type to sample: the first besides null, or the implied type."""
    types = schema.get("type")
    if isinstance(types, str):
        return types
    if isinstance(types, list) and types:
        return str(next((name for name in types if name != "null"), "null"))
    return next((name for name, keywords in IMPLIED_TYPES if not keywords.isdisjoint(schema)), "")


def _is_null(schema: Json) -> bool:
    """True for a branch that allows null only."""
    return isinstance(schema, dict) and schema.get("type") == "null"


PYTHON_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
}
"""Python types by JSON Schema type; `_has_type` decides about numbers."""


def is_quickly_rejected(
    value: Json, schema: Json, library: SchemaValidators, depth: int = 0
) -> bool:
    """True if the value certainly does not match; False is inconclusive. Cheaper than compiling
    a validator."""
    if schema is False:
        return True
    if not isinstance(schema, dict) or depth > MAX_REJECTION_DEPTH:
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
    """True if a value has one of the types.

    Example: `is_of_type(2, ["string", "integer"])` gives `True`.
    """
    return any(_has_type(value, name) for name in ([types] if isinstance(types, str) else types))


def _has_type(value: Json, name: str) -> bool:
    """True if a value has a type. JSON Schema counts `1.0` as an integer, and `true` as no number."""
    if name in PYTHON_TYPES:
        return isinstance(value, PYTHON_TYPES[name])
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return name == "number" or value % 1 == 0


def _is_wrong_object(
    value: dict[str, Json], schema: Mapping[str, Json], library: SchemaValidators, depth: int
) -> bool:
    """True if an object certainly does not match, by its properties."""
    if any(name not in value for name in schema.get("required", ())):
        return True
    properties = schema.get("properties", {})
    is_closed = schema.get("additionalProperties") is False and "patternProperties" not in schema
    if is_closed and any(name not in properties for name in value):
        return True
    return any(
        is_quickly_rejected(value[name], properties[name], library, depth + 1)
        for name in value
        if name in properties
    )


def _same(left: Json, right: Json) -> bool:
    """True for equal JSON values; true and 1 differ."""
    return left == right and isinstance(left, bool) == isinstance(right, bool)
