"""Multipart bodies on the wire: the headers and the content of each part."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.runtime.test_bodies import build_request, field

from mcpgen_runtime.tool import Argument, Body
from mcpgen_runtime.tool_parts import Constant, Element, Part
from mcpgen_runtime.upstream import forms
from mcpgen_runtime.upstream.exchange import InvalidArguments

FORM = "multipart/form-data"
FILE = field("photo", text="base64")
NAME = Argument("photo_filename", "part", {"type": "string"}, to=("photo", "filename"))
KIND = Argument("photo_content_type", "part", {"type": "string"}, to=("photo", "type"))


def body_parts(
    body: Body, arguments: tuple[Argument, ...], values: Any, **tool_options: Any
) -> list[bytes]:
    """Returns the parts of a body: head and content, without boundaries."""
    request = build_request(body, arguments, values, **tool_options)
    kind = dict(request.headers)["Content-Type"]
    boundary = kind.partition("boundary=")[2].partition(";")[0].encode()
    pieces = (request.body or b"").split(b"--" + boundary)
    assert (pieces[0], pieces[-1]) == (b"", b"--\r\n")
    return [piece.removeprefix(b"\r\n").removesuffix(b"\r\n") for piece in pieces[1:-1]]


FILENAMES = [
    ("a.png", b'filename="a.png"'),
    ("Gr\u00fc\u00dfe \u96ea.png", 'filename="Gr\u00fc\u00dfe \u96ea.png"'.encode()),
    ('a"; name="x', b'filename="a%22; name=%22x"'),
    ("..\\..\\x", b'filename="..\\..\\x"'),
]


@pytest.mark.parametrize(("filename", "parameter"), FILENAMES)
def test_a_file_has_the_name_that_the_call_gives(filename: str, parameter: bytes) -> None:
    arguments = {"photo": "AAE=", "photo_filename": filename}

    (part,) = body_parts(Body(FORM), (FILE, NAME), arguments)

    head, _, content = part.partition(b"\r\n\r\n")
    assert head.splitlines()[0] == b'Content-Disposition: form-data; name="photo"; ' + parameter
    assert content == b"\x00\x01"


@pytest.mark.parametrize("filename", ["a\r\nX-Evil: 1", "a\n", "\x00", "a\x1b", "a\x7f"])
def test_a_file_name_cannot_end_its_line(filename: str) -> None:
    with pytest.raises(InvalidArguments) as fault:
        build_request(Body(FORM), (FILE, NAME), {"photo": "AAE=", "photo_filename": filename})

    assert fault.value.problems == ("photo_filename: must not hold control characters",)


def test_no_file_name_is_left_over() -> None:
    names = Argument("names", "part", {"type": "array"}, to=("photos", "filename"))
    photos = field("photos", "array", text="base64")
    with pytest.raises(InvalidArguments) as fault:
        build_request(Body(FORM), (photos, names), {"photos": ["AAE="], "names": ["a", "b"]})

    assert fault.value.problems == ("names: has 2 names for 1 of `photos`",)


@pytest.mark.parametrize("name", ['a"b', "a\r\nX-Evil: 1", "a\x00b", "\u00fc"])
def test_the_name_of_a_part_cannot_leave_its_quotes(name: str) -> None:
    (part,) = body_parts(Body(FORM), (field("a", to=(name,)),), {"a": "1"})

    head = part.partition(b"\r\n\r\n")[0].decode()
    assert re.fullmatch(r'Content-Disposition: form-data; name="[^"\x00-\x1f]*"', head)


@pytest.mark.parametrize("kind", ["image/png\r\nX-Evil: 1", "png", "image/", "image/png; a=\x00"])
def test_a_content_type_cannot_be_anything_else(kind: str) -> None:
    with pytest.raises(InvalidArguments) as fault:
        build_request(Body(FORM), (FILE, KIND), {"photo": "AAE=", "photo_content_type": kind})

    assert "content type" in fault.value.problems[0]


def test_a_range_of_content_types_asks_the_call_for_one() -> None:
    body = Body(FORM, parts={"photo": Part("image/*")})

    (part,) = body_parts(body, (FILE, KIND), {"photo": "AAE=", "photo_content_type": "image/png"})
    with pytest.raises(InvalidArguments) as fault:
        build_request(body, (FILE, KIND), {"photo": "AAE="})

    assert b"\r\nContent-Type: image/png\r\n" in part
    assert fault.value.problems == ("photo: needs a content type that fits `image/*`",)


def test_what_is_said_of_a_part_is_not_lost_without_it() -> None:
    with pytest.raises(InvalidArguments) as fault:
        build_request(Body(FORM), (FILE, NAME, field("a")), {"a": "1", "photo_filename": "x"})

    assert fault.value.problems == ("photo_filename: given without `photo`",)


def test_a_value_that_its_style_cannot_write_is_told_by_name() -> None:
    tags = field("labels", "array", to=("tags",), style="pipeDelimited")
    for kind in (FORM, "application/x-www-form-urlencoded"):
        with pytest.raises(InvalidArguments) as fault:
            build_request(Body(kind), (tags,), {"labels": ["a|b", "c"]})

        assert fault.value.problems == (
            "labels: must not hold `|`, which stands between the values",
        )


def test_a_header_that_cannot_be_written_is_told_by_name() -> None:
    rate = Argument("rate", "part", {"type": "string"}, to=("photo", "headers", "X-Rate"))

    with pytest.raises(InvalidArguments) as fault:
        build_request(Body(FORM), (FILE, rate), {"photo": "AAE=", "rate": "a\r\nb"})

    assert fault.value.problems == ("rate: must hold printable ASCII characters only",)


def test_files_of_a_list_have_a_name_each() -> None:
    names = Argument("names", "part", {"type": "array"}, to=("photos", "filename"))
    files = field("photos", "array", text="base64")

    parts = body_parts(Body(FORM), (files, names), {"photos": ["AA==", "AQ=="], "names": ["1.png"]})

    assert b'name="photos"; filename="1.png"' in parts[0]
    assert b'name="photos"; filename="photos"' in parts[1]


def test_headers_of_a_part_come_from_arguments_and_constants() -> None:
    rate = Argument("rate", "part", {"type": "integer"}, to=("photo", "headers", "X-Rate"))
    kind = Constant("part", ("photo", "headers", "X-Kind"), "avatar")
    body = Body(FORM, parts={"photo": Part(needs=("X-Rate",))})

    (part,) = body_parts(body, (FILE, rate), {"photo": "AAE=", "rate": 5}, constants=(kind,))
    with pytest.raises(InvalidArguments) as fault:
        build_request(body, (FILE, rate), {"photo": "AAE="}, constants=(kind,))

    assert b"\r\nX-Rate: 5\r\n" in part
    assert b"\r\nX-Kind: avatar\r\n" in part
    assert fault.value.problems == ("photo: its header `X-Rate` is required",)


def test_a_header_of_a_part_cannot_begin_another() -> None:
    rate = Argument("rate", "part", {"type": "string"}, to=("photo", "headers", "X-Rate"))

    with pytest.raises(InvalidArguments):
        build_request(Body(FORM), (FILE, rate), {"photo": "AAE=", "rate": "1\r\nX-Evil: 1"})


def test_a_text_is_quoted_where_its_part_is_json() -> None:
    (part,) = body_parts(
        Body(FORM, parts={"a": Part("application/json")}), (field("a"),), {"a": "x"}
    )

    assert part.endswith(b'Content-Type: application/json\r\n\r\n"x"')


def test_an_object_is_xml_where_its_part_is() -> None:
    body = Body(FORM, parts={"a": Part("application/xml", xml=Element("a"))})

    (part,) = body_parts(body, (field("b", to=("a", "b")),), {"b": "<"})

    assert part.endswith(b"<a><b>&lt;</b></a>")


def test_parts_without_names_follow_their_positions() -> None:
    parts = {
        "0": Part("application/json"),
        "1": Part("image/png", base64=True),
        "": Part("text/csv"),
    }
    argument = field("body", to=(), text="json")

    result = body_parts(
        Body("multipart/mixed", parts=parts), (argument,), {"body": '[{"a":1},"AAE=","x","y"]'}
    )
    with pytest.raises(InvalidArguments) as fault:
        build_request(Body("multipart/mixed", parts=parts), (argument,), {"body": '[1,"%"]'})

    assert result == [
        b'Content-Type: application/json\r\n\r\n{"a":1}',
        b"Content-Type: image/png\r\n\r\n\x00\x01",
        b"Content-Type: text/csv\r\n\r\nx",
        b"Content-Type: text/csv\r\n\r\ny",
    ]
    assert fault.value.problems == ("body[1]: is not base64",)


def test_a_related_body_names_the_type_of_its_root() -> None:
    body = Body("multipart/related", parts={"meta": Part("application/json")})

    request = build_request(body, (field("meta"), FILE), {"meta": "x", "photo": "AAE="})

    assert dict(request.headers)["Content-Type"].endswith('; type="application/json"')


def test_the_boundary_stands_in_no_part(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = iter(["taken", "free"])
    monkeypatch.setattr(forms, "token_hex", lambda _: next(tokens))

    request = build_request(Body(FORM), (field("a"),), {"a": "x\r\n--taken--\r\n"})

    assert dict(request.headers)["Content-Type"] == "multipart/form-data; boundary=free"
