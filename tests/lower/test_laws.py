"""The laws of flattening, over made-up documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jsonschema_rs
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.thorough import examples

from mcpgen.ir.server import ToolSpec
from mcpgen.sampling import sample

NAMES = st.sampled_from(
    ["id", "name", "a_b", "a", "b", "class", "filter[x]", "$top", "X-Y", "é", ""]
)
SCALARS = st.sampled_from(
    [
        {"type": "string"},
        {"type": "string", "enum": ["x", "y"]},
        {"type": "integer", "minimum": 1},
        {"type": "integer", "enum": [1, 2]},
        {"type": "boolean"},
        {"type": ["string", "null"]},
        {"const": "fixed"},
        {"anyOf": [{"type": "integer"}, {"type": "string", "enum": ["auto"]}]},
        {"$ref": "#/$defs/Tree"},
        {},
    ]
)
TREE = {
    "type": "object",
    "required": ["label"],
    "properties": {
        "label": {"type": "string"},
        "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
    },
}


def objects(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Object schemas, some properties required."""
    return st.dictionaries(NAMES, children, min_size=1, max_size=4).flatmap(
        lambda properties: st.lists(st.sampled_from(sorted(properties)), unique=True).map(
            lambda required: {"type": "object", "properties": properties, "required": required}
        )
    )


def unions(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Schemas with branches or with an array of a second schema."""
    branch_lists = st.lists(children, min_size=1, max_size=3)
    return st.one_of(
        branch_lists.map(lambda branches: {"anyOf": branches}),
        branch_lists.map(lambda parts: {"allOf": parts}),
        children.map(lambda items: {"type": "array", "items": items}),
    )


SCHEMAS = st.recursive(
    SCALARS, lambda inner: st.one_of(objects(inner), unions(inner)), max_leaves=12
)
PLACES = st.sampled_from(["query", "header", "cookie"])


@settings(max_examples=examples(60, 200), deadline=None)
@given(
    body=st.one_of(objects(SCHEMAS), SCHEMAS),
    outside=st.lists(st.tuples(PLACES, NAMES.filter(bool), SCHEMAS), max_size=3),
)
def test_every_announced_schema_is_flat(
    build: Any, faults_of: Callable[[ToolSpec], list[str]], body: Any, outside: Any
) -> None:
    parameters = {(p, n): build.parameter(p, n, schema) for p, n, schema in outside}

    lowering = build.lower_operation(
        *parameters.values(), body=build.body(body), definitions={"Tree": TREE}
    )

    for tool in lowering.server.tools:
        assert faults_of(tool) == []
        assert jsonschema_rs.meta.is_valid(tool.input_schema)
        jsonschema_rs.Draft7Validator(tool.input_schema)
    assert len(lowering.server.tools) + len(lowering.server.missing) == 1


@settings(max_examples=examples(60, 200), deadline=None)
@given(body=objects(SCHEMAS))
def test_every_expected_body_is_valid_in_the_document(build: Any, body: Any) -> None:
    definitions = {"Tree": TREE}

    lowering = build.lower_operation(body=build.body(body), definitions=definitions)

    for tool in lowering.server.tools:
        for scenario in tool.scenarios:
            assert jsonschema_rs.is_valid(
                {**body, "$defs": definitions}, scenario.expected_request.body
            )


@settings(max_examples=examples(40, 100), deadline=None)
@given(body=objects(SCHEMAS))
def test_the_same_document_gives_the_same_server(build: Any, body: Any) -> None:
    definitions = {"Tree": TREE}

    first_result = build.lower_operation(body=build.body(body), definitions=definitions)
    second_result = build.lower_operation(body=build.body(body), definitions=definitions)

    assert first_result.server == second_result.server
    assert first_result.diagnostics.sorted() == second_result.diagnostics.sorted()


PLAIN = st.sampled_from(
    [
        {"type": "string"},
        {"type": "integer"},
        {"type": "boolean"},
        {"type": "array", "items": {"type": "string"}},
        {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "string"}}}},
        {"type": "object", "additionalProperties": {"type": "integer"}},
    ]
)


@settings(max_examples=examples(40, 100), deadline=None)
@given(body=st.recursive(objects(PLAIN), objects, max_leaves=6))
def test_a_full_request_survives_flattening_and_assembly(build: Any, body: Any) -> None:
    request = sample(body, {}, optional=True)

    lowering = build.lower_operation(body=build.body(body))

    assert request in [scenario.expected_request.body for scenario in lowering.tool.scenarios]
