"""Bodies become flat arguments."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import jsonschema_rs
import pytest

from mcpgen.config import Config, FlatteningConfig
from mcpgen.diagnostics import Location
from mcpgen.ir.api import (
    MediaType,
    MissingTool,
    Operation,
    Place,
    PropertyEncoding,
    RequestBody,
    Schema,
    Style,
)
from mcpgen.ir.server import PartSpec

AT = Location("spec.yaml")


def test_what_operations_share_is_opened_where_there_is_room(build: Any) -> None:
    text = {"type": "string"}
    owner = {"type": "object", "properties": {"city": text, "street": text}}
    pet = {"type": "object", "properties": {"name": text, "owner": owner}}
    body = build.body({"$ref": "#/$defs/Pet"})
    roomy = build.operation(body=body, id="one")
    narrow = build.operation(build.parameter("path", "id"), body=body, id="two")
    config = Config(flattening=FlatteningConfig(max_arguments=3))

    def lower_operations(*operations: Operation) -> list[tuple[str, ...]]:
        api = build.api(*operations, definitions={"Pet": pet})
        result = build.lower(api, config)
        assert [operation.operation for operation in result.server.tools] == [
            operation.key for operation in operations
        ]
        return [tuple(argument.name for argument in tool.arguments) for tool in result.server.tools]

    assert lower_operations(roomy, narrow) == [
        ("name", "owner_city", "owner_street", "empty_fields"),
        ("id", "name", "owner"),
    ]
    assert lower_operations(narrow, roomy) == lower_operations(roomy, narrow)[::-1]


def test_what_is_reported_of_a_shared_body_is_reported_of_each_operation(build: Any) -> None:
    contradiction = {"allOf": [{"type": "string"}, {"type": "integer"}]}
    pet = {"type": "object", "properties": {"name": {"type": "string"}, "never": contradiction}}
    body = build.body({"$ref": "#/$defs/Pet"})
    first = build.operation(body=body, id="one")
    second = build.operation(build.parameter("path", "id"), body=body, id="two")

    result = build.lower(build.api(first, second, definitions={"Pet": pet}))

    messages = [
        diagnostic.message
        for diagnostic in result.diagnostics
        if diagnostic.code.name == "contradictory-schema"
    ]
    assert len(messages) == len(set(messages)) == 2


def test_objects_beyond_the_argument_limit_are_json_text(build: Any) -> None:
    inner = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(5)}}
    schema = {"type": "object", "properties": {"first": inner, "second": inner}}

    lowering = build.of_body(schema, config=Config(flattening=FlatteningConfig(max_arguments=6)))

    assert set(lowering.arguments) == {*(f"first_p{n}" for n in range(5)), "second", "empty_fields"}
    assert lowering.arguments["second"].text == "json"


def test_a_body_with_more_properties_than_the_limit_is_one_argument(build: Any) -> None:
    schema = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(9)}}

    lowering = build.of_body(schema, config=Config(flattening=FlatteningConfig(max_arguments=5)))

    assert list(lowering.arguments) == ["body"]
    assert lowering.arguments["body"].required


def test_an_optional_body_of_fixed_values_alone_is_always_sent(
    build: Any, build_request: Any
) -> None:
    schema = {
        "type": "object",
        "required": ["status"],
        "properties": {"status": {"type": "string", "enum": ["expired"]}},
    }

    lowering = build.lower_operation(body=build.body(schema, required=False))

    (note,) = [diagnostic for diagnostic in lowering.diagnostics if diagnostic.code.id == "MG329"]
    assert note.message.endswith('may be `{"status": "expired"}`; without arguments it is sent')
    assert build_request(lowering, {}).body == b'{"status":"expired"}'


def test_a_required_property_that_contradicts_itself_makes_the_operation_missing(
    build: Any,
) -> None:
    contradiction = {"allOf": [{"type": "string"}, {"type": "integer"}]}
    schema = {"type": "object", "required": ["a"], "properties": {"a": contradiction}}

    lowering = build.of_body(schema)

    assert lowering.server.tools == ()
    assert "types exclude each other" in lowering.server.missing[0].reason


def test_a_body_property_named_like_a_path_parameter_is_renamed(build: Any) -> None:
    schema = {"type": "object", "properties": {"id": {"type": "string"}}}

    lowering = build.lower_operation(build.parameter("path", "id"), body=build.body(schema))

    assert lowering.arguments["id"].place is Place.PATH
    assert lowering.arguments["body_id"].target == ("id",)
    (finding,) = [
        diagnostic for diagnostic in lowering.diagnostics if diagnostic.code.id == "MG310"
    ]
    assert finding.message == (
        "`id` of `do_thing` is already a path parameter; this property of the body is announced as"
        " `body_id`"
    )


def test_names_that_fall_together_inside_the_body_are_distinguished(build: Any) -> None:
    inner = {"type": "object", "properties": {"b": {"type": "string"}}}
    schema = {"type": "object", "properties": {"a_b": {"type": "string"}, "a": inner}}

    lowering = build.of_body(schema)

    assert [a.target for a in lowering.tool.arguments[:2]] == [("a_b",), ("a", "b")]
    assert len(lowering.arguments) == 3


@pytest.mark.parametrize("name", ["body", "self", "class", "None", "__init__"])
def test_a_property_may_have_a_name_that_python_knows(build: Any, name: str) -> None:
    lowering = build.of_body({"type": "object", "properties": {name: {"type": "string"}}})

    assert lowering.arguments[name].target == (name,)


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, "string"),
        ({"type": "integer"}, "integer"),
        ({"type": "array", "items": {"type": "string"}}, "array"),
    ],
)
def test_a_body_of_one_scalar_or_an_array_is_the_argument_body(
    build: Any, schema: Any, kind: str
) -> None:
    lowering = build.of_body(schema)

    assert lowering.arguments["body"].schema["type"] == kind
    assert lowering.arguments["body"].target == ()
    assert lowering.arguments["body"].text is None


def test_an_array_that_must_be_empty_takes_no_items(build: Any, problems_of: Any) -> None:
    empty = {"type": "array", "maxItems": 0, "items": {"type": "string"}}

    result = build.of_body({"type": "object", "properties": {"empty": empty}})

    assert result.arguments["empty"].schema["maxItems"] == 0
    assert problems_of(result, {"empty": ["a"]})


def test_a_body_that_is_an_array_of_unions_is_json_text(build: Any) -> None:
    item = {"oneOf": [{"type": "string"}, {"type": "object", "properties": {"a": {}}}]}

    lowering = build.of_body({"type": "array", "items": item})

    assert lowering.arguments["body"].text == "json"
    assert lowering.arguments["body"].check == {"type": "array", "items": item}


@pytest.mark.parametrize(
    "keyword",
    [
        {"minProperties": 1},
        {"dependentRequired": {"a": ["b"]}},
        {"not": {"required": ["a", "b"]}},
        {"if": {"required": ["a"]}, "then": {"required": ["b"]}},
        {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
    ],
)
def test_what_judges_several_properties_is_checked_after_assembly(build: Any, keyword: Any) -> None:
    properties = {"a": {"type": "string"}, "b": {"type": "string"}}

    lowering = build.of_body({"type": "object", "properties": properties, **keyword})

    assert set(lowering.arguments) == {"a", "b"}
    assert keyword.keys() <= lowering.route.body.check.keys()


@pytest.mark.parametrize(
    "keywords",
    [
        {"additionalProperties": {"type": "integer"}},
        {"patternProperties": {"^x-": {"type": "integer"}}},
    ],
)
def test_described_unnamed_properties_are_one_json_text_beside_the_named(
    build: Any, build_request: Any, keywords: Any
) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, **keywords}

    lowering = build.of_body(schema)

    assert set(lowering.arguments) == {"a", "additional_properties"}
    arguments = {"a": "one", "additional_properties": '{"x-b": 2}'}
    assert build_request(lowering, arguments).body == b'{"a":"one","x-b":2}'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"b": "two"}', 'additional_properties.b: must be integer, got "two"'),
        ('{"a": 1}', "additional_properties.a: must not be given"),
        ("[1]", "additional_properties: must be object, got an array"),
    ],
)
def test_unnamed_properties_are_checked_inside_their_text(
    build: Any, problems_of: Any, text: str, words: str
) -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "additionalProperties": {"type": "integer"},
    }

    lowering = build.of_body(schema)

    assert words in problems_of(lowering, {"additional_properties": text})


def test_a_required_name_without_a_property_has_the_schema_of_additional_properties(
    build: Any,
) -> None:
    schema = {"type": "object", "required": ["a"], "additionalProperties": {"type": "integer"}}

    result = build.of_body(schema)

    assert result.arguments["a"].schema["type"] == "integer"


@pytest.mark.parametrize(
    "condition",
    [
        {"dependentRequired": {"card": ["address"]}},
        {"dependentSchemas": {"card": {"required": ["address"]}}},
        {"if": {"required": ["card"]}, "then": {"required": ["address"]}},
    ],
)
def test_a_name_that_only_a_condition_requires_is_an_argument(
    build: Any, build_request: Any, condition: Any
) -> None:
    properties = {"card": {"type": "string"}}
    schema = {"type": "object", "properties": properties, "required": ["card"], **condition}

    lowering = build.of_body(schema)
    request = build_request(lowering, {"card": "1", "address": '"x"'})

    assert not lowering.arguments["address"].required
    assert json.loads(request.body) == {"card": "1", "address": "x"}


def test_a_body_of_default_open_properties_has_no_further_argument(build: Any) -> None:
    schema = {"type": "object", "properties": {"a": {}}}

    assert set(build.of_body(schema).arguments) == {"a"}


@pytest.mark.parametrize("additional", [True, {}])
def test_properties_that_an_object_expressly_allows_can_be_sent(
    build: Any, build_request: Any, problems_of: Any, additional: Any
) -> None:
    inner = {"properties": {"b": {"type": "string"}}, "additionalProperties": additional}
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "o": inner},
        "additionalProperties": additional,
    }
    lowering = build.of_body(schema)

    arguments = {"additional_properties": '{"z": 1}', "o_additional_properties": '{"y": [2]}'}

    assert json.loads(build_request(lowering, arguments).body) == {"z": 1, "o": {"y": [2]}}
    problems = problems_of(lowering, {"o_additional_properties": '{"b": "x"}'})
    assert problems[0].startswith("o_additional_properties.b: ")


def test_an_optional_object_can_be_sent_empty(build: Any, build_request: Any) -> None:
    inner = {"type": "object", "properties": {"b": {"type": "string"}}}
    lowering = build.of_body({"type": "object", "properties": {"a": inner, "c": {}}})

    assert build_request(lowering, {"empty_fields": ["a"], "c": "1"}).body == b'{"a":{},"c":1}'
    assert build_request(lowering, {"a_b": "x"}).body == b'{"a":{"b":"x"}}'


def test_an_object_that_is_empty_has_no_value_as_well(build: Any, problems_of: Any) -> None:
    inner = {"type": "object", "properties": {"b": {"type": "string"}}}
    lowering = build.of_body({"type": "object", "properties": {"a": inner}})

    problems = problems_of(lowering, {"empty_fields": ["a"], "a_b": "x"})

    assert problems == ["empty_fields: `a` has a value as well"]


def test_a_required_object_without_required_properties_is_filled_in(
    build: Any, build_request: Any
) -> None:
    inner = {"type": "object", "properties": {"b": {"type": "string"}}}
    schema = {
        "type": "object",
        "required": ["a"],
        "properties": {"a": inner, "c": {"type": "string"}},
    }

    lowering = build.of_body(schema)

    assert set(lowering.arguments) == {"a_b", "c"}
    assert build_request(lowering, {"c": "x"}).body == b'{"a":{},"c":"x"}'
    assert build_request(lowering, {"a_b": "y"}).body == b'{"a":{"b":"y"}}'


def test_a_nullable_body_can_be_sent_as_null(
    build: Any, build_request: Any, problems_of: Any
) -> None:
    schema = {
        "type": ["object", "null"],
        "required": ["a"],
        "properties": {"a": {"type": "string"}},
    }

    lowering = build.of_body(schema)

    assert build_request(lowering, {"null_fields": ["body"]}).body == b"null"
    assert build_request(lowering, {"a": "x"}).body == b'{"a":"x"}'
    assert problems_of(lowering, {"null_fields": ["body"], "a": "x"})
    assert problems_of(lowering, {}) == ["a: required, but missing"]


def test_a_required_form_is_never_null(build: Any) -> None:
    schema = {
        "type": ["object", "null"],
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
    }

    lowering = build.lower_operation(body=build.body(schema, "application/x-www-form-urlencoded"))

    assert lowering.arguments["a"].required
    assert lowering.scenario("required_only").arguments == {"a": "sample"}


def test_a_nullable_object_that_is_null_has_no_value_inside(build: Any, problems_of: Any) -> None:
    inner = {"type": ["object", "null"], "properties": {"b": {"type": "string"}}}
    lowering = build.of_body({"type": "object", "properties": {"a": inner}})

    problems = problems_of(lowering, {"null_fields": ["a"], "a_b": "x"})

    assert problems == ["null_fields: `a` has a value as well"]


@pytest.mark.parametrize(
    ("media_types", "expected"),
    [
        (["application/xml", "application/json"], "application/json"),
        (["multipart/form-data", "application/vnd.a+json"], "application/vnd.a+json"),
        (["text/plain", "application/x-www-form-urlencoded"], "application/x-www-form-urlencoded"),
        (["application/octet-stream", "text/plain"], "text/plain"),
        (
            ["application/json-patch+json", "application/merge-patch+json"],
            "application/merge-patch+json",
        ),
        (["*/*"], "application/json"),
    ],
)
def test_the_preferred_media_type_is_chosen(
    build: Any, media_types: list[str], expected: str
) -> None:
    location = Location("spec.yaml")
    schema = Schema({"type": "object", "properties": {"a": {"type": "string"}}}, location)
    media = tuple(MediaType(name, schema, location) for name in media_types)

    lowering = build.lower_operation(body=RequestBody(True, media, location))

    assert lowering.route.body.media_type == expected


def test_a_body_of_no_media_type_makes_the_operation_missing(build: Any) -> None:
    lowering = build.lower_operation(body=build.body({"type": "object"}, "application xml"))

    assert "`application xml`" in lowering.server.missing[0].reason
    assert {f.severity for f in lowering.diagnostics if f.code.id == "MG330"} == {"error"}


@pytest.mark.parametrize("schema", [{"type": "string"}, {"type": "array", "items": {}}])
def test_a_form_without_properties_is_given_as_it_travels(build: Any, schema: Any) -> None:
    lowering = build.lower_operation(body=build.body(schema, "application/x-www-form-urlencoded"))

    assert lowering.arguments["body"].schema["type"] == "string"
    assert "MG323" in lowering.codes


def test_an_operation_that_could_not_be_read_is_missing_too(build: Any) -> None:
    missing_tool = MissingTool("GET /broken", "no response", Location("spec.yaml"))

    lowering = build.lower(build.api(build.operation(), missing=(missing_tool,)))

    assert lowering.server.missing == (missing_tool,)


def test_keep_going_turns_a_missing_operation_into_a_warning(build: Any) -> None:
    body = build.body({"type": "object"}, "application xml")

    lowering = build.lower_operation(body=body, config=Config(keep_going=True))

    assert not lowering.diagnostics.failed
    assert len(lowering.server.missing) == 1


def test_a_multipart_file_is_base64_and_its_text_fields_are_text(build: Any) -> None:
    schema = {
        "type": "object",
        "required": ["file"],
        "properties": {
            "file": {"type": "string", "format": "binary"},
            "note": {"type": "string"},
            "meta": {"type": "object", "additionalProperties": {"type": "string"}},
        },
    }

    lowering = build.lower_operation(body=build.body(schema, "multipart/form-data"))

    file = lowering.arguments["file"]
    assert (file.text, file.schema["contentEncoding"]) == ("base64", "base64")
    assert lowering.arguments["note"].text is None
    assert lowering.route.body.parts == {"meta": PartSpec("application/json")}


def test_a_binary_body_is_base64(build: Any) -> None:
    schema = {"type": "string", "format": "binary"}

    lowering = build.lower_operation(body=build.body(schema, "application/octet-stream"))

    assert lowering.arguments["body"].text == "base64"
    assert lowering.arguments["body"].required


def test_base64_inside_json_stays_text(build: Any) -> None:
    schema = {"type": "object", "properties": {"data": {"type": "string", "format": "byte"}}}

    argument = build.of_body(schema).arguments["data"]

    assert argument.text is None
    assert argument.schema["contentEncoding"] == "base64"


def test_a_form_with_a_nested_object_is_written_as_its_encoding_says(build: Any) -> None:
    inner = {"type": "object", "properties": {"city": {"type": "string"}}}
    location = Location("spec.yaml")
    encoding = PropertyEncoding("address", "", Style.DEEP_OBJECT, True, False, location)
    schema = {"type": "object", "properties": {"address": inner, "other": inner}}

    lowering = build.lower_operation(
        body=build.body(schema, "application/x-www-form-urlencoded", encodings=(encoding,))
    )

    assert lowering.arguments["address_city"].style is Style.DEEP_OBJECT
    assert lowering.arguments["other_city"].style is None
    fields = lowering.scenario("everything").expected_request.body
    assert [name for name, _ in fields] == ["address[city]", "other"]


def test_an_author_names_a_property(build: Any) -> None:
    schema = {"type": "object", "properties": {"q": {"type": "string", "x-mcp-name": "search"}}}

    assert build.of_body(schema).arguments["search"].target == ("q",)


def test_a_text_body_is_the_argument_body(build: Any) -> None:
    lowering = build.lower_operation(body=build.body(None, "text/plain"))

    assert lowering.arguments["body"].schema["type"] == "string"
    assert lowering.arguments["body"].text is None


def test_other_representations_are_reported(build: Any) -> None:
    body = build.body({"type": "object", "properties": {"a": {}}})
    twice = replace(body, media=(*body.media, MediaType("text/plain", None, body.at)))

    assert "MG320" in build.lower_operation(body=twice).codes


def test_json_text_may_not_hold_what_is_read_only(build: Any) -> None:
    line = {
        "type": "object",
        "properties": {"id": {"type": "integer", "readOnly": True}, "sku": {"type": "string"}},
        "required": ["id", "sku"],
    }

    lowering = build.of_body(
        {"type": "object", "properties": {"lines": {"type": "array", "items": line}}}
    )

    check = lowering.arguments["lines"].check
    assert jsonschema_rs.is_valid(check, [{"sku": "a"}])
    assert not jsonschema_rs.is_valid(check, [{"id": 1, "sku": "a"}])
    assert "id" not in lowering.arguments["lines"].schema["description"]


FORMS = ["application/x-www-form-urlencoded", "multipart/form-data"]


@pytest.mark.parametrize("media", FORMS)
def test_a_required_array_of_a_form_has_items(build: Any, problems_of: Any, media: str) -> None:
    array = {"type": "array", "items": {"type": "string"}}
    schema = {"type": "object", "required": ["l"], "properties": {"l": array}}

    lowering = build.lower_operation(body=build.body(schema, media))

    assert problems_of(lowering, {"l": []}) == ["l: must have at least 1 item, has 0"]


@pytest.mark.parametrize("value", ["x", 99, 1.5])
def test_text_that_is_a_number_is_checked(
    build: Any, build_request: Any, problems_of: Any, value: Any
) -> None:
    lowering = build.lower_operation(
        body=build.body({"type": "integer", "maximum": 5}, "text/plain")
    )

    assert build_request(lowering, {"body": 4}).body == b"4"
    assert problems_of(lowering, {"body": value})


def test_a_part_without_a_schema_holds_the_bytes_of_its_content_type(
    build: Any, build_request: Any
) -> None:
    location = AT / "body"
    schema = Schema({"type": "array", "prefixItems": [{"type": "object"}, {}]}, location)
    encodings = tuple(
        PropertyEncoding("", kind, None, None, False, location)
        for kind in ("application/json", "image/png")
    )
    media = MediaType("multipart/mixed", schema, location, prefix_encodings=encodings)
    lowering = build.lower_operation(body=RequestBody(True, (media,), location))

    body = build_request(lowering, {"body": '[{"a": 1}, "iVBORw=="]'}).body

    assert b'Content-Type: application/json\r\n\r\n{"a":1}\r\n' in body
    assert b"Content-Type: image/png\r\n\r\n\x89PNG\r\n" in body
