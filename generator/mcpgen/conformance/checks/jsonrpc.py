"""JSON-RPC itself: ids, malformed messages."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.checks.check_def import SpecPage, page
from mcpgen.conformance.checks.predicates import is_crash, is_refusal
from mcpgen.conformance.exchange import HttpExchange
from mcpgen.conformance.model import Finding
from mcpgen.conformance.strict_json import dumps

_PAGE = SpecPage("Overview", page("2025-11-25", "basic"), r.ALL)
AT_ONCE = 8
"""Requests sent at the same time."""


def _check_response_keeps_id(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.ready()
    for identifier in ("a string id", 7_000_001, 0):
        exchange = visit.talk.send(visit.idle_method, identifier=identifier)
        if exchange.response(identifier) is None:
            yield Finding(f"a response with the id {identifier!r}", str(exchange))


def _check_concurrent_ids_kept(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.ready()
    names = [f"at-once-{number}" for number in range(AT_ONCE)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        exchanges = list(
            pool.map(lambda name: visit.talk.send(visit.idle_method, identifier=name), names)
        )
    for name, exchange in zip(names, exchanges, strict=True):
        if exchange.response(name) is None:
            yield Finding(
                f"each of {AT_ONCE} requests at once gets its own response", str(exchange)
            )


def _malformed(visit: CheckContext) -> HttpExchange:
    visit.talk.ready()
    raw = b'{"jsonrpc": "2.0", "id": 1, "method": '
    return visit.talk.post(None, visit.talk.headers(visit.idle_method, None), raw=raw)


def _check_malformed_json_refused(visit: CheckContext) -> Iterator[Finding]:
    exchange = _malformed(visit)
    if is_crash(exchange) or not is_refusal(exchange):
        yield Finding("broken JSON is refused", str(exchange))


def _check_malformed_json_32700(visit: CheckContext) -> Iterator[Finding]:
    exchange = _malformed(visit)
    if exchange.code != r.PARSE_ERROR:
        yield Finding("a JSON-RPC error with code -32700", str(exchange))


def _invalid(visit: CheckContext) -> HttpExchange:
    visit.talk.ready()
    message = {"jsonrpc": "2.0", "id": 1, "params": {}}
    return visit.talk.post(message, visit.talk.headers(visit.idle_method, None))


def _check_invalid_request_refused(visit: CheckContext) -> Iterator[Finding]:
    exchange = _invalid(visit)
    if is_crash(exchange) or not is_refusal(exchange):
        yield Finding("a message without `method` is refused", str(exchange))


def _check_invalid_request_32600(visit: CheckContext) -> Iterator[Finding]:
    exchange = _invalid(visit)
    # In the modern revision the missing `_meta` is as good a reason as the missing method.
    codes = (r.INVALID_REQUEST, r.INVALID_PARAMS) if visit.modern else (r.INVALID_REQUEST,)
    if exchange.code not in codes:
        yield Finding("a JSON-RPC error with code -32600", str(exchange))


def _check_request_id_null_refused(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.ready()
    message = visit.talk.message(visit.idle_method, None, 0) | {"id": None}
    exchange = visit.talk.post(message, visit.talk.headers(visit.idle_method, None))
    if is_crash(exchange) or not is_refusal(exchange):
        yield Finding("a request whose id is null is refused", str(exchange))


def _check_invalid_envelope_refused(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.ready()
    good = visit.talk.message(visit.idle_method, {}, "odd")
    for what, message in (
        ("`jsonrpc` is 1.0", good | {"jsonrpc": "1.0"}),
        ("`method` is a number", good | {"method": 7}),
        ("`params` is a text", good | {"params": "x"}),
        ("the message is a text", "ping"),
    ):
        exchange = visit.talk.post(message, visit.talk.headers(visit.idle_method, None))
        if is_crash(exchange) or not is_refusal(exchange):
            yield Finding(f"a refusal where {what}", str(exchange))


def _check_body_not_utf8_refused(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.ready()
    message = visit.talk.message(visit.idle_method, {"note": "?"}, "latin")
    raw = dumps(message).replace(b"?", b"\xfc\xff")
    exchange = visit.talk.post(None, visit.talk.headers(visit.idle_method, None), raw=raw)
    if is_crash(exchange) or not is_refusal(exchange):
        yield Finding("a body that is not UTF-8 is refused", str(exchange))


def _check_invalid_params_32602(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.declared("tools")
    visit.talk.ready()
    exchange = visit.talk.send("tools/call", {"arguments": {}})
    # In the modern revision the header that cannot match a missing name is as good a reason.
    codes = (r.INVALID_PARAMS, r.HEADER_MISMATCH) if visit.modern else (r.INVALID_PARAMS,)
    if exchange.code not in codes:
        yield Finding("the error -32602 for `tools/call` without a name", str(exchange))


RULES = (
    _PAGE.must("response-keeps-id", "Responses", _check_response_keeps_id),
    _PAGE.must("concurrent-ids-kept", "Responses", _check_concurrent_ids_kept),
    _PAGE.must(
        "malformed-json-refused",
        "Transports, Sending Messages to the Server",
        _check_malformed_json_refused,
    ),
    _PAGE.should("malformed-json-32700", "JSON-RPC 2.0 §5.1", _check_malformed_json_32700),
    _PAGE.must("invalid-request-refused", "Requests", _check_invalid_request_refused),
    _PAGE.should("invalid-request-32600", "JSON-RPC 2.0 §5.1", _check_invalid_request_32600),
    _PAGE.should("request-id-null-refused", "Requests", _check_request_id_null_refused),
    _PAGE.should("invalid-envelope-refused", "JSON-RPC 2.0 §4", _check_invalid_envelope_refused),
    _PAGE.should(
        "body-not-utf8-refused",
        "Transports: JSON-RPC messages are UTF-8",
        _check_body_not_utf8_refused,
    ),
    _PAGE.should("invalid-params-32602", "JSON-RPC 2.0 §5.1", _check_invalid_params_32602),
)
