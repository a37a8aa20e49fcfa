"""Request bodies by media type, and the nesting of flat arguments."""

from __future__ import annotations

import json
from email import message_from_bytes
from typing import Any

import pytest

from mcpgen_runtime.tool import Argument, Body, Hints, Route, Tool
from mcpgen_runtime.tool_parts import Constant, Part
from mcpgen_runtime.upstream.exchange import InvalidArguments, UpstreamRequest
from mcpgen_runtime.upstream.general_operation import GeneralOperation
from mcpgen_runtime.validation.definitions import SchemaStore

HINTS = Hints(read_only=False, destructive=True, idempotent=False)


def build_request(
    body: Body, arguments: tuple[Argument, ...], values: dict[str, Any], **tool_options: Any
) -> UpstreamRequest:
    """Returns the request of a tool with a body."""
    tool = Tool("t", "T", "", Route("POST", "/", body=body), HINTS, arguments, **tool_options)
    operation = GeneralOperation(tool, SchemaStore())
    operation.refuse_invalid(values)
    return operation.request(values)


def field(name: str, kind: str = "string", **more: Any) -> Argument:
    """Returns an argument in the body."""
    return Argument(name, "body", {"type": kind}, **more)


JSON = Body("application/json", required=True)


def test_nested_objects_are_made_of_what_is_given() -> None:
    arguments = (
        field("name"),
        field("city", to=("home", "city")),
        field("zip", to=("home", "zip")),
    )

    request = build_request(JSON, arguments, {"name": "Jo", "zip": "9000"})

    assert json.loads(request.body or b"") == {"name": "Jo", "home": {"zip": "9000"}}
    assert ("Content-Type", "application/json") in request.headers


def test_required_body_without_arguments_is_an_empty_object() -> None:
    assert build_request(JSON, (field("name"),), {}).body == b"{}"


def test_optional_body_without_arguments_is_not_sent() -> None:
    request = build_request(Body("application/json"), (field("name"),), {})

    assert request.body is None
    assert "Content-Type" not in dict(request.headers)


def test_constants_come_with_the_object_they_stand_in() -> None:
    arguments = (field("card", to=("payment", "card")), field("note"))
    constants = (
        Constant("body", ("version",), 2),
        Constant("body", ("payment", "kind"), "card"),
        Constant("query", ("api",), "v2"),
    )

    request_without_card = build_request(JSON, arguments, {"note": "x"}, constants=constants)
    upstream_request = build_request(JSON, arguments, {"card": "4"}, constants=constants)

    assert json.loads(request_without_card.body or b"") == {"note": "x", "version": 2}
    assert json.loads(upstream_request.body or b"")["payment"] == {"card": "4", "kind": "card"}
    assert upstream_request.query == "api=v2"


def test_null_fields_are_sent_as_null_but_not_beside_a_value() -> None:
    nulls = Argument(
        "null_fields",
        "body",
        {"type": "array", "items": {"type": "string", "enum": ["price", "city"]}},
        to=(),
        nulls={"price": ("price",), "city": ("home", "city")},
    )
    arguments = (field("price", "number"), field("city", to=("home", "city")), nulls)

    request = build_request(JSON, arguments, {"null_fields": ["price", "city"]})
    with pytest.raises(InvalidArguments) as error:
        build_request(JSON, arguments, {"price": 1, "null_fields": ["price"]})

    assert json.loads(request.body or b"") == {"price": None, "home": {"city": None}}
    assert error.value.problems == ("null_fields: `price` has a value as well",)


def test_body_of_one_value_is_that_value() -> None:
    argument = Argument("body", "body", {"type": "array"}, to=())

    assert build_request(JSON, (argument,), {"body": [1, "ü"]}).body == '[1,"ü"]'.encode()


def test_form_repeats_arrays_and_writes_objects_as_json() -> None:
    body = Body("application/x-www-form-urlencoded", required=True)
    arguments = (
        field("a"),
        field("tags", "array"),
        field("x", to=("o", "x")),
        Argument("deep", "body", {"type": "string"}, to=("m", "k"), style="deepObject"),
    )

    request = build_request(
        body, arguments, {"a": "ü &", "tags": ["b", "c"], "x": "1", "deep": "v"}
    )

    assert request.body == b"a=%C3%BC%20%26&tags=b&tags=c&o=%7B%22x%22%3A%221%22%7D&m%5Bk%5D=v"


@pytest.mark.parametrize(
    ("style", "explode", "parts"),
    [
        ("", False, ["a b", "c"]),
        ("form", True, ["a b", "c"]),
        ("form", False, ["a b,c"]),
        ("tabDelimited", False, ["a b\tc"]),
        ("pipeDelimited", False, ["a b|c"]),
    ],
)
def test_an_array_is_one_part_if_its_style_joins_it(
    style: str, explode: bool, parts: list[str]
) -> None:
    argument = field("tags", "array", style=style, explode=explode)

    request = build_request(Body("multipart/form-data"), (argument,), {"tags": ["a b", "c"]})

    content_type = dict(request.headers)["Content-Type"].encode()
    message = message_from_bytes(
        b"Content-Type: " + content_type + b"\r\n\r\n" + (request.body or b"")
    )
    assert [part.get_payload() for part in message.walk() if not part.is_multipart()] == parts


