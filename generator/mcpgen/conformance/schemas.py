"""Validates JSON Schemas, and values by JSON Schemas. Other modules of `conformance` do not import
jsonschema-rs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import jsonschema_rs

from mcpgen.conformance.exchange import printable
from mcpgen.conformance.strict_json import Json

DEFAULT_DIALECT = "https://json-schema.org/draft/2020-12/schema"
"""The dialect of a schema without `$schema`, by revision 2025-11-25 of MCP."""

DIALECTS = {
    DEFAULT_DIALECT: jsonschema_rs.Draft202012Validator,
    "https://json-schema.org/draft/2019-09/schema": jsonschema_rs.Draft201909Validator,
    "http://json-schema.org/draft-07/schema": jsonschema_rs.Draft7Validator,
    "http://json-schema.org/draft-06/schema": jsonschema_rs.Draft6Validator,
    "http://json-schema.org/draft-04/schema": jsonschema_rs.Draft4Validator,
}
"""Validators by `$schema`, without an empty fragment `#`."""

SCHEMA_KEYWORDS = ("items", "not", "if", "then", "else", "additionalProperties", "contains")
"""Keywords whose value is a schema."""

SCHEMA_LIST_KEYWORDS = ("allOf", "anyOf", "oneOf", "prefixItems")
"""Keywords whose value is a list of schemas."""

SCHEMA_MAP_KEYWORDS = (
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
)
"""Keywords whose value is a mapping of names to schemas."""

_REFERENCE_VALIDATORS: dict[tuple[int, str], tuple[Mapping[str, Json], jsonschema_rs.Validator]] = (
    {}
)
"""Validators by the `id()` of a schema and a reference, each with the schema: no other object gets the
`id()` of a schema that is kept. The only caller passes published schemas, so the number of entries is
bounded."""


def schema_problem(schema: Json) -> str:
    """Returns the reason why `schema` is invalid in its dialect, or `""`. Never fetches a `$ref`."""
    return _build_validator(schema)[1]


def value_problem(schema: Json, value: Json) -> str:
    """Returns the first violation of `schema` by `value`, or `""`. An invalid schema is a violation, and
    so is a value that the validator cannot read.

    Example: `value_problem({"type": "string"}, 7)` is ``at `/`: 7 is not of type "string"``.
    """
    validator, problem = _build_validator(schema)
    if validator is None:
        return problem
    try:
        return _first_violation(validator, value)
    except ValueError as error:
        return f"the validator cannot read the value: {printable(str(error))}"


def value_problem_at_reference(schema: Mapping[str, Json], reference: str, value: Json) -> str:
    """Returns the first violation by `value` of the definition at `reference`, or `""`.

    `schema` is valid and has a `$schema`; `reference` is local, such as `#/$defs/CallToolResult`. `""`
    also for a value that the validator cannot read. Formats are not asserted: JSON Schema 2020-12
    takes `format` for an annotation.
    """
    key = id(schema), reference
    if key not in _REFERENCE_VALIDATORS:
        dialect = DIALECTS[str(schema["$schema"]).removesuffix("#")]
        root = {**schema, "$ref": reference}
        if dialect is jsonschema_rs.Draft7Validator:
            # Draft 7 ignores the siblings of `$ref`, so also the definitions.
            root = {**schema, "allOf": [{"$ref": reference}]}
        validator = dialect(root, retriever=_refuse_reference, validate_formats=False)
        _REFERENCE_VALIDATORS[key] = (schema, validator)
    try:
        return _first_violation(_REFERENCE_VALIDATORS[key][1], value)
    except ValueError:
        return ""


def subschemas(schema: Json) -> Iterator[Mapping[str, Json]]:
    """Yields `schema` and the subschemas of the keywords above at any depth, a schema before its
    subschemas. Values of other keywords, such as `default` or `enum`, are not searched."""
    stack: list[Json] = [schema]
    while stack:
        node = stack.pop()
        if not isinstance(node, dict):
            continue
        yield node
        stack.extend(node[key] for key in SCHEMA_KEYWORDS if key in node)
        for key in SCHEMA_LIST_KEYWORDS:
            if isinstance(node.get(key), list):
                stack.extend(node[key])
        for key in SCHEMA_MAP_KEYWORDS:
            if isinstance(node.get(key), dict):
                stack.extend(node[key].values())


def _build_validator(schema: Json) -> tuple[jsonschema_rs.Validator | None, str]:
    """Returns the validator of a schema and `""`, or None and the reason why the schema is invalid."""
    dialect_uri = (
        schema.get("$schema", DEFAULT_DIALECT) if isinstance(schema, dict) else DEFAULT_DIALECT
    )
    dialect = DIALECTS.get(str(dialect_uri).removesuffix("#"))
    if dialect is None:
        return None, f"its dialect {printable(dialect_uri)!r} is not a JSON Schema dialect"
    try:
        return dialect(schema, retriever=_refuse_reference), ""
    except jsonschema_rs.ValidationError as error:
        place = _instance_place(error)
        message = printable(error.message)
        return None, f"at `/{place}`: {message}" if place else message
    except (jsonschema_rs.ReferencingError, ValueError) as error:
        if "UnicodeEncodeError" in str(error):
            return None, "it holds half of a surrogate pair, which is no character"
        return None, printable(getattr(error, "message", None) or str(error))


def _first_violation(validator: jsonschema_rs.Validator, value: Json) -> str:
    """Raises ValueError for a value that jsonschema-rs cannot read: with nesting beyond its recursion
    limit, or with half of a surrogate pair in the invalid part."""
    for error in validator.iter_errors(value):
        return f"at `/{_instance_place(error)}`: {printable(error.message)}"
    return ""


def _instance_place(error: jsonschema_rs.ValidationError) -> str:
    """Returns the path of the invalid value without the first `/`; `""` for the whole value."""
    return printable("/".join(str(key) for key in error.instance_path))


def _refuse_reference(address: str) -> Json:
    raise ValueError(f"{address} lies outside the schema and is not fetched")
