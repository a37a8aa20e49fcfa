"""Validation of JSON Schemas and of values; the only use of jsonschema-rs in this package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import jsonschema_rs

from mcpgen.conformance.exchange import printable
from mcpgen.conformance.strict_json import Json

DIALECTS = {
    "https://json-schema.org/draft/2020-12/schema": jsonschema_rs.Draft202012Validator,
    "https://json-schema.org/draft/2019-09/schema": jsonschema_rs.Draft201909Validator,
    "http://json-schema.org/draft-07/schema": jsonschema_rs.Draft7Validator,
    "http://json-schema.org/draft-06/schema": jsonschema_rs.Draft6Validator,
    "http://json-schema.org/draft-04/schema": jsonschema_rs.Draft4Validator,
}
DEFAULT_DIALECT = "https://json-schema.org/draft/2020-12/schema"

NESTED = ("items", "not", "if", "then", "else", "additionalProperties", "contains")
NESTED_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
NESTED_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")


_DEFINITIONS: dict[tuple[int, str], tuple[Mapping[str, Json], jsonschema_rs.Validator]] = {}
"""Compiled definitions by the identity of their schema, which the value keeps alive."""


def schema_problem(schema: Json) -> str:
    """The reason why `schema` is invalid in its dialect, or `""`. Never fetches a `$ref`."""
    return _build_validator(schema)[1]


def value_problem(schema: Json, value: Json) -> str:
    """The first violation of `schema` by `value`, or `""`; an invalid schema is a violation.

    Example: `value_problem({"type": "string"}, 7)` is ``at `/`: 7 is not of type "string"``.
    """
    validator, problem = _build_validator(schema)
    if validator is None:
        return problem
    for error in validator.iter_errors(value):
        place = "/".join(str(key) for key in error.instance_path)
        return f"at `/{place}`: {printable(error.message)}"
    return ""


def reference_problem(schema: Mapping[str, Json], reference: str, value: Json) -> str:
    """The first violation by `value` of the definition at `reference` in a valid `schema`, or `""`;
    `""` also for a value that the validator cannot read.

    Formats are not asserted: JSON Schema 2020-12 takes `format` for an annotation.
    """
    key = id(schema), reference
    if key not in _DEFINITIONS:
        dialect = DIALECTS[str(schema["$schema"]).removesuffix("#")]
        definition = {**schema, "$ref": reference}
        if dialect is jsonschema_rs.Draft7Validator:
            # Draft 7 ignores the siblings of `$ref`, but not those of `allOf`.
            definition = {**schema, "allOf": [{"$ref": reference}]}
        validator = dialect(definition, retriever=_refuse_reference, validate_formats=False)
        _DEFINITIONS[key] = (schema, validator)
    try:
        for error in _DEFINITIONS[key][1].iter_errors(value):
            place = "/".join(str(part) for part in error.instance_path)
            return f"at `/{printable(place)}`: {printable(error.message)}"
    except ValueError:
        # jsonschema-rs takes no lone surrogates and no nesting beyond its recursion limit.
        return ""
    return ""


def subschemas(schema: Json) -> Iterator[Mapping[str, Json]]:
    """`schema` and all its subschemas, outermost first; data keywords are skipped."""
    stack: list[Json] = [schema]
    while stack:
        node = stack.pop()
        if not isinstance(node, dict):
            continue
        yield node
        stack.extend(node[key] for key in NESTED if key in node)
        for key in NESTED_LISTS:
            if isinstance(node.get(key), list):
                stack.extend(node[key])
        for key in NESTED_MAPS:
            if isinstance(node.get(key), dict):
                stack.extend(node[key].values())


def _build_validator(schema: Json) -> tuple[jsonschema_rs.Validator | None, str]:
    dialect_uri = (
        schema.get("$schema", DEFAULT_DIALECT) if isinstance(schema, dict) else DEFAULT_DIALECT
    )
    dialect = DIALECTS.get(str(dialect_uri).removesuffix("#"))
    if dialect is None:
        return None, f"its dialect {printable(dialect_uri)!r} is not a JSON Schema dialect"
    try:
        return dialect(schema, retriever=_refuse_reference), ""
    except jsonschema_rs.ValidationError as error:
        return None, f"{_place(error)}{printable(error.message)}"
    except (jsonschema_rs.ReferencingError, ValueError) as error:
        if "UnicodeEncodeError" in str(error):
            return None, "it holds half of a surrogate pair, which is no character"
        return None, printable(getattr(error, "message", None) or str(error))


def _place(error: jsonschema_rs.ValidationError) -> str:
    """The location of an error as the beginning of a sentence; `""` for the whole value."""
    place = "/".join(str(key) for key in error.instance_path)
    return f"at `/{printable(place)}`: " if place else ""


def _refuse_reference(address: str) -> Json:
    raise ValueError(f"{address} lies outside the schema and is not fetched")
