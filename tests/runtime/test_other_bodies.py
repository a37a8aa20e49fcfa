"""Forms, JSON sequences, text in a charset, and bodies whose media type is an argument."""

from __future__ import annotations

from typing import Any

import pytest
from tests.runtime.conftest import Serving, WireUpstream
from tests.runtime.test_bodies import build_request, field

from mcpgen_runtime.tool import Argument, Body, Hints, Route, Tool
from mcpgen_runtime.tool_parts import Part
from mcpgen_runtime.upstream.exchange import InvalidArguments

FORM = "application/x-www-form-urlencoded"
WHOLE = field("body", to=())
TEXT = field("body", to=(), text="json")


@pytest.mark.parametrize(
    ("argument", "part", "value", "form"),
    [
        (field("a"), None, "\u00fc &=+", b"a=%C3%BC%20%26%3D%2B"),
        (field("a"), Part("application/json"), "x", b"a=%22x%22"),
        (field("a", text="json"), None, '[{"q":1},{"q":2}]', b"a=%7B%22q%22%3A1%7D&a=%7B%22q%22%3A2%7D"),
        (field("a", reserved=True), None, "http://x/?y=z&", b"a=http://x/?y%3Dz%26"),
        (field("a", "array", style="form"), None, ["x,y", "z"], b"a=x%2Cy,z"),
        (field("a", "array", style="pipeDelimited"), None, ["x", "z"], b"a=x%7Cz"),
        (field("a", text="json", style="deepObject", explode=True), None, '{"b":{"c":1}}', b"a%5Bb%5D%5Bc%5D=1"),
        (field("a", "array"), None, [], b""),
    ],
)  # fmt: skip
def test_a_field_of_a_form_is_written_as_its_encoding_says(
    argument: Argument, part: Part | None, value: Any, form: bytes
) -> None:
    body = Body(FORM, parts={"a": part} if part else {})

    assert build_request(body, (argument,), {"a": value}).body == form


def test_a_map_becomes_the_pairs_of_a_form() -> None:
    assert build_request(Body(FORM), (TEXT,), {"body": '{"a&":"1","b":2}'}).body == b"a%26=1&b=2"


def test_a_list_is_no_form() -> None:
    with pytest.raises(InvalidArguments) as fault:
        build_request(Body(FORM), (TEXT,), {"body": '["a=1"]'})

    assert fault.value.problems == (
        "body: must be an object, whose members are the fields of the form",
    )


def test_a_form_that_is_given_travels_as_it_is() -> None:
    assert build_request(Body(FORM), (WHOLE,), {"body": "a=1&b=%20+"}).body == b"a=1&b=%20+"


@pytest.mark.parametrize("text", ["a b", "a=\u00fc", "%zz", "a=1\r\n", "a#b"])
def test_a_text_that_is_no_form_is_refused(text: str) -> None:
    with pytest.raises(InvalidArguments) as fault:
        build_request(Body(FORM), (WHOLE,), {"body": text})

    assert fault.value.problems[0].startswith("body: must be a form such as `a=1&b=2`")


@pytest.mark.parametrize(
    ("media_type", "body"),
    [
        ("application/x-ndjson", b'{"a":"x\\ny"}\n[2]\n'),
        ("application/jsonl", b'{"a":"x\\ny"}\n[2]\n'),
        ("application/stream+json", b'{"a":"x\\ny"}\n[2]\n'),
        ("application/json-seq", b'\x1e{"a":"x\\ny"}\n\x1e[2]\n'),
        ("application/geo+json-seq", b'\x1e{"a":"x\\ny"}\n\x1e[2]\n'),
    ],
)
def test_a_sequence_is_written_value_by_value(media_type: str, body: bytes) -> None:
    request = build_request(Body(media_type), (TEXT,), {"body": '[{"a": "x\\ny"}, [2]]'})

    assert (request.body, dict(request.headers)["Content-Type"]) == (body, media_type)


def test_a_value_of_a_sequence_that_does_not_fit_is_told_by_its_position() -> None:
    check = {"type": "array", "items": {"type": "integer"}}
    argument = field("body", to=(), text="json", check=check)

    with pytest.raises(InvalidArguments) as fault:
        build_request(Body("application/x-ndjson"), (argument,), {"body": '[1, "x"]'})

    assert fault.value.problems == ('body[1]: must be integer, got "x"',)


def test_text_is_sent_in_the_charset_of_its_media_type() -> None:
    body = Body("text/plain; charset=iso-8859-1", True)

    request = build_request(body, (WHOLE,), {"body": "caf\u00e9"})
    with pytest.raises(InvalidArguments) as fault:
        build_request(body, (WHOLE,), {"body": "\u20ac"})

    assert request.body == b"caf\xe9"
    assert fault.value.problems == ("body: must hold characters of iso-8859-1 only, not '\u20ac'",)


def test_a_body_of_a_range_has_the_content_type_that_the_call_names() -> None:
    kind = Argument("content_type", "part", {"type": "string"}, to=("", "type"))
    arguments = (field("body", to=(), text="base64"), kind)

    request = build_request(
        Body("image/*"), arguments, {"body": "AAE=", "content_type": "image/png"}
    )
    with pytest.raises(InvalidArguments) as fault:
        build_request(Body("image/*"), arguments, {"body": "AAE="})

    assert dict(request.headers)["Content-Type"] == "image/png"
    assert fault.value.problems == ("body: needs a content type that fits `image/*`",)


@pytest.mark.anyio
@pytest.mark.parametrize("method", ["GET", "DELETE", "HEAD", "QUERY", "PATCH"])
async def test_a_body_travels_with_every_method(
    upstream: WireUpstream, serving: Serving, method: str
) -> None:
    hints = Hints(read_only=False, destructive=True, idempotent=False)
    route = Route(method, "/", body=Body("application/json"))
    tool = Tool("send", "Send", "", route, hints, (field("a"),))
    upstream.answer = lambda _: b"HTTP/1.1 204 No Content\r\n\r\n"

    async with serving(tool, upstream=upstream.url) as client:
        await client.call("send", a="x")

    (request,) = upstream.requests
    assert (request.body, request.all("content-type")) == (b'{"a":"x"}', ["application/json"])


@pytest.mark.anyio
@pytest.mark.parametrize(("method", "length"), [("POST", ["0"]), ("PUT", ["0"]), ("GET", [])])
async def test_a_request_without_a_body_says_so_where_one_is_usual(
    upstream: WireUpstream, serving: Serving, method: str, length: list[str]
) -> None:
    hints = Hints(read_only=False, destructive=True, idempotent=False)
    route = Route(method, "/", body=Body("application/json"))
    tool = Tool("send", "Send", "", route, hints, (field("a"),))

    async with serving(tool, upstream=upstream.url) as client:
        await client.call("send")

    (request,) = upstream.requests
    assert request.all("content-length") == length
    assert request.all("content-type") == []
