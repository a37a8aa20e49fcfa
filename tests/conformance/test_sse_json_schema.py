"""Event streams, strict JSON and the schema judge, without a server."""

from __future__ import annotations

import functools
import json
from typing import Any

import pytest

from mcpgen.conformance.exchange import HttpExchange, printable
from mcpgen.conformance.schemas import schema_problem, value_problem
from mcpgen.conformance.sse import EventStream
from mcpgen.conformance.strict_json import loads

TEXT = {"type": "text", "text": "no such pet"}
STREAM = (
    b"\xef\xbb\xbf: hello\r\nevent: message\r\ndata: {\r\ndata:1}\r\n\r\nid: 3\ndata\n\ndata: x\r\r"
)


def test_stream_gives_the_data_of_its_events() -> None:
    assert EventStream().feed(STREAM) == [b"{\n1}", b"x"]


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_event_is_complete_with_the_end_of_its_empty_line(end: bytes) -> None:
    stream = EventStream()

    assert stream.feed(b"data: 1" + end + end) == [b"1"]
    assert stream.feed(b"data: 2" + end + end) == [b"2"]


def test_line_end_cut_between_two_chunks_is_one_line_end() -> None:
    stream = EventStream()

    assert stream.feed(b"data: a\r") == []
    assert stream.feed(b"\ndata: b\r") == []
    assert stream.feed(b"\n\r") == [b"a\nb"]
    assert stream.feed(b"\ndata: c\n\n") == [b"c"]


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_events_do_not_depend_on_chunk_boundaries(size: int) -> None:
    stream = EventStream()
    chunks = [STREAM[offset : offset + size] for offset in range(0, len(STREAM), size)]

    events = [event for chunk in chunks for event in stream.feed(chunk)]

    assert events == [b"{\n1}", b"x"]


def test_large_event_in_many_pieces_is_read_in_linear_time() -> None:
    stream = EventStream()
    stream.feed(b"data: ")

    for _ in range(2_000):
        assert stream.feed(b"x" * 10_000) == []

    (event,) = stream.feed(b"\n\n")
    assert len(event) == 20_000_000


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b'{"a":1,"a":2}',
        b"NaN",
        b"[Infinity]",
        b'"\xff"',
        b"\xef\xbb\xbf{}",
        b"[" * 99_999,
        b"1e999",
        b"[-1e999]",
        b"9" * 2_000,
    ],
)
def test_lenient_json_is_refused(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        loads(raw)


def test_duplicate_key_among_many_is_found() -> None:
    members = ",".join(f'"k{number}":1' for number in range(200_000))

    with pytest.raises(ValueError, match="duplicate key 'z'"):
        loads(f'{{{members},"z":1,"z":2}}'.encode())


def test_values_are_shown_as_json() -> None:
    assert printable({"a": [True, None, 1.5, "é"]}) == '{"a": [true, null, 1.5, "é"]}'
    assert printable(False) == "false"
    assert printable(None) == "nothing"
    assert printable("a\x1b b") == "a b"


def test_cut_text_ends_with_an_ellipsis() -> None:
    padded_text = "token" + " " * 400 + "more"

    assert printable(padded_text) == "token…"
    assert printable(padded_text.encode()) == "token…"
    assert len(printable("x" * 1_000)) == 160


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"result": {}}, "empty result"),
        ({"result": {"tools": [], "nextCursor": "x"}}, "result with `tools`, `nextCursor`"),
        ({"result": dict.fromkeys("abcde")}, "result with `a`, `b`, `c`, `d`, …"),
        ({"result": {"isError": True, "content": [TEXT]}}, "error result: no such pet"),
        ({"result": {"isError": True, "content": [7]}}, "error result: [7]"),
        ({"error": {"code": -32602, "message": "no tool"}}, "error -32602: no tool"),
        ({"error": {"code": 1, "message": "m"}, "id": None}, "error 1 without an id: m"),
    ],
)
def test_a_response_is_shown_in_words(message: dict[str, Any], expected: str) -> None:
    response = {"jsonrpc": "2.0", "id": 1} | message
    body = json.dumps(response).encode()

    output = str(HttpExchange(200, {"content-type": "application/json"}, body, (response,)))

    assert output == f"HTTP 200, application/json, {expected}"


@pytest.mark.parametrize(
    "message", [{"id": 1, "result": {}}, {"jsonrpc": "2.0", "id": 1, "result": []}, [1], "text"]
)
def test_other_answers_are_shown_unchanged(message: Any) -> None:
    body = json.dumps(message).encode()

    output = str(HttpExchange(200, {}, body, (message,)))

    assert output == f"HTTP 200, no Content-Type, {body.decode()}"


def test_a_schema_that_is_not_valid_says_where() -> None:
    wrong = {"type": "object", "properties": {"age": {"type": "nubmer"}}}

    assert schema_problem(wrong).startswith("at `/properties/age/type`: ")
    assert schema_problem({"type": "nubmer"}).startswith("at `/type`: ")
    assert "surrogate" in schema_problem({"properties": {"\ud800": {}}})


def test_strict_json_is_read() -> None:
    assert loads('{"a": ["é", 1.5, null, true]}'.encode()) == {"a": ["é", 1.5, None, True]}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "text"},
        {"$ref": "http://127.0.0.1:9/x"},
        {"$ref": "file:///etc/passwd"},
        {"$schema": "http://127.0.0.1:9/dialect"},
        {"properties": []},
    ],
)
def test_invalid_schema_is_named_and_nothing_is_fetched(schema: dict[str, object]) -> None:
    assert schema_problem(schema)


def test_valid_schema_has_no_problem_in_any_dialect() -> None:
    for dialect in (
        "https://json-schema.org/draft/2020-12/schema",
        "http://json-schema.org/draft-07/schema#",
    ):
        assert schema_problem({"$schema": dialect, "type": "object"}) == ""


def test_a_value_that_the_validator_cannot_read_has_a_problem() -> None:
    deep = functools.reduce(lambda inner, _: [inner], range(400), 1)

    assert "cannot read the value" in value_problem({"type": "integer"}, "\ud800")
    assert "cannot read the value" in value_problem({"type": "integer"}, deep)


def test_value_problem_names_the_place() -> None:
    schema = {"properties": {"a": {"items": {"type": "integer"}}}}

    assert value_problem(schema, {"a": [1, "x"]}).startswith("at `/a/1`:")
    assert value_problem(schema, {"a": [1]}) == ""
