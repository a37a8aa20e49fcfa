"""Examples of flattening: announced arguments, and the request on the wire."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.runtime_harness import InvalidArguments, build_request

OBJECT = "object"


def body_of(lowering: Any, arguments: dict[str, Any]) -> Any:
    """Returns the JSON body caused by the arguments."""
    return json.loads(build_request(lowering.server, arguments).body or b"null")


def test_patch_sends_a_null_for_each_field_that_is_listed(build: Any) -> None:
    schema = {
        "type": OBJECT,
        "properties": {"name": {"type": ["string", "null"]}, "age": {"type": ["integer", "null"]}},
    }
    lowering = build.of_body(schema, method="PATCH")

    assert body_of(lowering, {"age": 3, "null_fields": ["name"]}) == {"name": None, "age": 3}
    assert lowering.arguments["null_fields"].schema["items"]["enum"] == ["name", "age"]
    with pytest.raises(InvalidArguments, match="`name` has a value as well"):
        build_request(lowering.server, {"name": "x", "null_fields": ["name"]})


@pytest.mark.parametrize("value", ["../../admin", "..", ".", "", "%2e%2e", "a/../b"])
def test_a_path_parameter_never_leaves_its_segment(build: Any, value: str) -> None:
    lowering = build.lower_operation(build.parameter("path", "id"))

    with pytest.raises(InvalidArguments):
        build_request(lowering.server, {"id": value})


def test_a_slash_in_a_path_parameter_is_encoded(build: Any) -> None:
    lowering = build.lower_operation(build.parameter("path", "id"))

    assert build_request(lowering.server, {"id": "a/b"}).path == "/things/a%2Fb"


def test_the_same_name_in_path_and_body_becomes_two_arguments(build: Any) -> None:
    schema = {"type": OBJECT, "properties": {"id": {"type": "integer"}}}
    lowering = build.lower_operation(build.parameter("path", "id"), body=build.body(schema))

    request = build_request(lowering.server, {"id": "x", "body_id": 4})

    assert (request.path, request.body) == ("/things/x", b'{"id":4}')
    assert "MG310" in lowering.codes


def test_a_deep_object_is_written_with_brackets(build: Any) -> None:
    schema = {
        "type": OBJECT,
        "properties": {"min": {"type": "integer"}, "max": {"type": "integer"}},
    }
    lowering = build.lower_operation(build.parameter("query", "size", schema, style="deepObject"))

    assert (
        build_request(lowering.server, {"size_min": 1, "size_max": 9}).query
        == "size%5Bmin%5D=1&size%5Bmax%5D=9"
    )


def test_commas_inside_the_values_of_an_unexploded_array_are_encoded(build: Any) -> None:
    schema = {"type": "array", "items": {"type": "string"}}
    lowering = build.lower_operation(build.parameter("query", "tags", schema, explode=False))

    assert build_request(lowering.server, {"tags": ["a,b", "c"]}).query == "tags=a%2Cb,c"


def test_a_body_that_is_an_array_of_unions_is_one_text_that_is_checked(build: Any) -> None:
    cat = {"type": OBJECT, "required": ["lives"], "properties": {"lives": {"type": "integer"}}}
    schema = {"type": "array", "items": {"oneOf": [cat, {"type": "string"}]}}
    lowering = build.of_body(schema)

    assert body_of(lowering, {"body": '[{"lives": 9}, "dog"]'}) == [{"lives": 9}, "dog"]
    with pytest.raises(InvalidArguments, match=r"body\[1\]"):
        build_request(lowering.server, {"body": '["dog", {"lives": "nine"}]'})


def test_a_recursive_tree_is_flat_once_and_a_text_below(build: Any) -> None:
    tree = {
        "type": OBJECT,
        "required": ["label"],
        "properties": {
            "label": {"type": "string"},
            "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
        },
    }
    schema = {"type": OBJECT, "properties": {"root": {"$ref": "#/$defs/Tree"}}}
    lowering = build.of_body(schema, definitions={"Tree": tree})
    arguments = {"root_label": "a", "root_children": '[{"label": "b"}]'}

    assert body_of(lowering, arguments) == {"root": {"label": "a", "children": [{"label": "b"}]}}
    with pytest.raises(InvalidArguments, match=r"root_children\[0\]"):
        build_request(lowering.server, {"root_label": "a", "root_children": "[{}]"})


def test_a_map_of_references_is_checked_against_what_it_refers_to(build: Any) -> None:
    schema = {"type": OBJECT, "additionalProperties": {"$ref": "#/$defs/Price"}}
    price = {"type": "number", "minimum": 0}
    lowering = build.of_body(
        {"type": OBJECT, "properties": {"prices": schema}}, definitions={"Price": price}
    )

    assert body_of(lowering, {"prices": '{"tea": 2.5}'}) == {"prices": {"tea": 2.5}}
    with pytest.raises(InvalidArguments, match="tea"):
        build_request(lowering.server, {"prices": '{"tea": -1}'})


def test_a_type_list_with_null_is_announced_without_null(build: Any) -> None:
    schema = {"type": OBJECT, "properties": {"note": {"type": ["string", "null"]}}}

    lowering = build.of_body(schema)

    assert lowering.arguments["note"].schema["type"] == "string"


def test_an_object_in_a_form_is_json_unless_it_has_a_style(build: Any) -> None:
    schema = {
        "type": OBJECT,
        "properties": {"address": {"type": OBJECT, "properties": {"street": {"type": "string"}}}},
    }
    lowering = build.lower_operation(body=build.body(schema, "application/x-www-form-urlencoded"))

    body = build_request(lowering.server, {"address_street": "A 1"}).body

    assert body == b"address=%7B%22street%22%3A%22A%201%22%7D"


def test_a_file_of_a_form_travels_as_bytes_with_a_file_name(build: Any) -> None:
    file = {"type": "string", "format": "binary"}
    schema = {"type": OBJECT, "properties": {"file": file}, "required": ["file"]}
    lowering = build.lower_operation(body=build.body(schema, "multipart/form-data"))

    body = build_request(lowering.server, {"file": "AAEC/w=="}).body or b""

    assert b'name="file"; filename="file"\r\n' in body
    assert b"\r\n\r\n\x00\x01\x02\xff\r\n" in body


@pytest.mark.parametrize("value", ["a\r\nX-Other: 1", "a\nb", "a\rb", "a\x00b"])
def test_a_header_value_cannot_end_its_header(build: Any, value: str) -> None:
    lowering = build.lower_operation(build.parameter("header", "X-Note"))

    with pytest.raises(InvalidArguments, match="x_note: must hold printable ASCII"):
        build_request(lowering.server, {"x_note": value})


@pytest.mark.parametrize("name", ["body", "self", "class", "None", "__init__"])
def test_a_property_may_have_any_name_of_python(build: Any, name: str) -> None:
    schema = {"type": OBJECT, "properties": {name: {"type": "string"}}}
    lowering = build.of_body(schema)
    (argument_name,) = lowering.arguments

    assert body_of(lowering, {argument_name: "x"}) == {name: "x"}


def test_an_operation_id_of_200_characters_is_cut_at_a_word(build: Any) -> None:
    lowering = build.lower_operation(id="listAllOfTheThings" * 12)

    assert len(lowering.tool.name) <= 40
    assert "MG305" in lowering.codes


def test_two_operation_ids_that_differ_in_case_are_two_tools(build: Any) -> None:
    first = build.operation(id="getThing", path="/a")
    second = build.operation(id="GETTHING", path="/b")

    lowering = build.lower(build.api(first, second))

    names = [tool.name for tool in lowering.server.tools]
    assert len({name.lower() for name in names}) == 2
    assert len({tool.module.lower() for tool in lowering.server.tools}) == 2