def test_an_item_with_the_comma_that_divides_a_part_is_refused() -> None:
    argument = field("tags", "array", style="form")

    with pytest.raises(InvalidArguments) as error:
        build_request(Body("multipart/form-data"), (argument,), {"tags": ["a", "b,c"]})

    assert error.value.problems == ("tags: must not hold `,`, which stands between the values",)


@pytest.mark.parametrize(
    ("value", "body"),
    [
        (1.0, b"1"),
        (1e3, b"1000"),
        (1e22, b"10000000000000000000000"),
        ([2.0, {"n": -0.0}], b'[2,{"n":0}]'),
        (1.5, b"1.5"),
        ("1.0", b'"1.0"'),
    ],
)
def test_integers_are_written_without_fraction_and_exponent(value: Any, body: bytes) -> None:
    argument = Argument("v", "body", {}, to=())

    assert build_request(JSON, (argument,), {"v": value}).body == body


def test_multipart_has_a_file_for_base64_and_json_for_objects() -> None:
    body = Body("multipart/form-data", required=True, parts={"photo": Part("image/png")})
    arguments = (field("photo", text="base64"), field("x", to=("meta", "x")), field("n", "integer"))

    request = build_request(body, arguments, {"photo": "AAEC", "x": "1", "n": 3})

    kind = dict(request.headers)["Content-Type"]
    message: Any = message_from_bytes(
        f"Content-Type: {kind}\r\n\r\n".encode() + (request.body or b"")
    )
    photo, meta, count = message.get_payload()
    assert photo.get_payload(decode=True) == b"\x00\x01\x02"
    assert (photo.get_content_type(), photo.get_filename()) == ("image/png", "photo")
    assert (meta.get_content_type(), meta.get_payload()) == ("application/json", '{"x":"1"}')
    assert count.get_payload() == "3"


@pytest.mark.parametrize(
    ("style", "explode", "parts"),
    [
        ("form", True, [("R", "1.0"), ("G", "2 0")]),
        ("form", False, [("o", "R,1.0,G,2 0")]),
        ("deepObject", True, [("o[R]", "1.0"), ("o[G]", "2 0")]),
    ],
)
def test_parts_of_a_multipart_body_follow_their_style(
    style: str, explode: bool, parts: list[tuple[str, str]]
) -> None:
    arguments = tuple(
        field(name.lower(), to=("o", name), style=style, explode=explode) for name in ("R", "G")
    )

    request = build_request(Body("multipart/form-data", True), arguments, {"r": "1.0", "g": "2 0"})

    kind = dict(request.headers)["Content-Type"]
    message: Any = message_from_bytes(
        f"Content-Type: {kind}\r\n\r\n".encode() + (request.body or b"")
    )
    result = [
        (part.get_param("name", header="content-disposition"), part.get_payload())
        for part in message.get_payload()
    ]
    assert result == parts


@pytest.mark.parametrize(
    ("media_type", "argument", "value", "body"),
    [
        ("text/plain", field("body", to=()), "héllo", "héllo".encode()),
        ("application/octet-stream", field("body", to=(), text="base64"), "AP8=", b"\x00\xff"),
        ("application/xml", field("body", to=()), "<a/>", b"<a/>"),
        ("application/vnd.x+json", field("body", to=(), text="json"), "[1]", b"[1]"),
    ],
)
def test_plain_bodies_go_as_they_are(
    media_type: str, argument: Argument, value: str, body: bytes
) -> None:
    request = build_request(Body(media_type, required=True), (argument,), {"body": value})

    assert request.body == body


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[1", "lines: is not JSON: Expecting ',' delimiter at line 1, column 3"),
        ("[NaN]", "lines: is not JSON: NaN is no number there"),
        ("[" * 100_000, "lines: is nested too deeply"),
        ('[{"qty": 0}]', "lines[0].qty: must be >= 1, got 0"),
        ('{"a": 1}', "lines: must be array, got an object"),
    ],
)
def test_json_text_is_refused_with_the_place_in_it(text: str, problem: str) -> None:
    check = {"type": "array", "items": {"properties": {"qty": {"minimum": 1}}}}

    with pytest.raises(InvalidArguments) as error:
        build_request(JSON, (field("lines", text="json", check=check),), {"lines": text})

    assert error.value.problems == (problem,)


def test_body_that_the_api_would_not_take_is_refused_in_words_of_the_arguments() -> None:
    check = {
        "properties": {"home": {"required": ["city"], "properties": {"zip": {"minLength": 4}}}}
    }
    arguments = (field("city", to=("home", "city")), field("zip", to=("home", "zip")))

    with pytest.raises(InvalidArguments) as error:
        build_request(Body("application/json", required=True, check=check), arguments, {"zip": "9"})

    assert sorted(error.value.problems) == [
        "city: required, but missing",
        "zip: must have at least 4 characters, has 1",
    ]


def test_list_of_files_is_one_part_for_each() -> None:
    body = Body("multipart/form-data", required=True)

    request = build_request(
        body, (field("files", "array", text="base64"),), {"files": ["AA==", "AQ=="]}
    )

    assert (request.body or b"").count(b'name="files"; filename="files"') == 2


def test_body_of_any_type_is_json() -> None:
    request = build_request(Body("*/*", required=True), (field("name"),), {"name": "Jo"})

    assert request.body == b'{"name":"Jo"}'
    assert ("Content-Type", "application/json") in request.headers
