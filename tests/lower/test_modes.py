"""The three modes of announced arguments, with the same request behind them."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.thorough import examples

from mcpgen.config import (
    ArgumentConfig,
    Config,
    DeprecatedArguments,
    FlatteningConfig,
    FlattenMode,
    PaginationConfig,
    ToolConfig,
)
from mcpgen.diagnostics import Diagnostics
from mcpgen.lower import lower

MODES = {mode: Config(flattening=FlatteningConfig(mode=mode)) for mode in FlattenMode}
STRICT, NESTED = MODES[FlattenMode.STRICT], MODES[FlattenMode.NESTED]
TREE = {
    "type": "object",
    "required": ["label"],
    "properties": {
        "label": {"type": "string"},
        "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
    },
}
ORDER = {
    "type": "object",
    "required": ["id", "lines"],
    "properties": {
        "id": {"type": "integer", "minimum": 1, "description": "Number of the order."},
        "made": {"type": "string", "readOnly": True},
        "note": {"type": ["string", "null"], "maxLength": 5, "x-odd": True},
        "address": {"type": "object", "properties": {"street": {"type": "string"}}},
        "lines": {"type": "array", "items": {"$ref": "#/$defs/Line"}},
    },
}
LINE = {
    "type": "object",
    "required": ["sku"],
    "properties": {"sku": {"type": "string"}, "price": {"type": "number", "readOnly": True}},
}

NAMES = st.sampled_from(["id", "name", "a_b", "a", "b", "filter[x]", ""])
LEAVES = st.sampled_from(
    [
        {"type": "string"},
        {"type": "string", "enum": ["x", "y"], "default": "x"},
        {"type": "string", "maxLength": 3, "pattern": "^(?!b)"},
        {"type": "integer", "minimum": 1},
        {"type": "integer", "enum": [1, 2]},
        {"type": ["string", "null"]},
        {"const": "fixed"},
        {"anyOf": [{"type": "integer"}, {"type": "string", "enum": ["auto"]}]},
        {"type": "array", "items": {"type": "string", "minLength": 2}, "uniqueItems": True},
        {"type": "object", "additionalProperties": {"type": "integer"}},
        {"$ref": "#/$defs/Tree"},
        {},
    ]
)


def objects(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Object schemas, some nullable."""
    kinds = st.sampled_from(["object", ["object", "null"]])
    return st.dictionaries(NAMES, children, min_size=1, max_size=4).flatmap(
        lambda properties: st.builds(
            lambda required, kind: {"type": kind, "properties": properties, "required": required},
            st.lists(st.sampled_from(sorted(properties)), unique=True),
            kinds,
        )
    )


SCHEMAS = st.recursive(LEAVES, objects, max_leaves=8)


@settings(max_examples=examples(30, 100), deadline=None)
@given(
    body=objects(SCHEMAS),
    outside=st.lists(
        st.tuples(
            st.sampled_from(["query", "header", "cookie"]),
            st.sampled_from(["id", "a", "a_b"]),
            SCHEMAS,
        ),
        max_size=2,
    ),
)
def test_the_same_scenario_sends_the_same_bytes_in_every_mode(
    build: Any, build_request: Any, body: Any, outside: Any
) -> None:
    parameters = {(p, n): build.parameter(p, n, schema) for p, n, schema in outside}

    lowering = {
        mode: build.lower_operation(
            *parameters.values(), body=build.body(body), definitions={"Tree": TREE}, config=config
        )
        for mode, config in MODES.items()
    }

    flat = lowering.pop(FlattenMode.FLAT)
    if not flat.server.tools:
        return
    requests = {
        scenario.name: build_request(flat, scenario.arguments) for scenario in flat.tool.scenarios
    }
    for variant in lowering.values():
        for scenario in variant.tool.scenarios:
            assert build_request(variant, scenario.arguments) == requests[scenario.name]
    strict = lowering[FlattenMode.STRICT].tool
    assert [scenario.name for scenario in strict.scenarios] == list(requests)
    nested = lowering[FlattenMode.NESTED]
    result = [requests[scenario.name] for scenario in nested.tool.scenarios]
    assert all(request in result for request in requests.values()) or "MG360" in nested.codes


@settings(max_examples=examples(30, 100), deadline=None)
@given(body=objects(SCHEMAS))
def test_every_strict_schema_is_what_strict_mode_takes(build: Any, body: Any) -> None:
    lowering = build.of_body(body, definitions={"Tree": TREE}, config=STRICT)

    for tool in lowering.server.tools:
        input_schema = tool.input_schema
        assert input_schema["required"] == list(input_schema["properties"])
        assert input_schema["additionalProperties"] is False
        for argument in tool.arguments:
            assert strict_faults(argument.schema) == []
            assert argument.required is not isinstance(argument.schema["type"], list)


