"""Parameters outside the body become arguments."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcpgen.config import Config, FlatteningConfig, FlattenMode
from mcpgen.diagnostics import Location
from mcpgen.ir.api import (
    ApiSecurityScheme,
    ArgumentExtension,
    Extension,
    Place,
    SchemeKind,
    SchemeUse,
    Style,
)


@pytest.mark.parametrize(
    "name", ["Authorization", "host", "Cookie", "Content-Length", "Connection", "Accept"]
)
def test_headers_of_the_server_are_no_arguments(build: Any, name: str) -> None:
    lowering = build.lower_operation(build.parameter("header", name))

    assert lowering.arguments == {}
    assert "MG312" in lowering.codes


@pytest.mark.parametrize("name", ["Proxy-Connection", "X-Forwarded-For", "Transfer-Encoding"])
def test_headers_of_the_way_are_no_arguments(build: Any, name: str) -> None:
    assert build.lower_operation(build.parameter("header", name)).arguments == {}


def test_a_required_header_of_the_way_comes_from_the_environment(build: Any) -> None:
    header = build.parameter("header", "X-Forwarded-For", required=True)

    lowering = build.lower(
        build.api(
            build.operation(header, path="/a", id="a"), build.operation(header, path="/b", id="b")
        )
    )

    assert [list(tool.settings) for tool in lowering.server.tools] == [["x_forwarded_for"]] * 2
    assert not lowering.tool.input_schema["properties"]
    assert lowering.scenario("required_only").expected_request.headers["X-Forwarded-For"]
    (finding,) = [
        diagnostic for diagnostic in lowering.diagnostics if diagnostic.code.id == "MG377"
    ]
    assert finding.message == (
        "header parameter `X-Forwarded-For` of `GET /a` and 1 more is required; the server takes it"
        " from its setting `x_forwarded_for`"
    )


def test_a_required_header_with_one_value_is_sent_with_it(build: Any, build_request: Any) -> None:
    header = build.parameter("header", "X-Forwarded-Proto", {"enum": ["https"]}, required=True)

    lowering = build.lower_operation(header)

    assert ("X-Forwarded-Proto", "https") in build_request(lowering, {}).headers
    assert not {"MG312", "MG377", "MG378"} & lowering.codes


def test_a_fixed_value_is_sent_in_a_header_of_the_way(build: Any, build_request: Any) -> None:
    header = build.parameter("header", "Via", required=False)
    wish = ArgumentExtension(Location("f"), fixed="1.1 mcp")

    lowering = build.lower_operation(header, extension=Extension(arguments={"Via": wish}))

    assert ("Via", "1.1 mcp") in build_request(lowering, {}).headers


@pytest.mark.parametrize(
    ("name", "schema"), [("Transfer-Encoding", {"type": "string"}), ("Via", {"type": "array"})]
)
def test_a_required_header_that_is_not_sent_is_reported(build: Any, name: str, schema: Any) -> None:
    lowering = build.lower_operation(build.parameter("header", name, schema, required=True))

    assert lowering.arguments == {}
    assert "MG378" in lowering.codes


@pytest.mark.parametrize("name", ["Host", "Content-Length"])
def test_a_required_header_that_the_client_sends_is_only_noted(build: Any, name: str) -> None:
    assert (
        "MG378" not in build.lower_operation(build.parameter("header", name, required=True)).codes
    )


def test_a_parameter_that_carries_a_credential_is_no_argument(build: Any) -> None:
    scheme = ApiSecurityScheme("key", SchemeKind.API_KEY, Location("f"), Place.HEADER, "X-Api-Key")

    lowering = build.lower_operation(
        build.parameter("header", "x-api-key"),
        build.parameter("query", "X-Api-Key"),
        schemes=(scheme,),
    )

    assert [a.place for a in lowering.tool.arguments] == [Place.QUERY]


def test_a_required_credential_that_no_scheme_supplies_is_reported(build: Any) -> None:
    lowering = build.lower_operation(build.parameter("header", "Cookie", required=True))

    assert {"MG312", "MG354"} <= lowering.codes


def test_a_required_parameter_of_another_scheme_is_sent_beside_that_of_the_operation(
    build: Any,
) -> None:
    key = ApiSecurityScheme("key", SchemeKind.API_KEY, Location("f"), Place.HEADER, "api_key")
    login = ApiSecurityScheme("login", SchemeKind.OAUTH2, Location("f"))

    lowering = build.lower_operation(
        build.parameter("header", "api_key", required=True),
        schemes=(key, login),
        security=((SchemeUse("login"),),),
    )

    assert lowering.route.security == (("login", "key"),)


DIGITS = {"type": "string", "pattern": "^[0-9]+$"}
TEXT_OR_DIGITS = {"oneOf": [{"type": "string"}, {"type": "array", "items": DIGITS}]}


@pytest.mark.parametrize(
    ("place", "expected"), [("query", "/things?p=a%2Cb"), ("path", "/things/a%2Cb")]
)
def test_a_text_that_no_item_may_be_is_sent_as_the_only_item(
    build: Any, build_request: Any, problems_of: Any, place: str, expected: str
) -> None:
    lowering = build.lower_operation(build.parameter(place, "p", TEXT_OR_DIGITS))

    request = build_request(lowering, {"p": ["a,b"]})

    assert request.path + (f"?{request.query}" if request.query else "") == expected
    assert build_request(lowering, {"p": ["1", "2"]})
    assert problems_of(lowering, {"p": ["a", "b"]})
    description = lowering.arguments["p"].schema["description"]
    assert (
        "Of several items, each: pattern: `^[0-9]+$`. One item alone may be `string`."
        in description
    )


def one_or_several(scalar: Any, items: Any, **keywords: Any) -> Any:
    return {"anyOf": [scalar, {"type": "array", "items": items, **keywords}]}


INTEGER, WORD = {"type": "integer"}, {"type": "string"}
ALL = {"type": "string", "enum": ["all"]}
AB = {"type": "string", "enum": ["a", "b"]}
LOW = {"type": "integer", "minimum": 0, "maximum": 5}
SHORT = {"type": "string", "maxLength": 1}


@pytest.mark.parametrize(
    ("schema", "expected_items", "argument", "invalid_argument"),
    [
        (one_or_several({"type": "number"}, INTEGER), {"type": "number"}, [1.5], [1.5, 2]),
        (one_or_several(INTEGER, LOW), {"type": "integer"}, [9], [9, 1]),
        (one_or_several(ALL, DIGITS), {"type": "string"}, ["all"], ["all", "1"]),
        (one_or_several(ALL, AB), {**AB, "enum": ["a", "b", "all"]}, ["all"], ["all", "a"]),
        (one_or_several(ALL, INTEGER), {"type": "string"}, ["all"], ["all", "1"]),
        (one_or_several(WORD, INTEGER), {"type": "string"}, ["x"], ["x", "1"]),
        (one_or_several({"type": "boolean"}, INTEGER), {"type": "string"}, ["true"], ["x"]),
        (one_or_several(SHORT, WORD, minItems=2), {"type": "string"}, ["x"], ["xy"]),
        (one_or_several(WORD, WORD, contains=ALL), {"type": "string"}, ["x"], ["x", "y"]),
        (
            {"type": ["string", "array"], "maxLength": 1, "items": DIGITS},
            {"type": "string"},
            ["x"],
            ["x", "1"],
        ),
        (
            {"oneOf": [ALL, SHORT, {"type": "array", "items": DIGITS}]},
            {"type": "string"},
            ["all"],
            ["all", "1"],
        ),
    ],
)
def test_the_only_item_may_be_the_value_alone(
    build: Any,
    build_request: Any,
    problems_of: Any,
    schema: Any,
    expected_items: Any,
    argument: Any,
    invalid_argument: Any,
) -> None:
    lowering = build.lower_operation(build.parameter("query", "p", schema))

    assert lowering.arguments["p"].schema["items"] == expected_items
    assert build_request(lowering, {"p": argument}).query == f"p={argument[0]}"
    assert problems_of(lowering, {"p": invalid_argument})


def test_several_numbers_are_sent_where_a_text_alone_is_allowed(
    build: Any, build_request: Any
) -> None:
    lowering = build.lower_operation(build.parameter("query", "p", one_or_several(WORD, INTEGER)))

    assert build_request(lowering, {"p": ["1", "2"]}).query == "p=1&p=2"


def test_a_text_that_an_item_may_be_needs_no_check(build: Any) -> None:
    schema = {"oneOf": [DIGITS, {"type": "array", "items": DIGITS}]}

    argument = build.lower_operation(build.parameter("query", "p", schema)).arguments["p"]

    assert (argument.schema["items"], argument.check) == (DIGITS, None)


@pytest.mark.parametrize(
    ("place", "fields", "expected"),
    [
        ("header", {}, "a,b. c|d"),
        ("path", {"style": "label", "explode": True}, "/things/.a%2Cb.%20c%7Cd"),
        ("query", {"style": "spaceDelimited"}, "p=a%2Cb.%20c%7Cd"),
        ("query", {"style": "pipeDelimited"}, "p=a%2Cb.%20c%7Cd"),
        ("query", {"style": "deepObject"}, "p=a%2Cb.%20c%7Cd"),
        ("query", {"explode": False, "allow_reserved": True}, "p=a,b.%20c%7Cd"),
    ],
)
def test_a_text_that_could_be_read_as_items_is_distinguished_by_json_text(
    build: Any, build_request: Any, place: str, fields: Any, expected: str
) -> None:
    lowering = build.lower_operation(build.parameter(place, "p", TEXT_OR_DIGITS, **fields))

    request = build_request(lowering, {"p": '"a,b. c|d"'})

    assert lowering.arguments["p"].text == "json"
    assert expected in (request.path, request.query, dict(request.headers).get("p"))
    assert build_request(lowering, {"p": '["1","2"]'})


def test_a_value_that_holds_no_delimiter_is_the_only_item_of_a_header(
    build: Any, build_request: Any
) -> None:
    lowering = build.lower_operation(build.parameter("header", "p", one_or_several(ALL, DIGITS)))

    assert dict(build_request(lowering, {"p": ["all"]}).headers)["p"] == "all"


def test_a_property_of_a_deep_object_is_an_array_only_where_the_call_says_so(
    build: Any, build_request: Any
) -> None:
    schema = {"type": "object", "properties": {"k": TEXT_OR_DIGITS}}

    lowering = build.lower_operation(build.parameter("query", "p", schema, style="deepObject"))

    queries = [build_request(lowering, {"p_k": item}).query for item in ('"1"', '["1"]')]
    assert queries == ["p%5Bk%5D=1", "p%5Bk%5D%5B%5D=1"]


def test_required_array_in_an_object_has_at_least_one_item(build: Any, problems_of: Any) -> None:
    array = {"type": "array", "items": {"type": "string"}}
    schema = {"type": "object", "properties": {"ids": array, "tags": array}, "required": ["ids"]}
    parameter = build.parameter("query", "p", schema, style="deepObject", required=True)

    lowering = build.lower_operation(parameter)

    assert lowering.arguments["p_ids"].schema["minItems"] == 1
    assert "minItems" not in lowering.arguments["p_tags"].schema
    assert problems_of(lowering, {"p_ids": []})[0].startswith("p_ids: ")


@pytest.mark.parametrize(
    ("style", "explode", "query"),
    [
        ("deepObject", True, "p%5Bkind%5D=x&p%5Bsize%5D=1"),
        ("form", True, "kind=x&size=1"),
        ("form", False, "p=kind,x,size,1"),
    ],
)
def test_object_whose_properties_have_a_single_value_each_is_sent_without_an_argument(
    build: Any, build_request: Any, style: str, explode: bool, query: str
) -> None:
    schema = {
        "type": "object",
        "properties": {"kind": {"const": "x"}, "size": {"enum": [1]}},
        "required": ["kind", "size"],
        "additionalProperties": False,
    }
    parameter = build.parameter("query", "p", schema, style=style, explode=explode, required=True)

    lowering = build.lower_operation(parameter)

    assert lowering.arguments == {}
    assert build_request(lowering, {}).query == query


def test_scenarios_hold_numbers_as_the_texts_that_are_announced(build: Any) -> None:
    array_schema = {"type": "array", "items": INTEGER, "examples": [[1, 2]]}
    schema = {"anyOf": [array_schema, WORD]}

    lowering = build.lower_operation(build.parameter("query", "p", schema))

    assert ["1", "2"] in [scenario.arguments.get("p") for scenario in lowering.tool.scenarios]


def test_a_pattern_that_does_not_compile_is_dropped_with_a_warning(build: Any) -> None:
    lowering = build.lower_operation(
        build.parameter("query", "q", {"type": "string", "pattern": "(("})
    )

    assert "pattern" not in lowering.arguments["q"].schema
    assert "MG314" in lowering.codes


def test_a_path_without_a_parameter_for_its_placeholder_is_missing(build: Any) -> None:
    lowering = build.lower_operation(path="/things/{id}")

    assert lowering.server.tools == ()
    assert "`{id}`" in lowering.server.missing[0].reason
    assert lowering.diagnostics.failed


def test_a_path_parameter_without_a_placeholder_is_left_out(build: Any) -> None:
    lowering = build.lower_operation(build.parameter("path", "id"), path="/things")

    assert lowering.arguments == {}
    assert "MG312" in lowering.codes


@pytest.mark.parametrize("mode", list(FlattenMode))
@pytest.mark.parametrize(
    ("schema", "key", "is_sent"),
    [
        ({"type": "object", "additionalProperties": {"type": "string"}}, "limit", False),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "other", True),
        ({"type": "object", "additionalProperties": True}, "limit", False),
        (
            {
                "type": "object",
                "properties": {"limit": {"type": "string"}},
                "additionalProperties": True,
            },
            "limit",
            True,
        ),
    ],
)
def test_a_free_key_of_an_exploded_object_is_no_other_parameter(
    build: Any,
    build_request: Any,
    problems_of: Any,
    mode: FlattenMode,
    schema: Any,
    key: str,
    is_sent: bool,
) -> None:
    config = Config(flattening=FlatteningConfig(mode=mode))
    limit = build.parameter("query", "limit", {"type": "integer"})
    lowering = build.lower_operation(limit, build.parameter("query", "free", schema), config=config)
    value = {key: "9"} if mode is FlattenMode.NESTED else json.dumps({key: "9"})
    defaults = dict.fromkeys(lowering.arguments) if mode is FlattenMode.STRICT else {}

    arguments = {**defaults, "free": value}

    if is_sent:
        assert build_request(lowering, arguments).query == f"{key}=9"
    else:
        assert problems_of(lowering, arguments)[0].startswith("free.limit: ")


@pytest.mark.parametrize(
    ("media_type", "query"),
    [
        ("application/json-seq", "q=%1E1%0A%1E%22a%22%0A"),
        ("application/geo+json-seq", "q=%1E1%0A%1E%22a%22%0A"),
        ("application/jsonl", "q=1%0A%22a%22%0A"),
        ("application/x-ndjson; charset=utf-8", "q=1%0A%22a%22%0A"),
        ("application/json", "q=%5B1%2C%22a%22%5D"),
    ],
)
def test_a_parameter_whose_media_type_is_a_sequence_is_written_as_one(
    build: Any, build_request: Any, media_type: str, query: str
) -> None:
    schema = {"type": "array", "items": {}, "examples": [[1, "a"]]}

    lowering = build.lower_operation(build.parameter("query", "q", schema, content=media_type))

    assert build_request(lowering, {"q": '[1, "a"]'}).query == query
    assert lowering.scenario("everything").expected_request.target == f"/things?{query}"


TABLE = {"type": "array", "items": {"type": "array", "items": {"type": "string"}}}


@pytest.mark.parametrize(
    ("style", "explode", "rows", "query"),
    [
        (Style.FORM, False, Style.PIPE, "q=a%7Cb%2C,c"),
        (Style.FORM, True, Style.FORM, "q=a,b%2C&q=c"),
        (Style.TAB, False, Style.FORM, "q=a,b%2C%09c"),
    ],
)
def test_arrays_inside_an_array_are_written_with_a_separator_of_their_own(
    build: Any, build_request: Any, style: Style, explode: bool, rows: Style, query: str
) -> None:
    schema = {**TABLE, "examples": [[["a", "b,"], ["c"]]]}

    lowering = build.lower_operation(
        build.parameter("query", "q", schema, style=style, explode=explode, rows=rows)
    )

    assert build_request(lowering, {"q": '[["a", "b,"], ["c"]]'}).query == query
    assert lowering.scenario("everything").expected_request.target == f"/things?{query}"


@pytest.mark.parametrize("place", ["path", "header"])
def test_arrays_inside_an_array_stand_in_paths_and_headers(
    build: Any, build_request: Any, place: str
) -> None:
    schema = {**TABLE, "examples": [[["a", "b"], ["c"]]]}

    lowering = build.lower_operation(
        build.parameter(place, "q", schema, rows=Style.PIPE, required=True)
    )

    request = build_request(lowering, {"q": '[["a", "b"], ["c"]]'})
    expected = lowering.scenario("required_only").expected_request
    if place == "path":
        assert request.path == expected.target == "/things/a%7Cb,c"
    else:
        assert ("q", "a|b,c") in request.headers
        assert expected.headers["q"] == "a|b,c"


@pytest.mark.parametrize("value", ['[["a|b"]]', "[[]]", '[["a"], []]'])
def test_arrays_inside_an_array_that_could_be_read_otherwise_are_refused(
    build: Any, problems_of: Any, value: str
) -> None:
    parameter = build.parameter("query", "q", TABLE, explode=False, rows=Style.PIPE)

    assert problems_of(build.lower_operation(parameter), {"q": value})
