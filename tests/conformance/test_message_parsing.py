"""Parsing of single messages, headers and ids, without a server."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from tests.time_limits import works_at_most

from mcpgen.conformance.calls import mirrored_headers
from mcpgen.conformance.checks.authorization import badly_signed, challenge_parameters, unsigned
from mcpgen.conformance.checks.predicates import (
    block_problem,
    capabilities_problem,
    contents_problem,
    is_uri,
)
from mcpgen.conformance.checks.security import INTERNAL_DETAIL, entropy
from mcpgen.conformance.checks.tools_list import header_problem
from mcpgen.conformance.exchange import HttpExchange
from mcpgen.conformance.server_messages import response_problem, response_problems, server_messages
from mcpgen.conformance.sse import Event, EventStream

ANSWER = {"jsonrpc": "2.0", "id": 1, "result": {}}
OTHER = {"jsonrpc": "2.0", "id": 2, "result": {}}
NEWS = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {}}
ASKED = {"method": "ping", "params": {"_meta": {"progressToken": "mine"}}}


def test_every_message_but_the_awaited_response_is_collected() -> None:
    result = server_messages(
        ASKED, 1, HttpExchange(200, messages=(NEWS, ANSWER, OTHER, dict(ANSWER)))
    )

    assert [server_message.message for server_message in result] == [NEWS, OTHER, ANSWER]
    assert {(server_message.method, server_message.token) for server_message in result} == {
        ("ping", "mine")
    }


def test_single_response_with_another_id_counts_as_the_answer() -> None:
    assert server_messages(ASKED, 1, HttpExchange(200, messages=(OTHER,))) == []


def test_messages_of_a_batch_are_collected_singly() -> None:
    result = server_messages([], None, HttpExchange(200, messages=([NEWS, ANSWER],)))

    assert [server_message.message for server_message in result] == [NEWS]


@pytest.mark.parametrize(
    "message",
    [
        None,
        [],
        {"id": 1, "result": {}},
        {"jsonrpc": "2.0", "result": {}},
        {"jsonrpc": "2.0", "id": 1},
        {"jsonrpc": "2.0", "id": 1, "result": {}, "error": {"code": 1, "message": "x"}},
        {"jsonrpc": "2.0", "id": 1, "error": "no"},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": "1", "message": "x"}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": True, "message": "x"}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1}},
    ],
)
def test_response_of_a_wrong_shape_has_a_problem(message: Any) -> None:
    assert response_problem(message)


def test_errors_of_a_gateway_are_no_responses() -> None:
    exchange = HttpExchange(401, messages=({"error": "invalid_token"},))

    assert response_problem(ANSWER) == ""
    assert response_problems({}, 1, exchange) == []
    assert response_problems({}, 1, HttpExchange(200, messages=exchange.messages))


def test_result_may_return_a_null_id() -> None:
    answer = HttpExchange(200, messages=({"jsonrpc": "2.0", "id": None, "result": {}},))

    assert response_problems({"id": None, "method": "ping"}, None, answer) == []
    assert response_problems({"id": 1, "method": "ping"}, 1, answer) == ["a result has no id"]
    assert response_problems(None, None, answer) == ["a result has no id"]


def test_heads_of_events_tell_ids_names_and_emptiness() -> None:
    stream = EventStream()

    events = stream.feed(
        b"id: 1\ndata:\n\n: hello\n\nevent: message\nid: 2\ndata: {}\n\ndata: 3\n\n"
    )

    assert events == [b"{}", b"3"]
    assert stream.heads == [
        Event("1", "", True),
        Event("2", "message", False),
        Event(None, "", False),
    ]


@pytest.mark.parametrize(
    ("ids", "low", "high"),
    [
        (["session-1000", "session-1001", "session-1002", "session-1003"], 0, 10),
        (["9f8b1c2d3e4f5a6b" * 2, "0a1b2c3d4e5f6a7b" * 2], 60, 140),
        (["aZ3_kPq9Xw7LmN2vB8rT", "Qy6_hJd4Rf1GsC5zK0eU"], 100, 130),
        (["same", "same"], 0, 0),
    ],
)
def test_entropy_counts_the_places_that_change(ids: list[str], low: float, high: float) -> None:
    assert low <= entropy(ids) <= high


def test_challenge_parameters_are_parsed() -> None:
    value = 'Bearer resource_metadata="https://x/.well-known/a", scope="a b", error=invalid_token'

    result = challenge_parameters(HttpExchange(401, {"www-authenticate": value}))

    assert result == {
        "resource_metadata": "https://x/.well-known/a",
        "scope": "a b",
        "error": "invalid_token",
    }
    assert challenge_parameters(HttpExchange(401, {"www-authenticate": 'Basic realm="x"'})) == {}


def test_forged_tokens_have_three_parts_and_their_claims() -> None:
    for token in (unsigned({"aud": "me"}), badly_signed({"aud": "me"})):
        head, claims, _ = token.split(".")

        assert json.loads(base64.urlsafe_b64decode(head + "=="))["alg"] in ("none", "RS256")
        assert json.loads(base64.urlsafe_b64decode(claims + "==")) == {"aud": "me"}


def test_thousands_of_mirrored_arguments_are_judged_in_linear_time() -> None:
    properties = {f"a{n}": {"type": "string", "x-mcp-header": f"A-{n}"} for n in range(50_000)}

    with works_at_most(30):
        assert header_problem({"inputSchema": {"properties": properties}}) == ""


def test_annotated_arguments_are_mirrored_in_headers() -> None:
    inner = {"properties": {"deep": {"type": "boolean", "x-mcp-header": "Deep"}}}
    schema = {
        "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "count": {"type": "integer", "x-mcp-header": "Count"},
            "missing": {"type": "string", "x-mcp-header": "Missing"},
            "none": {"type": "string", "x-mcp-header": "None"},
            "odd": {"type": "string", "x-mcp-header": "Odd"},
            "bad": {"type": "string", "x-mcp-header": "a b\r\n"},
            "inner": inner,
        }
    }
    arguments = {
        "region": "größe",
        "count": 7,
        "none": None,
        "odd": {"no": "scalar"},
        "bad": "x",
        "inner": {"deep": True},
    }

    result = mirrored_headers({"name": "t", "inputSchema": schema}, arguments)

    assert result == {
        "Mcp-Param-Region": "=?base64?Z3LDtsOfZQ==?=",
        "Mcp-Param-Count": "7",
        "Mcp-Param-Deep": "true",
    }


@pytest.mark.parametrize(
    "block",
    [
        {"type": "image", "data": "not base64!", "mimeType": "image/png"},
        {"type": "audio", "data": "AAAA"},
        {"type": "resource_link", "uri": "test:text"},
        {"type": "resource", "resource": {"uri": "test:text"}},
        {"type": "resource", "resource": {"uri": "test:text", "blob": "?"}},
        {"type": "text", "text": "x", "annotations": {"priority": 2}},
        {"type": "text", "text": "x", "annotations": {"audience": "user"}},
        {"type": "film"},
    ],
)
def test_block_of_a_wrong_shape_has_a_problem(block: Any) -> None:
    assert block_problem(block)


@pytest.mark.parametrize(
    ("block", "first_revision"),
    [
        ({"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}, "2025-03-26"),
        ({"type": "resource_link", "uri": "test:text", "name": "lion"}, "2025-06-18"),
    ],
)
def test_block_is_known_from_the_revision_on_that_brought_it(
    block: Any, first_revision: str
) -> None:
    assert block_problem(block, "2024-11-05")
    assert block_problem(block, first_revision) == ""
    assert block_problem(block) == ""


def test_capabilities_are_objects_with_flags() -> None:
    assert capabilities_problem({"tools": {"listChanged": True}, "logging": {}, "own": 1}) == ""
    assert capabilities_problem({"tools": True})
    assert capabilities_problem({"resources": {"subscribe": "yes"}})
    assert capabilities_problem(None)


def test_contents_are_a_text_or_base64() -> None:
    assert contents_problem({"uri": "test:text", "text": ""}) == ""
    assert contents_problem({"uri": "test:text", "blob": "AAEC"}) == ""
    assert contents_problem({"uri": "test:text"})
    assert contents_problem({"text": "x"})


def test_uri_has_a_scheme() -> None:
    assert all(map(is_uri, ("file:///a", "urn:x:y", "notes://{name}")))
    assert not any(map(is_uri, ("a/b", "//host/a", "", None, "file:///a b")))


@pytest.mark.parametrize(
    "text",
    [
        'Traceback (most recent call last):\\n  File \\"a.py\\", line 3',
        "TypeError at run (/srv/app/index.js:12:5)",
        "cannot open /home/test/keys.txt",
        r"C:\\Users\\zoo\\server.py",
        "in node_modules/mcp/index.js",
    ],
)
def test_stack_traces_and_paths_are_recognized(text: str) -> None:
    assert INTERNAL_DETAIL.search(text)


def test_plain_error_text_is_accepted() -> None:
    assert not INTERNAL_DETAIL.search(
        '{"error": {"code": -32601, "message": "Method not found: no/such"}}'
    )