def strict_faults(schema: Any) -> list[str]:
    """Returns the keywords of a node that strict mode rejects."""
    allowed_keywords = {"type", "description", "enum", "pattern", "format", "items", "multipleOf"}
    allowed_keywords |= {"minItems", "maxItems", "minimum", "maximum"}
    allowed_keywords |= {"exclusiveMinimum", "exclusiveMaximum"}
    inner = strict_faults(schema["items"]) if "items" in schema else []
    return sorted(schema.keys() - allowed_keywords) + inner


@settings(max_examples=examples(30, 100), deadline=None)
@given(body=objects(SCHEMAS))
def test_every_nested_schema_stands_alone(build: Any, body: Any) -> None:
    lowering = build.of_body(body, definitions={"Tree": TREE}, config=NESTED)

    for tool in lowering.server.tools:
        assert jsonschema_rs.meta.is_valid(tool.input_schema)
        jsonschema_rs.Draft202012Validator(tool.input_schema)
        assert all(argument.schema.get("description") for argument in tool.arguments)


def test_strict_takes_null_for_what_is_left_out(build: Any, build_request: Any) -> None:
    lowering = build.of_body(ORDER, definitions={"Line": LINE}, config=STRICT)

    arguments: Any = dict.fromkeys(lowering.arguments) | {"id": 1, "lines": "[]"}

    assert build_request(lowering, arguments).body == b'{"id":1,"lines":[]}'
    assert lowering.arguments["note"].schema["type"] == ["string", "null"]


def test_strict_sends_an_explicit_null_by_name(build: Any, build_request: Any) -> None:
    lowering = build.of_body(ORDER, definitions={"Line": LINE}, config=STRICT)

    arguments: Any = dict.fromkeys(lowering.arguments) | {
        "id": 1,
        "lines": "[]",
        "null_fields": ["note"],
    }

    assert build_request(lowering, arguments).body == b'{"id":1,"note":null,"lines":[]}'


def test_strict_checks_what_it_cannot_announce(build: Any, problems_of: Any) -> None:
    lowering = build.of_body(ORDER, definitions={"Line": LINE}, config=STRICT)

    arguments: Any = dict.fromkeys(lowering.arguments) | {
        "id": 1,
        "lines": "[]",
        "note": "too long",
    }

    assert problems_of(lowering, arguments) == ["note: must have at most 5 characters, has 8"]


def test_strict_wants_every_argument(build: Any, problems_of: Any) -> None:
    lowering = build.of_body(ORDER, definitions={"Line": LINE}, config=STRICT)

    problems = problems_of(lowering, {"id": 1, "lines": "[]"})

    assert "note: required, but missing" in problems


def test_strict_leaves_long_enumerations_to_the_server(build: Any, problems_of: Any) -> None:
    values = [f"value{number}" for number in range(1_001)]
    schema = {"type": "object", "properties": {"kind": {"type": "string", "enum": values}}}

    lowering = build.of_body(schema, config=STRICT)

    assert "enum" not in lowering.arguments["kind"].schema
    assert "MG327" in lowering.codes
    assert problems_of(lowering, {"kind": "other"})[0].startswith('kind: must be one of "value0"')


@pytest.mark.repeated("repeats on a large document what tests of single schemas hold")
def test_strict_reports_a_tool_that_is_too_large(build: Any) -> None:
    parameters = [build.parameter("query", f"a{number}") for number in range(5_001)]

    assert "MG328" in build.lower_operation(*parameters, config=STRICT).codes


def test_nested_sends_null_and_objects_as_they_are_given(build: Any, build_request: Any) -> None:
    lowering = build.of_body(ORDER, definitions={"Line": LINE}, config=NESTED)

    arguments: Any = {"id": 1, "note": None, "address": {}, "lines": [{"sku": "a"}]}

    expected = b'{"id":1,"note":null,"address":{},"lines":[{"sku":"a"}]}'
    assert build_request(lowering, arguments).body == expected


def test_nested_does_not_send_what_is_read_only(build: Any, problems_of: Any) -> None:
    lowering = build.of_body(ORDER, definitions={"Line": LINE}, config=NESTED)

    problems = problems_of(lowering, {"id": 1, "lines": [{"sku": "a", "price": 2}]})

    assert problems == ["lines[0].price: must not be given"]


