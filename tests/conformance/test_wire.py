"""Event streams, strict JSON and the schema judge, without a server."""

from __future__ import annotations

import pytest

from mcpgen.conformance.schemas import schema_problem, value_problem
from mcpgen.conformance.sse import EventStream
from mcpgen.conformance.strict_json import loads

STREAM = (
    b"\xef\xbb\xbf: hello\r\nevent: message\r\ndata: {\r\ndata:1}\r\n\r\nid: 3\ndata\n\ndata: x\r\r"
)


def test_stream_gives_the_data_of_its_events() -> None:
    assert EventStream().feed(STREAM + b"\n") == [b"{\n1}", b"x"]


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_stream_gives_the_same_events_however_it_is_cut(size: int) -> None:
    stream = EventStream()
    chunks = [STREAM[at : at + size] for at in range(0, len(STREAM), size)]

    events = [event for chunk in (*chunks, b"\n") for event in stream.feed(chunk)]

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
    ],
)
def test_lenient_json_is_refused(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        loads(raw)


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


def test_value_problem_names_the_place() -> None:
    schema = {"properties": {"a": {"items": {"type": "integer"}}}}

    assert value_problem(schema, {"a": [1, "x"]}).startswith("at `/a/1`:")
    assert value_problem(schema, {"a": [1]}) == ""
