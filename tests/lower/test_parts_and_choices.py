"""Parts of multipart bodies, sequences, odd forms, and the user's choice between representations."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mcpgen.config import Config
from mcpgen.diagnostics import Location
from mcpgen.ir.api import MediaType, PropertyEncoding, RequestBody, Schema
from mcpgen.ir.server import PartSpec

AT = Location("spec.yaml")
FORM = "multipart/form-data"
FILE = {"type": "string", "format": "binary"}


def encoding(name: str, content_type: str = "", **more: Any) -> PropertyEncoding:
    """Returns the encoding of one property."""
    return replace(PropertyEncoding(name, content_type, None, None, False, AT), **more)


def multipart(build: Any, schema: Any, *encodings: PropertyEncoding, **more: Any) -> Any:
    """Returns the server of one operation with a multipart body of one property `p`."""
    form_schema = {"type": "object", "properties": {"p": schema}, "required": ["p"]}
    return build.lower_operation(body=build.body(form_schema, FORM, encodings=encodings), **more)


TEXT_OR_TEXTS = {
    "oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string", "maxLength": 1}}]
}


@pytest.mark.parametrize(("argument", "texts"), [('"a,b"', ["a,b"]), ('["1", "2"]', ["1", "2"])])
def test_one_text_or_several_are_parts_of_plain_text(
    build: Any, build_request: Any, argument: str, texts: list[str]
) -> None:
    lowering = multipart(build, TEXT_OR_TEXTS)

    body = build_request(lowering, {"p": argument}).body

    assert body.count(b'name="p"\r\n\r\n') == len(texts)
    assert all(f"\r\n\r\n{text}\r\n".encode() in body for text in texts)
    assert lowering.scenario("required_only").expected_request.body == (("p", "", "", "sample"),)


@pytest.mark.parametrize("schema", [{"type": "object"}, {"type": "array"}])
def test_one_text_or_an_object_is_a_part_of_json(build: Any, schema: Any) -> None:
    schema = {"oneOf": [{"type": "string"}, schema | {"items": {"type": "object"}}]}

    lowering = multipart(build, schema)

    assert lowering.route.body.parts["p"].media_type == "application/json"


@pytest.mark.parametrize(("argument", "body"), [('"a,b"', b"p=a%2Cb"), ('["1", "2"]', b"p=1&p=2")])
def test_one_text_or_several_are_fields_of_a_form(
    build: Any, build_request: Any, argument: str, body: bytes
) -> None:
    form_schema = {"type": "object", "properties": {"p": TEXT_OR_TEXTS}}
    lowering = build.lower_operation(
        body=build.body(form_schema, "application/x-www-form-urlencoded")
    )

    assert build_request(lowering, {"p": argument}).body == body


def test_positional_parts_are_one_array(build: Any) -> None:
    prefix = [{"type": "object", "properties": {"a": {"type": "string"}}}, FILE]
    schema = {"type": "array", "prefixItems": prefix, "items": {"type": "string"}}
    body = build.body(schema, "multipart/mixed")
    media = replace(body.media[0], prefix_encodings=(encoding(""), encoding("", "image/png")))

    lowering = build.lower_operation(body=replace(body, media=(media,)))

    assert lowering.route.body.parts == {
        "0": PartSpec("application/json"),
        "1": PartSpec("image/png", base64=True),
    }
    assert lowering.scenario("required_only").expected_request.body[1] == (
        "",
        "image/png",
        "",
        "c2FtcGxl",
    )


def test_a_stream_of_files_is_an_array_of_base64(build: Any) -> None:
    array = {"type": "array", "items": FILE}
    body = build.body(array, "multipart/mixed")
    media = replace(
        body.media[0], item_schema=Schema(FILE, AT), item_encoding=encoding("", "image/png")
    )

    lowering = build.lower_operation(body=replace(body, media=(media,)))

    assert lowering.arguments["body"].schema["type"] == "array"
    assert lowering.route.body.parts == {"": PartSpec("image/png")}


def test_a_first_part_with_a_content_type_of_its_own_leaves_a_stream_of_files(build: Any) -> None:
    body = build.body({"type": "array", "items": FILE}, "multipart/mixed")
    media = replace(
        body.media[0],
        item_schema=Schema(FILE, AT),
        prefix_encodings=(encoding("", "application/pdf"),),
        item_encoding=encoding("", "image/png"),
    )

    lowering = build.lower_operation(body=replace(body, media=(media,)))

    sent = lowering.scenario("required_only").expected_request.body
    assert lowering.arguments["body"].schema["type"] == "array"
    assert sent == (("", "application/pdf", "", "c2FtcGxl"),)


@pytest.mark.parametrize("example", [None, 5, {"a": "b"}])
def test_an_example_of_positional_parts_that_is_no_array_makes_no_scenario(
    build: Any, example: Any
) -> None:
    schema = {"type": "array", "prefixItems": [FILE], "items": {"type": "object"}}

    lowering = build.lower_operation(
        body=build.body(schema, "multipart/mixed", examples=(example,))
    )

    assert [scenario.name for scenario in lowering.tool.scenarios] == [
        "required_only",
        "everything",
    ]


LINES = [
    {"type": "array", "items": {"type": "integer", "minimum": 1}},
    {"type": "integer", "minimum": 1},
]


@pytest.mark.parametrize("schema", LINES)
@pytest.mark.parametrize("media_type", ["application/x-ndjson", "application/json-seq"])
def test_a_sequence_is_an_array_whose_items_are_announced(
    build: Any, schema: Any, media_type: str
) -> None:
    lowering = build.lower_operation(body=build.body(schema, media_type))

    argument = lowering.arguments["body"]
    assert argument.schema["items"]["minimum"] == 1
    assert lowering.scenario("required_only").expected_request.body == [1]


def test_an_item_schema_describes_each_value_of_a_sequence(build: Any) -> None:
    item_schema = {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}
    body = build.body({"type": "string"}, "application/jsonl")
    media = replace(body.media[0], item_schema=Schema(item_schema, AT))

    lowering = build.lower_operation(body=replace(body, media=(media,)))

    assert lowering.arguments["body"].check == {"type": "array", "items": item_schema}


RANGES = [
    ("*/*", FILE, "application/octet-stream", ["body"]),
    ("text/*", None, "text/plain", ["body"]),
    ("image/*", None, "image/*", ["body", "content_type"]),
    ("text/plain; charset=no-such", None, "text/plain; charset=no-such", ["body"]),
]


@pytest.mark.parametrize(("name", "schema", "media_type", "arguments"), RANGES)
def test_a_range_is_sent_as_something_in_it(
    build: Any, name: str, schema: Any, media_type: str, arguments: list[str]
) -> None:
    lowering = build.lower_operation(body=build.body(schema, name))

    assert lowering.route.body.media_type == media_type
    assert list(lowering.arguments) == arguments
    assert lowering.tool.scenarios


def test_a_body_with_a_file_is_not_sent_as_pairs(build: Any) -> None:
    schema = Schema({"type": "object", "properties": {"f": FILE}}, AT)
    media = tuple(
        MediaType(name, schema, AT) for name in ("application/x-www-form-urlencoded", FORM)
    )

    lowering = build.lower_operation(body=RequestBody(True, media, AT))

    assert lowering.route.body.media_type == FORM


OFFERED = ("application/json", "application/xml", "text/plain; charset=utf-8")


def choosing(build: Any, bodies: dict[str, str]) -> Any:
    """Returns the server of one operation with several representations and configured choices."""
    media = tuple(MediaType(name, Schema({"type": "string"}, AT), AT) for name in OFFERED)
    return build.lower_operation(body=RequestBody(True, media, AT), config=Config(bodies=bodies))


@pytest.mark.parametrize(
    ("bodies", "expected"),
    [
        ({}, "application/json"),
        ({"*": "application/xml"}, "application/xml"),
        ({"doThing": "application/XML"}, "application/xml"),
        ({"POST /things": "text/plain"}, "text/plain; charset=utf-8"),
        ({"*": "application/xml", "doThing": "application/json"}, "application/json"),
    ],
)
def test_the_user_chooses_a_representation(build: Any, bodies: Any, expected: str) -> None:
    lowering = choosing(build, bodies)

    assert lowering.route.body.media_type == expected
    assert not lowering.diagnostics.failed


@pytest.mark.parametrize(
    ("bodies", "code", "hint"),
    [
        ({"POST /thing": "application/xml"}, "MG325", "did you mean `POST /things`?"),
        ({"doThing": "application/xlm"}, "MG326", "did you mean `application/xml`?"),
        ({"*": "image/png"}, "MG326", "choose from `application/json`"),
    ],
)
def test_a_choice_that_cannot_be_made_is_reported(
    build: Any, bodies: Any, code: str, hint: str
) -> None:
    lowering = choosing(build, bodies)

    (finding,) = [diagnostic for diagnostic in lowering.diagnostics if diagnostic.code.id == code]
    assert finding.severity == "error"
    assert hint in finding.hint


def test_a_part_whose_content_type_cannot_be_written_is_reported(build: Any) -> None:
    pair = {"type": "object", "properties": {"a": {"type": "string"}}}

    lowering = multipart(build, pair, encoding("p", "application/x-www-form-urlencoded"))
    silent = multipart(build, pair, encoding("p", "text/csv, application/json"))

    assert "MG332" in lowering.codes
    assert "MG332" not in silent.codes


@pytest.mark.parametrize("media", [FORM, "application/x-www-form-urlencoded"])
def test_an_empty_object_that_cannot_be_sent_is_reported(build: Any, media: str) -> None:
    inner = {"type": "object", "properties": {"a": {"type": "string"}}}
    schema = {"type": "object", "properties": {"p": inner}}

    assert "MG333" in build.lower_operation(body=build.body(schema, media)).codes
    assert "MG333" not in build.of_body(schema).codes


def test_the_pattern_of_a_content_type_escapes_only_syntax_characters(build: Any) -> None:
    result = multipart(build, FILE, encoding("p", "application/x-a+b; charset=utf-8, x-b/*"))

    assert result.arguments["p_content_type"].schema["pattern"] == (
        r"^(?:application/x-a\+b; charset=utf-8|x-b/[A-Za-z0-9][A-Za-z0-9.+_-]*)$"
    )


def test_a_form_that_may_be_a_list_is_an_object_of_fields(build: Any) -> None:
    fields = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
    texts = {"type": "array", "items": {"type": "string", "pattern": "(?<=a)b"}}

    lowering = build.lower_operation(
        body=build.body({"oneOf": [texts, fields]}, "application/x-www-form-urlencoded")
    )

    assert lowering.arguments["body"].check["allOf"][1] == {"type": "object"}
    assert all(
        not isinstance(scenario.expected_request.body, list) for scenario in lowering.tool.scenarios
    )
