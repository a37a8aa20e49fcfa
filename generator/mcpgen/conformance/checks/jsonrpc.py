"""JSON-RPC itself: ids, malformed messages."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding
from mcpgen.conformance.checks.check_def import CheckDef, SpecPage, page
from mcpgen.conformance.checks.predicates import is_crash, is_refusal
from mcpgen.conformance.exchange import HttpExchange
from mcpgen.conformance.strict_json import dumps

_PAGE = SpecPage("Overview", page("2025-11-25", "basic"), r.ALL)
AT_ONCE = 8
"""Requests sent at the same time."""


def _ids(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.ready()
    for identifier in ("a string id", 7_000_001, 0):
        exchange = visit.talk.send(visit.idle_method, identifier=identifier)
        if exchange.response(identifier) is None:
            yield Finding(f"a response with the id {identifier!r}", str(exchange))


def _concurrent(visit: CheckContext) -> Iterator[Finding]:
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


def _malformed_refused(visit: CheckContext) -> Iterator[Finding]:
    exchange = _malformed(visit)
    if is_crash(exchange) or not is_refusal(exchange):
        yield Finding("broken JSON is refused", str(exchange))


def _malformed_code(visit: CheckContext) -> Iterator[Finding]:
    exchange = _malformed(visit)
    if exchange.code != r.PARSE_ERROR:
        yield Finding("a JSON-RPC error with code -32700", str(exchange))


def _invalid(visit: CheckContext) -> HttpExchange:
    visit.talk.ready()
    message = {"jsonrpc": "2.0", "id": 1, "params": {}}
    return visit.talk.post(message, visit.talk.headers(visit.idle_method, None))


def _invalid_refused(visit: CheckContext) -> Iterator[Finding]:
    exchange = _invalid(visit)
    if is_crash(exchange) or not is_refusal(exchange):
        yield Finding("a message without `method` is refused", str(exchange))


def _invalid_code(visit: CheckContext) -> Iterator[Finding]:
    exchange = _invalid(visit)
    # In the modern revision the missing `_meta` is as good a reason as the missing method.
    codes = (r.INVALID_REQUEST, r.INVALID_PARAMS) if visit.modern else (r.INVALID_REQUEST,)
    if exchange.code not in codes:
        yield Finding("a JSON-RPC error with code -32600", str(exchange))


def _null_id(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.ready()
    message = visit.talk.message(visit.idle_method, None, 0) | {"id": None}
    exchange = visit.talk.post(message, visit.talk.headers(visit.idle_method, None))
    if is_crash(exchange) or not is_refusal(exchange):
        yield Finding("a request whose id is null is refused", str(exchange))


def _envelopes(visit: CheckContext) -> Iterator[Finding]:
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


def _not_utf8(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.ready()
    message = visit.talk.message(visit.idle_method, {"note": "?"}, "latin")
    raw = dumps(message).replace(b"?", b"\xfc\xff")
    exchange = visit.talk.post(None, visit.talk.headers(visit.idle_method, None), raw=raw)
    if is_crash(exchange) or not is_refusal(exchange):
        yield Finding("a body that is not UTF-8 is refused", str(exchange))


def _invalid_params(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.declared("tools")
    visit.talk.ready()
    exchange = visit.talk.send("tools/call", {"arguments": {}})
    # In the modern revision the header that cannot match a missing name is as good a reason.
    codes = (r.INVALID_PARAMS, r.HEADER_MISMATCH) if visit.modern else (r.INVALID_PARAMS,)
    if exchange.code not in codes:
        yield Finding("the error -32602 for `tools/call` without a name", str(exchange))


RULES = (
    CheckDef(
        _PAGE.must(
            "response-keeps-id",
            "A response carries the id of its request, a string as a string, a number as a number.",
            "Responses",
            "The id is all a client has to match an answer to its question.",
            "Copy the id from the request unchanged.",
        ),
        _ids,
    ),
    CheckDef(
        _PAGE.must(
            "concurrent-ids-kept",
            "Requests at the same time each get their own response.",
            "Responses",
            "Hosts call several tools at once; a mixed-up id hands one call the result of another.",
            "Keep request state out of globals.",
        ),
        _concurrent,
    ),
    CheckDef(
        _PAGE.must(
            "malformed-json-refused",
            "A body that is not JSON is refused, and the server lives on.",
            "Transports, Sending Messages to the Server",
            "A server that breaks on bad input can be broken by anyone.",
            "Catch the parse error and answer HTTP 400 with the error -32700.",
        ),
        _malformed_refused,
    ),
    CheckDef(
        _PAGE.should(
            "malformed-json-32700",
            "A body that is not JSON gets the error -32700.",
            "JSON-RPC 2.0 §5.1",
            "The code tells the client's author where to look.",
            "Answer HTTP 400 with a JSON-RPC error of code -32700 and `id` null.",
        ),
        _malformed_code,
    ),
    CheckDef(
        _PAGE.must(
            "invalid-request-refused",
            "JSON that is not a JSON-RPC message is refused.",
            "Requests",
            "Guessing what a message without a method means helps nobody.",
            "Check `jsonrpc`, `id` and `method` before anything else; answer -32600.",
        ),
        _invalid_refused,
    ),
    CheckDef(
        _PAGE.should(
            "invalid-request-32600",
            "JSON that is not a JSON-RPC message gets the error -32600.",
            "JSON-RPC 2.0 §5.1",
            "The code tells a wrong envelope from wrong parameters.",
            "Answer with a JSON-RPC error of code -32600.",
        ),
        _invalid_code,
    ),
    CheckDef(
        _PAGE.should(
            "request-id-null-refused",
            "A request whose id is null is refused.",
            "Requests",
            "MCP knows no such request; taken for a notification it would be done without an answer.",
            "Answer HTTP 400 with the error -32600.",
        ),
        _null_id,
    ),
    CheckDef(
        _PAGE.should(
            "invalid-envelope-refused",
            "A message with a wrong `jsonrpc`, `method` or `params` is refused.",
            "JSON-RPC 2.0 §4",
            "What one parser lets pass the next one reads differently.",
            "Validate the envelope; answer -32600.",
        ),
        _envelopes,
    ),
    CheckDef(
        _PAGE.should(
            "body-not-utf8-refused",
            "A body that is not UTF-8 is refused, and the server lives on.",
            "Transports: JSON-RPC messages are UTF-8",
            "Guessing an encoding gives tools other arguments than the client meant.",
            "Decode strictly; answer HTTP 400 with the error -32700.",
        ),
        _not_utf8,
    ),
    CheckDef(
        _PAGE.should(
            "invalid-params-32602",
            "Parameters that the method cannot have get the error -32602.",
            "JSON-RPC 2.0 §5.1",
            "The code tells a wrong call from a broken server.",
            "Validate the parameters before you use them.",
        ),
        _invalid_params,
    ),
)
