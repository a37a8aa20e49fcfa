"""Scenarios state the exact request of a call."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcpgen.diagnostics import Location
from mcpgen.ir.api import PropertyEncoding, Style
from mcpgen.lower.scenarios.validity import is_announced


def test_values_that_python_takes_for_equal_are_asked_about_apart() -> None:
    cases = [({"type": "boolean", "description": item}, item) for item in (True, 1, 1.0)]

    assert [is_announced(schema, value) for schema, value in cases] == [True, False, False]
    assert is_announced({"type": "integer"}, 1)


@pytest.mark.parametrize(
    ("style", "explode", "schema", "value", "expected"),
    [
        ("form", True, {"type": "array", "items": {"type": "string"}}, ["a,b", "c"], "q=a%2Cb&q=c"),
        ("form", False, {"type": "array", "items": {"type": "string"}}, ["a,b", "c"], "q=a%2Cb,c"),
        (
            "spaceDelimited",
            False,
            {"type": "array", "items": {"type": "integer"}},
            [1, 2],
            "q=1%202",
        ),
        (
            "pipeDelimited",
            False,
            {"type": "array", "items": {"type": "integer"}},
            [1, 2],
            "q=1%7C2",
        ),
        (
            "tabDelimited",
            False,
            {"type": "array", "items": {"type": "integer"}},
            [1, 2],
            "q=1%092",
        ),
        ("form", True, {"type": "boolean"}, True, "q=true"),
        ("form", True, {"type": "number"}, 1.5, "q=1.5"),
        ("form", True, {"type": "string"}, "ü &=", "q=%C3%BC%20%26%3D"),
        (
            "deepObject",
            True,
            {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}},
            {"a": 1, "b": "x"},
            "q%5Ba%5D=1&q%5Bb%5D=x",
        ),
        (
            "form",
            True,
            {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}},
            {"a": 1, "b": "x"},
            "a=1&b=x",
        ),
        (
            "form",
            False,
            {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}},
            {"a": 1, "b": "x"},
            "q=a,1,b,x",
        ),
    ],
)
def test_a_query_value_is_written_in_its_style(
    build: Any, style: str, explode: bool, schema: Any, value: Any, expected: str
) -> None:
    parameter = build.parameter(
        "query", "q", schema, style=style, explode=explode, examples=(value,)
    )

    lowering = build.lower_operation(parameter)

    lines = [
        scenario.expected_request.target
        for scenario in lowering.tool.scenarios
        if scenario.name in ("example", "everything")
    ]
    assert f"/things?{expected}" in lines


@pytest.mark.parametrize(
    ("style", "explode", "schema", "value", "expected"),
    [
        ("simple", False, {"type": "string"}, "a/b", "/things/a%2Fb"),
        ("simple", False, {"type": "array", "items": {"type": "integer"}}, [1, 2], "/things/1,2"),
        ("label", True, {"type": "array", "items": {"type": "integer"}}, [1, 2], "/things/.1.2"),
        (
            "matrix",
            True,
            {"type": "array", "items": {"type": "integer"}},
            [1, 2],
            "/things/;id=1;id=2",
        ),
        ("matrix", False, {"type": "integer"}, 5, "/things/;id=5"),
        (
            "pipeDelimited",
            False,
            {"type": "array", "items": {"type": "integer"}},
            [1, 2],
            "/things/1%7C2",
        ),
    ],
)
def test_a_path_value_is_written_in_its_style(
    build: Any, style: str, explode: bool, schema: Any, value: Any, expected: str
) -> None:
    parameter = build.parameter(
        "path", "id", schema, style=style, explode=explode, examples=(value,)
    )

    lowering = build.lower_operation(parameter)

    assert expected in [scenario.expected_request.target for scenario in lowering.tool.scenarios]


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("simple", "1,2"),
        ("spaceDelimited", "1 2"),
        ("tabDelimited", "1\t2"),
        ("pipeDelimited", "1|2"),
    ],
)
def test_the_array_of_a_header_is_joined_as_its_style_says(
    build: Any, style: str, expected: str
) -> None:
    schema = {"type": "array", "items": {"type": "integer"}}
    parameter = build.parameter("header", "X-Ids", schema, style=style, examples=([1, 2],))

    lowering = build.lower_operation(parameter)

    assert lowering.scenario("example").expected_request.headers == {"X-Ids": expected}


@pytest.mark.parametrize(
    ("style", "explode", "expected"),
    [
        (None, None, [("tags", "a"), ("tags", "b")]),
        (Style.FORM, True, [("tags", "a"), ("tags", "b")]),
        (Style.FORM, False, [("tags", "a,b")]),
        (Style.TAB, False, [("tags", "a\tb")]),
    ],
)
def test_the_array_of_a_multipart_body_is_one_part_if_its_style_joins_it(
    build: Any, style: Style | None, explode: bool | None, expected: list[tuple[str, str]]
) -> None:
    schema = {
        "type": "object",
        "properties": {"tags": {"type": "array", "items": {"type": "string"}}},
    }
    encoding = PropertyEncoding("tags", "", style, explode, False, Location("api.json"))
    body = build.body(
        schema, "multipart/form-data", encodings=(encoding,), examples=({"tags": ["a", "b"]},)
    )

    lowering = build.lower_operation(body=body)

    result = [
        (name, text) for name, _, _, text in lowering.scenario("example").expected_request.body
    ]
    assert result == expected


def test_headers_and_cookies_are_expected_with_their_values(build: Any) -> None:
    lowering = build.lower_operation(
        build.parameter("header", "X-Trace", {"type": "integer", "enum": [7]}),
        build.parameter("cookie", "theme", {"type": "string", "enum": ["dark", "light"]}),
    )

    request = lowering.scenario("everything").expected_request
    assert request.headers == {"X-Trace": "7"}
    assert request.cookies == {"theme": "dark"}


def test_required_only_sends_only_what_is_required(build: Any) -> None:
    schema = {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
    }

    lowering = build.lower_operation(build.parameter("query", "q"), body=build.body(schema))

    assert lowering.scenario("required_only").arguments.keys() == {"a"}
    assert lowering.scenario("required_only").expected_request.target == "/things"
    assert lowering.scenario("everything").arguments.keys() == {"q", "a", "b"}


def test_the_documents_example_is_a_scenario(build: Any) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "rows": {"type": "array"}}}
    body = build.body(schema, examples=({"a": "given", "rows": [{"x": 1}]},))

    lowering = build.lower_operation(body=body)

    example = lowering.scenario("example")
    assert json.loads(example.arguments["rows"]) == [{"x": 1}]
    assert example.expected_request.body == {"a": "given", "rows": [{"x": 1}]}


def test_constants_are_expected_on_the_wire(build: Any) -> None:
    schema = {
        "type": "object",
        "required": ["kind", "name"],
        "properties": {"kind": {"const": "a"}, "name": {"type": "string"}},
    }

    lowering = build.of_body(schema)

    assert lowering.scenario("required_only").expected_request.body["kind"] == "a"


def test_an_example_that_the_documents_own_schema_refuses_is_dropped_with_a_note(
    build: Any,
) -> None:
    schema = {
        "type": "object",
        "minProperties": 2,
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
    }

    lowering = build.lower_operation(body=build.body(schema, examples=({"a": "alone"},)))

    assert "example" not in [scenario.name for scenario in lowering.tool.scenarios]
    assert "MG360" in lowering.codes


def test_a_tool_without_a_valid_scenario_says_so(build: Any) -> None:
    impossible_schema = {"type": "object", "properties": {"a": {"type": "string"}}, "not": {}}

    lowering = build.of_body(impossible_schema)

    assert lowering.tool.scenarios == ()
    assert "MG361" in lowering.codes


def test_the_answer_comes_from_the_response_of_success(build: Any) -> None:
    schema = {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}
    responses = (build.response({"type": "string"}, "404"), build.response(schema, "201"))

    answer = build.lower_operation(responses=responses).tool.scenarios[0].stub_response

    assert (answer.status, answer.media_type) == (201, "application/json")
    assert answer.body.keys() == {"id"}


def test_the_answer_is_the_first_example_that_keeps_to_the_schema(build: Any) -> None:
    schema = {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}
    response = build.response(schema, "200", "application/json", {"id": "x"}, {"id": 4711})

    answer = build.lower_operation(responses=(response,)).tool.scenarios[0].stub_response

    assert answer.body == {"id": 4711}


def test_an_answer_without_content_has_none(build: Any) -> None:
    responses = (build.response({"type": "string"}, "204"),)

    answer = build.lower_operation(responses=responses).tool.scenarios[0].stub_response

    assert (answer.status, answer.body) == (204, None)


def test_a_multipart_body_is_expected_as_its_parts(build: Any) -> None:
    schema = {
        "type": "object",
        "required": ["file", "note"],
        "properties": {
            "file": {"type": "string", "format": "binary"},
            "note": {"type": "string", "enum": ["n", "m"]},
        },
    }

    lowering = build.lower_operation(body=build.body(schema, "multipart/form-data"))

    assert lowering.scenario("required_only").expected_request.body == (
        ("file", "application/octet-stream", "file", "c2FtcGxl"),
        ("note", "", "", "n"),
    )


@pytest.mark.parametrize(
    ("media_type", "schema", "value", "target"),
    [
        ("application/json", {"type": "object"}, {"a": [1]}, "/things?%7B%22a%22%3A%5B1%5D%7D"),
        ("application/jsonpath", {"type": "string"}, "$.a[1]", "/things?%24.a%5B1%5D"),
    ],
)
def test_a_whole_query_string_is_expected_without_a_name(
    build: Any, media_type: str, schema: Any, value: Any, target: str
) -> None:
    parameter = build.parameter(
        "query", "q", schema, content=media_type, style="querystring", examples=(value,)
    )

    assert build.lower_operation(parameter).scenario("example").expected_request.target == target


def test_a_text_in_json_is_expected_in_quotes(build: Any) -> None:
    parameter = build.parameter(
        "query", "q", {"type": "string"}, content="application/json", examples=("x",)
    )

    assert (
        build.lower_operation(parameter).scenario("example").expected_request.target
        == "/things?q=%22x%22"
    )


def test_a_call_whose_members_cannot_be_distinguished_is_no_scenario(build: Any) -> None:
    schema = {"type": "array", "items": {"type": "string"}}
    parameter = build.parameter(
        "query", "q", schema, style="pipeDelimited", explode=False, examples=(["a|b", "c"],)
    )

    lowering = build.lower_operation(parameter)

    assert "example" not in [scenario.name for scenario in lowering.tool.scenarios]
    assert "MG360" in lowering.codes


def test_a_field_is_set_to_null_in_a_body_that_has_what_it_needs(build: Any) -> None:
    schema = {
        "type": "object",
        "required": ["name"],
        "properties": {"name": {"type": "string"}, "note": {"type": ["string", "null"]}},
    }

    lowering = build.lower_operation(body=build.body(schema, required=False))

    content = lowering.scenario("null_fields").expected_request.body
    assert content == {"name": content["name"], "note": None}


def test_a_tool_whose_method_the_tests_cannot_read_has_no_scenario(build: Any) -> None:
    lowering = build.lower_operation(method="link")

    assert lowering.route.method == "link"
    assert not lowering.tool.scenarios
    assert "MG376" in lowering.codes
