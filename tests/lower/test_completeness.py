"""Every request allowed by the document can be sent, or a finding explains the gap."""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.thorough import examples

from mcpgen.ir.api import Place
from mcpgen.lower.flatten.schema_view import SchemaViews
from mcpgen.lower.scenarios.sampling import Sampler

NAMES = st.sampled_from(["id", "a_b", "a", "b", "$top", ""])
TEXT = st.text("abé ", max_size=3)
FREE = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 2**60), TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(TEXT, inner, max_size=2)),
    max_leaves=3,
)
Pair = tuple[Any, st.SearchStrategy[Any]]
"""A schema, and a strategy for its values."""

LEAVES: list[Pair] = [
    ({"type": "string"}, TEXT),
    ({"type": "string", "enum": ["x", ""]}, st.sampled_from(["x", ""])),
    ({"type": "integer", "format": "int64"}, st.integers(-(2**63), 2**63 - 1)),
    ({"type": "integer", "enum": [1, 2, 2**53 + 1]}, st.sampled_from([1, 2, 2**53 + 1])),
    ({"enum": [1, "one", None]}, st.sampled_from([1, "one", None])),
    ({"type": ["string", "null"]}, st.one_of(st.none(), TEXT)),
    ({"const": "fixed"}, st.just("fixed")),
    ({"type": "array", "items": {"type": "string"}}, st.lists(TEXT, max_size=2)),
    ({"type": "array", "items": {"type": ["integer", "null"]}}, st.lists(st.none(), max_size=2)),
    (
        {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
        st.lists(st.lists(st.integers(0, 3), max_size=2), max_size=2),
    ),
    (
        {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]},
        st.tuples(TEXT, st.integers(0, 9)).map(list),
    ),
    (
        {"type": "object", "additionalProperties": {"type": ["integer", "null"]}},
        st.dictionaries(TEXT, st.one_of(st.none(), st.integers(0, 3)), max_size=2),
    ),
    (
        {
            "anyOf": [
                {"type": "string"},
                {"type": "object", "required": ["k"], "properties": {"k": {}}},
            ]
        },
        st.one_of(TEXT, FREE.map(lambda value: {"k": value})),
    ),
    ({}, FREE),
]


@st.composite
def objects(draw: Any, depth: int = 0) -> Pair:
    """Draws an object schema with a strategy for its values."""
    names = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    inner = st.sampled_from(LEAVES)
    if depth < 2:
        inner = st.one_of(inner, objects(depth + 1))
    parts: dict[str, Pair] = {name: draw(inner) for name in names}
    required = draw(st.lists(st.sampled_from(names), unique=True))
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: part[0] for name, part in parts.items()},
        "required": required,
    }
    values = st.fixed_dictionaries(
        {name: parts[name][1] for name in required},
        optional={name: parts[name][1] for name in names if name not in required},
    )
    if draw(st.booleans()):
        schema["additionalProperties"] = {"type": "integer"}
        more = st.dictionaries(st.sampled_from(["m", "n"]), st.integers(0, 3), max_size=1)
        values = st.builds(lambda first, second: {**second, **first}, values, more)
    if draw(st.booleans()):
        schema["type"] = ["object", "null"]
        values = st.one_of(st.none(), values)
    return schema, values


@settings(max_examples=examples(80, 300), deadline=None)
@given(pair=objects(), data=st.data())
def test_every_value_that_a_body_allows_can_be_sent(
    build: Any, build_request: Any, pair: Pair, data: Any
) -> None:
    schema, values = pair
    body = data.draw(values)
    assume(jsonschema_rs.is_valid(schema, body))

    lowering = build.of_body(schema)

    arguments = lowering.tool.arguments
    tree: Any = {place: {} for place in Place} | {Place.BODY: {"": body}}
    flat_arguments = Sampler({}, SchemaViews({})).flatten(arguments, tree)
    assert json.loads(build_request(lowering, flat_arguments).body) == body


@pytest.mark.parametrize(
    ("schema", "invalid_value"),
    [
        ({"type": "array", "prefixItems": [{"type": "string"}]}, [1]),
        ({"type": "object", "maxProperties": 1, "additionalProperties": {}}, {"a": 1, "b": 2}),
        ({"not": {"type": "string"}}, "text"),
        ({"enum": [1, "one"]}, 2),
        ({"type": "integer", "enum": [1, 2**53 + 1]}, 2**53),
    ],
)
def test_what_a_value_must_be_is_checked_whatever_its_form(
    build: Any, problems_of: Any, schema: Any, invalid_value: Any
) -> None:
    lowering = build.of_body({"type": "object", "properties": {"value": schema}})

    argument = json.dumps(invalid_value) if lowering.arguments["value"].text else invalid_value

    (problem,) = problems_of(lowering, {"value": argument})
    assert problem.startswith("value")


@pytest.mark.parametrize(
    "keyword",
    [
        {"dependentRequired": {"a": ["b"]}},
        {"dependentSchemas": {"a": {"required": ["b"]}}},
        {"if": {"required": ["a"]}, "then": {"required": ["b"]}},
        {"not": {"required": ["a"]}},
        {"minProperties": 2},
    ],
)
def test_what_properties_demand_of_each_other_is_checked_before_sending(
    build: Any, problems_of: Any, build_request: Any, keyword: Any
) -> None:
    properties = {"a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "string"}}

    lowering = build.of_body({"type": "object", "properties": properties, **keyword})

    assert problems_of(lowering, {"a": "x"})
    assert build_request(lowering, {"b": "x", "c": "y"}).body


def test_properties_of_a_consequence_are_announced(build: Any, build_request: Any) -> None:
    schema = {
        "type": "object",
        "properties": {"kind": {"type": "string"}},
        "if": {"properties": {"kind": {"const": "card"}}},
        "then": {"properties": {"number": {"type": "string"}}},
        "else": {"properties": {"iban": {"type": "string"}}},
    }

    lowering = build.of_body(schema)

    assert set(lowering.arguments) == {"kind", "number", "iban"}
    assert (
        build_request(lowering, {"kind": "card", "number": "1"}).body
        == b'{"kind":"card","number":"1"}'
    )


def test_all_problems_of_a_call_come_at_once(build: Any, problems_of: Any) -> None:
    rows = {"type": "array", "items": {"type": "object", "properties": {"n": {"minimum": 1}}}}
    schema = {
        "type": "object",
        "properties": {"count": {"type": "integer", "minimum": 1}, "rows": rows, "more": rows},
    }

    lowering = build.of_body(schema)
    arguments = {"count": 0, "rows": '[{"n": 0}]', "more": "[{]", "cuont": 1}

    assert sorted(problems_of(lowering, arguments)) == [
        "count: must be >= 1, got 0",
        "cuont: unknown argument; did you mean `count`?",
        "more: is not JSON: Expecting property name enclosed in double quotes at line 1, column 3",
        "rows[0].n: must be >= 1, got 0",
    ]


def test_too_many_values_are_checked_and_not_announced(build: Any, problems_of: Any) -> None:
    kind = {"type": "string", "enum": [f"v{number}" for number in range(1_001)]}

    lowering = build.of_body({"type": "object", "properties": {"kind": kind}})

    assert "enum" not in lowering.arguments["kind"].schema
    assert "MG327" in lowering.codes
    assert problems_of(lowering, {"kind": "other"})