def test_nested_splits_a_form_into_named_and_additional_properties(build: Any) -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "additionalProperties": {"type": "string"},
    }
    form = build.body(schema, "application/x-www-form-urlencoded", examples=({"a": "x", "b": "y"},))

    lowering = build.lower_operation(body=form, config=NESTED)

    assert dict(lowering.scenario("required_only").arguments) == {"a": "sample"}
    assert dict(lowering.scenario("example").arguments) == {
        "a": "x",
        "additional_properties": {"b": "y"},
    }
    assert "MG360" not in lowering.codes


def test_nested_keeps_recursion_inside_the_tool(build: Any, build_request: Any) -> None:
    schema = {"type": "object", "properties": {"tree": {"$ref": "#/$defs/Tree"}}}

    lowering = build.of_body(schema, definitions={"Tree": TREE}, config=NESTED)

    assert list(lowering.tool.input_schema["$defs"]) == ["Tree"]
    tree = {"label": "a", "children": [{"label": "b"}]}
    assert (
        build_request(lowering, {"tree": tree}).body
        == b'{"tree":{"label":"a","children":[{"label":"b"}]}}'
    )


def test_nested_shares_what_would_be_written_out_too_often(build: Any) -> None:
    wide = {"type": "object", "properties": {f"p{n}": {"$ref": "#/$defs/Line"} for n in range(200)}}
    schema = {"type": "object", "properties": {"wide": wide}}

    lowering = build.of_body(schema, definitions={"Line": LINE}, config=NESTED)

    assert list(lowering.tool.shared) == ["Line"]


@pytest.mark.parametrize("place", ["query", "body"])
def test_deprecated_arguments_can_be_dropped(build: Any, place: str) -> None:
    config = Config(flattening=FlatteningConfig(deprecated=DeprecatedArguments.DROP))
    old = {"type": "string", "deprecated": True}
    if place == "query":
        lowering = build.lower_operation(
            build.parameter("query", "old", deprecated=True), config=config
        )
    else:
        lowering = build.of_body({"type": "object", "properties": {"old": old}}, config=config)

    assert lowering.arguments == {}
    assert "MG331" in lowering.codes


def test_deprecated_property_of_an_object_parameter_is_dropped(build: Any) -> None:
    config = Config(flattening=FlatteningConfig(deprecated=DeprecatedArguments.DROP))
    old = {"type": "string", "deprecated": True}
    schema = {"type": "object", "properties": {"new": {"type": "string"}, "old": old}}
    only_old = {"type": "object", "properties": {"old": old}}

    lowering = build.lower_operation(
        build.parameter("query", "p", schema, style="deepObject"),
        build.parameter("query", "q", only_old, style="deepObject"),
        config=config,
    )

    places = [finding.at.pointer for finding in lowering.diagnostics if finding.code.id == "MG331"]
    assert list(lowering.arguments) == ["p_new"]
    assert [place.rpartition("/properties/")[2] for place in places] == ["old", "old"]


def test_required_deprecated_property_of_an_object_parameter_stays(build: Any) -> None:
    config = Config(flattening=FlatteningConfig(deprecated=DeprecatedArguments.DROP))
    old = {"type": "string", "deprecated": True}
    schema = {"type": "object", "properties": {"old": old}, "required": ["old"]}
    parameter = build.parameter("query", "p", schema, style="deepObject", required=True)

    lowering = build.lower_operation(parameter, config=config)

    assert list(lowering.arguments) == ["p_old"]


def test_a_required_deprecated_argument_stays(build: Any) -> None:
    config = Config(flattening=FlatteningConfig(deprecated=DeprecatedArguments.DROP))

    lowering = build.lower_operation(
        build.parameter("query", "old", required=True, deprecated=True), config=config
    )

    assert list(lowering.arguments) == ["old"]


@pytest.mark.parametrize("mode", list(FlattenMode))
def test_tools_without_scenarios_are_the_tools_of_the_build(build: Any, mode: FlattenMode) -> None:
    fixed = {"q": ArgumentConfig(fixed="x")}
    config = Config(
        tools={"*": ToolConfig(arguments=fixed)},
        results=PaginationConfig(limit_items=5),
        flattening=FlatteningConfig(mode=mode),
    )
    parameters = build.parameter("query", "q"), build.parameter("query", "n")
    response = build.response({"type": "array", "items": {"type": "string"}})
    api = build.api(build.operation(*parameters, responses=(response,)))
    diagnostics = Diagnostics()

    listed = lower(api, config, diagnostics, scenarios=False)

    built = build.lower(api, config)
    assert [tool.announced for tool in listed.tools] == [
        tool.announced for tool in built.server.tools
    ]
    assert list(listed.tools[0].input_schema["properties"]) == ["n", "result_cursor"]
    assert {finding.code.id for finding in diagnostics} == built.codes
