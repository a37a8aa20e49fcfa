"""Problems are found at once, named by place and described in plain words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from tests.thorough import examples
from tests.time_limits import works_at_most

from mcpgen_runtime.validation.definitions import SchemaStore
from mcpgen_runtime.validation.engine import Engine
from mcpgen_runtime.validation.validate import (
    argument_lines,
    describe_violation,
    format_place,
    never_null,
)

SAID = [
    ({"type": "integer"}, "7", 'must be integer, got "7"'),
    ({"type": ["string", "null"]}, 7, "must be null or string, got 7"),
    ({"minimum": 1}, 0, "must be >= 1, got 0"),
    ({"exclusiveMaximum": 1.5}, 2, "must be < 1.5, got 2"),
    ({"multipleOf": 3}, 4, "must be a multiple of 3, got 4"),
    ({"enum": ["a", "b"]}, "c", 'must be one of "a", "b", got "c"'),
    ({"const": 1}, 2, "must be 1, got 2"),
    ({"minLength": 2}, "a", "must have at least 2 characters, has 1"),
    ({"maxItems": 1}, [1, 2], "must have at most 1 item, has 2"),
    ({"uniqueItems": True}, [1, 1], "must not repeat an item"),
    ({"not": {"type": "string"}}, "a", 'must not be "a"'),
    (
        {"anyOf": [{"type": "string"}, {"minimum": 3}]},
        1,
        "fits none of 2 allowed forms; the closest: must be >= 3, got 1",
    ),
    (
        {"oneOf": [{"type": "integer"}, {"minimum": 0}]},
        1,
        "fits more than one of 2 forms and must fit one, got 1",
    ),
    ({"type": "integer"}, "x" * 500, f'must be integer, got "{"x" * 79}…'),
]


@pytest.mark.parametrize(("schema", "value", "words"), SAID)
def test_problem_is_said_in_plain_words(schema: Any, value: Any, words: str) -> None:
    assert [describe_violation(problem) for problem in Engine(schema).problems(value)] == [words]


def test_all_problems_come_at_once_with_their_places() -> None:
    schema = {
        "properties": {"a": {"items": {"properties": {"b": {"minimum": 1}}}}},
        "required": ["x", "y"],
        "additionalProperties": False,
    }

    problems = Engine(schema).problems({"a": [{"b": 1}, {"b": 0}], "z": 1})

    assert sorted(format_place(problem.path) for problem in problems) == ["a[1].b", "x", "y", "z"]


def test_closest_branch_is_named_with_the_place_below_the_value() -> None:
    branches = [{"type": "string"}, {"type": "object", "required": ["b"]}]

    (problem,) = Engine({"properties": {"a": {"anyOf": branches}}}).problems({"a": {"c": 1}})

    assert format_place(problem.path) == "a"
    assert describe_violation(problem).endswith("the closest: b required, but missing")


def test_branch_that_the_value_is_marked_for_is_the_closest() -> None:
    cat = {"properties": {"kind": {"const": "cat"}}}
    dog = {"properties": {"kind": {"const": "dog"}}, "required": ["a", "b"]}

    (problem,) = Engine({"oneOf": [cat, dog]}).problems({"kind": "dog"})

    assert describe_violation(problem).endswith(
        "the closest: a required, but missing; b required, but missing"
    )


def test_reference_that_leads_outside_is_an_error_and_never_fetched() -> None:
    with pytest.raises(ValueError, match="not"):
        Engine({"$ref": "http://127.0.0.1:9/schema.json"}).problems(1)


def test_evil_pattern_takes_no_time() -> None:
    engine = Engine({"type": "string", "pattern": "^(a+)+$"})

    with works_at_most(5):
        engine.passes("a" * 10_000 + "!")


def test_pattern_of_another_dialect_does_not_disable_the_other_checks() -> None:
    schema = {
        "properties": {"pattern": {"type": "string", "pattern": "\\p{foo}[", "minLength": 2}},
    }

    (problem,) = Engine(schema).problems({"pattern": "a"})

    assert describe_violation(problem) == "must have at least 2 characters, has 1"


def test_unknown_argument_is_told_with_the_name_that_is_near() -> None:
    schema = {"properties": {"quantity": {}}, "additionalProperties": False}

    lines = argument_lines(Engine(schema).problems({"quantiy": 1}), ["quantity"])

    assert lines == ["quantiy: unknown argument; did you mean `quantity`?"]


def test_schema_takes_along_only_what_it_reaches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "shop_schemas" / "schemas.json"
    path.parent.mkdir()
    (path.parent / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    a = {"type": "array", "items": {"$ref": "#/$defs/B~1x"}}
    b = {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}
    path.write_text(json.dumps({"A": a, "B/x": b, "C": {}}))

    closed = SchemaStore("shop_schemas").with_definitions({"$ref": "#/$defs/A"})

    assert closed == {"$ref": "#/$defs/A", "$defs": {"A": a, "B/x": b}}
    assert Engine(closed).passes([[], None])
    assert not Engine(closed).passes([1])


def test_schema_without_references_needs_no_file() -> None:
    assert SchemaStore("nowhere").with_definitions({"type": "string"}) == {"type": "string"}


def test_evil_pattern_of_names_takes_no_time() -> None:
    nested = {"patternProperties": {"(a+)+$": {"type": "integer"}}, "additionalProperties": False}

    with works_at_most(10):
        (problem,) = Engine(nested).problems({"a" * 4_000 + "!": "x"})

    assert describe_violation(problem) == "unknown"


def test_pattern_that_goes_back_too_often_is_refused_in_plain_words() -> None:
    engine = Engine({"type": "string", "pattern": "^(a|a)*\\1$"})

    (problem,) = engine.problems("a" * 10_000 + "!")

    assert describe_violation(problem).startswith(
        "takes too long to match against its pattern; give a shorter"
    )


def test_numbers_are_compared_in_decimals() -> None:
    assert Engine({"multipleOf": 0.01}).passes(19.99)
    assert not Engine({"multipleOf": 0.01}).passes(19.995)
    assert not Engine({"maximum": 2**53}).passes(2**53 + 1)


def test_members_of_an_object_that_may_have_none_are_unknown_by_name() -> None:
    empty_schema = {"type": "object", "additionalProperties": False}
    schema = {"properties": {"a": empty_schema, "additionalProperties": False}}

    lines = [
        f"{format_place(problem.path)} {describe_violation(problem)}"
        for problem in Engine(schema).problems({"a": {"b": 1, "c": 2}, "additionalProperties": 7})
    ]

    assert sorted(lines) == ["a.b unknown", "a.c unknown", "additionalProperties must not be given"]


def test_nested_dialect_changes_no_rule() -> None:
    schema = {"properties": {"a": {"$schema": DRAFT_7, "pattern": "^(a+)+$"}}}

    assert not Engine(schema).passes({"a": "a" * 40 + "!"})


DRAFT_7 = "http://json-schema.org/draft-07/schema#"
PATTERNS = st.sampled_from(
    ["^a+$", "a|b", "^(a|ab)*c$", "[^a-c]", "^\\d{2,3}$", "", "^$", "\\w-\\w", ".b", "(?:ab)?c$"]
)
TEXTS = st.text("abc1-é \n", max_size=6)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 12), st.floats(-2, 2, width=16), TEXTS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("abx"), inner, max_size=3)
    ),
    max_leaves=6,
)
KINDS = ["string", "integer", "number", "boolean", "null", "array", "object"]


def combine_schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Draws schemas composed of other schemas."""
    search_strategy = st.dictionaries(st.sampled_from("abx"), inner, max_size=2)
    schema_lists = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        st.fixed_dictionaries(
            {},
            optional={
                "properties": search_strategy,
                "patternProperties": st.dictionaries(PATTERNS, inner, max_size=2),
                "additionalProperties": st.one_of(st.booleans(), inner),
                "required": st.lists(st.sampled_from("abx"), unique=True),
                "minProperties": st.integers(0, 2),
            },
        ),
        st.fixed_dictionaries({"items": inner}, optional={"uniqueItems": st.booleans()}),
        schema_lists.map(lambda parts: {"anyOf": parts}),
        schema_lists.map(lambda parts: {"oneOf": parts}),
        schema_lists.map(lambda parts: {"allOf": parts}),
        inner.map(lambda part: {"not": part}),
    )


SCHEMAS = st.recursive(
    st.one_of(
        st.sampled_from(KINDS).map(lambda kind: {"type": kind}),
        PATTERNS.map(lambda pattern: {"pattern": pattern}),
        st.integers(0, 4).map(lambda number: {"minLength": number, "maximum": number}),
        st.sampled_from([0.5, 2, 0.1]).map(lambda number: {"multipleOf": number}),
        st.lists(VALUES, min_size=1, max_size=3).map(lambda values: {"enum": values}),
    ),
    combine_schemas,
    max_leaves=5,
)


@settings(max_examples=examples(150, 400), deadline=None)
@given(schema=SCHEMAS, value=VALUES)
def test_the_verdict_is_that_of_the_jsonschema_package(schema: Any, value: Any) -> None:
    assert Engine(schema).passes(value) == Draft202012Validator(schema).is_valid(value)


def test_null_is_left_to_the_check_of_the_call_where_a_schema_cannot_be_used() -> None:
    properties = {"a": {"$ref": "#/$defs/Missing"}, "b": {"type": "string"}}

    assert never_null({"properties": properties, "required": []}) == {"b"}
