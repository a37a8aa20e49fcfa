"""Two schemas merge into their intersection."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.config import Config
from mcpgen.diagnostics import Location
from mcpgen.ir.api import Schema
from mcpgen.lower.flatten.merge import merge_schemas
from mcpgen.lower.flatten.schema_view import SchemaViews
from mcpgen.lower.flatten.type_notation import type_notation


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ({"type": "number"}, {"type": "integer"}, {"type": "integer"}),
        ({"type": ["string", "null"]}, {"type": "string"}, {"type": "string"}),
        ({"minimum": 1}, {"minimum": 2}, {"minimum": 2}),
        ({"maxLength": 9}, {"maxLength": 4}, {"maxLength": 4}),
        ({"enum": ["a", "b"]}, {"enum": ["b", "c"]}, {"enum": ["b"]}),
        ({"required": ["a"]}, {"required": ["b", "a"]}, {"required": ["a", "b"]}),
        ({"multipleOf": 4}, {"multipleOf": 6}, {"multipleOf": 12}),
        ({"description": "mine"}, {"description": "theirs"}, {"description": "mine"}),
        ({"readOnly": False}, {"readOnly": True}, {"readOnly": True}),
        ({"const": True}, {"const": True}, {"const": True}),
        ({"const": False}, {"const": False}, {"const": False}),
        ({"pattern": "a"}, {"pattern": "b"}, {"pattern": "a", "allOf": [{"pattern": "b"}]}),
    ],
)
def test_keywords_merge(first: Any, second: Any, expected: Any) -> None:
    keywords = merge_schemas(first, second)

    assert keywords.keywords == expected
    assert not keywords.contradiction


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"type": "string"}, {"type": "integer"}),
        ({"enum": ["a"]}, {"enum": ["b"]}),
        ({"const": 1}, {"const": 2}),
        ({"const": 1}, {"const": True}),
        ({"const": 1}, {"enum": [2]}),
        ({"minimum": 5}, {"maximum": 4}),
    ],
)
def test_what_excludes_each_other_is_a_contradiction(first: Any, second: Any) -> None:
    assert merge_schemas(first, second).contradiction


def test_a_closed_object_closes_the_names_of_the_other() -> None:
    closed_schema = {"properties": {"a": {"type": "string"}}, "additionalProperties": False}

    keywords = merge_schemas(closed_schema, {"properties": {"b": {"type": "string"}}})

    assert keywords.keywords["properties"]["b"] is False


@pytest.mark.parametrize(
    ("schema", "nullable", "keywords"),
    [
        ({"type": ["string", "null"]}, True, {"type": "string"}),
        ({"type": "string", "enum": ["a", None]}, False, {"type": "string", "enum": ["a"]}),
        ({"enum": ["a", None]}, True, {"enum": ["a"]}),
        ({"oneOf": [{"type": "null"}, {"type": "integer"}]}, True, {"type": "integer"}),
        ({"type": "null"}, True, {"const": None}),
        (
            {"type": ["string", "null"], "const": "a"},
            False,
            {"type": "string", "const": "a"},
        ),
        ({"anyOf": [{"type": "integer"}]}, False, {"type": "integer"}),
    ],
)
def test_null_is_set_aside(schema: Any, nullable: bool, keywords: Any) -> None:
    view = SchemaViews({}).view(schema)

    assert view.nullable is nullable
    assert view.keywords == keywords


def test_a_schema_that_is_part_of_itself_ends() -> None:
    json = {"allOf": [{"$ref": "#/$defs/A"}, {"type": "object", "properties": {"x": {}}}]}
    schemas = SchemaViews({"A": Schema(json, Location("f"))})

    assert schemas.view({"$ref": "#/$defs/A"}).get("properties") == {"x": {}}


_LEAVES = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["string", "integer", "number", "object", ["string", "null"]]),
        "minimum": st.integers(-3, 3),
        "maximum": st.integers(-3, 3),
        "minLength": st.integers(0, 3),
        "enum": st.lists(
            st.sampled_from(["a", "bb", 1, 2, None]), min_size=1, max_size=4, unique=True
        ),
        "required": st.lists(st.sampled_from(["a", "b"]), unique=True),
        "additionalProperties": st.booleans(),
        "pattern": st.sampled_from(["^a", "b$"]),
    },
)
_OBJECTS = st.tuples(
    _LEAVES, st.dictionaries(st.sampled_from(["a", "b"]), _LEAVES, max_size=2)
).map(lambda pair: {**pair[0], "properties": pair[1]} if pair[1] else pair[0])
_VALUES = st.one_of(
    st.sampled_from(["", "a", "bb", "abb", None, True]),
    st.integers(-4, 4),
    st.dictionaries(st.sampled_from(["a", "b", "c"]), st.sampled_from(["a", 1, None]), max_size=3),
)


@given(_OBJECTS, _OBJECTS, _VALUES)
def test_a_value_meets_the_merged_schema_exactly_if_it_meets_both(
    first: Any, second: Any, value: Any
) -> None:
    is_valid = jsonschema_rs.is_valid({"allOf": [first, second]}, value)

    keywords = merge_schemas(first, second)

    meets = not keywords.contradiction and jsonschema_rs.is_valid(keywords.keywords, value)
    if keywords.contradiction.startswith(("minimum", "minLength")):
        # Contradicting bounds constrain only numbers (or strings); other values stay valid.
        return
    assert meets is is_valid


def test_a_tower_of_doubled_allof_is_merged_once_a_floor() -> None:
    location = Location("doc.yaml")
    floors = {
        f"F{n}": Schema({"allOf": [{"$ref": f"#/$defs/F{n + 1}"}] * 2}, location) for n in range(60)
    }
    schemas = SchemaViews({**floors, "F60": Schema({"type": "string"}, location)})

    view = schemas.view({"allOf": [{"$ref": "#/$defs/F0"}, {"minLength": 1}]})

    assert view.keywords == {"type": "string", "minLength": 1}


def test_the_type_of_a_schema_that_fans_out_without_end_is_written_as_far_as_it_fits() -> None:
    location = Location("doc.yaml")
    definitions = {
        f"F{n}": {
            "type": "object",
            "properties": {f"p{k}": {"$ref": f"#/$defs/F{n + 1}"} for k in range(24)},
        }
        for n in range(60)
    }
    schemas = SchemaViews({name: Schema(json, location) for name, json in definitions.items()})

    text = type_notation(schemas, {"$ref": "#/$defs/F0"})

    assert ", p1?: F1{…}, p2?: F1{…}, " in text
    assert len(text) <= 320


def test_values_that_two_parts_exclude_are_named_with_what_excludes_them(build: Any) -> None:
    schema = {"allOf": [{"enum": ["USER", "GROUP"]}, {"type": "string", "pattern": "^user$"}]}
    parameter = build.parameter("query", "kind", schema, required=True)
    api = build.api(build.operation(parameter))

    stopped_result, continued_result = (
        build.lower(api, Config(keep_going=keep_going)) for keep_going in (False, True)
    )

    (error,) = stopped_result.diagnostics
    assert (
        "no value of `enum` (USER, GROUP) meets `type` string and `pattern` ^user$" in error.message
    )
    assert "`--keep-going`" in error.hint
    assert "--keep-going" not in next(iter(continued_result.diagnostics)).hint
