"""Containment of JSON Schemas."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.thorough import examples

from mcpgen.analysis.schema_compatibility import contains_schema

TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("wide", "narrow"),
    [
        (True, TEXT),
        ({}, TEXT),
        (TEXT, False),
        (TEXT, {**TEXT, "description": "Said."}),
        ({"type": "number"}, {"type": "integer"}),
        ({"type": ["string", "null"]}, TEXT),
        (TEXT, {**TEXT, "enum": ["a"]}),
        ({**TEXT, "enum": ["a", "b"]}, {**TEXT, "enum": ["b"]}),
        ({**TEXT, "maxLength": 5}, {**TEXT, "maxLength": 4}),
        (
            {"type": "array", "items": {"type": "number"}},
            {"type": "array", "items": {"type": "integer"}},
        ),
        ({"type": "object"}, {"type": "object", "properties": {"a": TEXT}, "required": ["a"]}),
        (TEXT, {**TEXT, "format": "date"}),
        ({"type": "integer", "format": "int64"}, {"type": "integer", "format": "int32"}),
        ({"anyOf": [TEXT, {"type": "null"}]}, TEXT),
        (
            {"anyOf": [{**TEXT, "description": "Said."}, {"type": "null"}]},
            {"anyOf": [{"type": "null"}, TEXT]},
        ),
    ],
)
def test_a_schema_admits_what_allows_no_more(wide: Any, narrow: Any) -> None:
    assert contains_schema(wide, narrow)


@pytest.mark.parametrize(
    ("wide", "narrow"),
    [
        (False, TEXT),
        (TEXT, {}),
        (TEXT, {"type": "integer"}),
        ({"type": "integer"}, {"type": "number"}),
        ({**TEXT, "enum": ["a"]}, TEXT),
        ({**TEXT, "maxLength": 5}, TEXT),
        ({**TEXT, "minLength": 2}, {**TEXT, "minLength": 1}),
        ({**TEXT, "pattern": "a"}, {**TEXT, "pattern": "b"}),
        ({"type": "object", "required": ["a"]}, {"type": "object"}),
        ({"type": "object", "additionalProperties": False}, {"type": "object"}),
        ({**TEXT, "format": "date"}, TEXT),
        ({"type": "integer", "format": "int32"}, {"type": "integer", "format": "int64"}),
        ({"anyOf": [TEXT, {"type": "null"}]}, {"anyOf": [TEXT, {"type": "integer"}]}),
        ({"anyOf": [TEXT]}, {}),
        ({"enum": [1]}, {"enum": [True]}),
        ({"const": [0]}, {"const": [False]}),
        (
            {"additionalProperties": False},
            {"additionalProperties": False, "patternProperties": {"^x": TEXT}},
        ),
        ({"items": TEXT}, {"items": TEXT, "prefixItems": [{"type": "integer"}]}),
        ({"contains": TEXT}, {"contains": TEXT, "minContains": 0}),
        (
            {"unevaluatedProperties": False},
            {"unevaluatedProperties": False, "properties": {"a": TEXT}},
        ),
        ({"properties": 7, "required": {}, "enum": {}}, {"properties": [], "required": 7}),
    ],
)
def test_a_schema_does_not_admit_what_may_allow_more(wide: Any, narrow: Any) -> None:
    assert not contains_schema(wide, narrow)


def test_a_schema_too_deep_to_be_compared_is_not_shown_to_be_admitted() -> None:
    deep: dict[str, Any] = {}
    nested_schema: dict[str, Any] = {"type": "string"}
    for _ in range(50_000):
        deep, nested_schema = {"items": deep}, {"items": nested_schema}

    assert not contains_schema(nested_schema, deep)


VALUES = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from(["", "a", "ab"]))
LEAVES = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["string", "integer", "number", "null", ["string", "null"]]),
        "enum": st.lists(VALUES, min_size=1, max_size=3, unique_by=repr),
        "minimum": st.integers(-2, 2),
        "maximum": st.integers(-2, 2),
        "maxLength": st.integers(0, 2),
        "const": VALUES,
    },
)
SCHEMAS = st.recursive(
    LEAVES,
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
            "required": st.lists(st.sampled_from("ab"), max_size=2, unique=True),
            "additionalProperties": st.booleans(),
            "patternProperties": st.dictionaries(st.sampled_from(["a", "^c"]), inner, max_size=1),
            "items": inner,
            "prefixItems": st.lists(inner, min_size=1, max_size=2),
            "anyOf": st.lists(inner, min_size=1, max_size=2),
        },
    ),
    max_leaves=4,
)
INSTANCES = st.recursive(
    VALUES,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner),
    max_leaves=4,
)


@settings(max_examples=examples(150, 400))
@given(SCHEMAS, SCHEMAS, st.lists(INSTANCES, max_size=12))
def test_what_is_admitted_never_has_a_value_that_is_refused(
    wide: dict[str, Any], narrow: dict[str, Any], values: list[Any]
) -> None:
    if not contains_schema(wide, narrow):
        return
    allows = jsonschema.Draft202012Validator(wide).is_valid
    is_in_narrow = jsonschema.Draft202012Validator(narrow).is_valid

    assert all(allows(value) for value in values if is_in_narrow(value))
