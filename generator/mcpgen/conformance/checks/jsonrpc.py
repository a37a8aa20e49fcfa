"""JSON-RPC: ids and malformed messages."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.checks.check_def import SpecPage, spec_url
from mcpgen.conformance.checks.messages import LISTENING_SECONDS, declared_notifications
from mcpgen.conformance.checks.predicates import is_rejection
from mcpgen.conformance.exchange import HttpExchange
from mcpgen.conformance.model import Finding, NotApplicable
from mcpgen.conformance.strict_json import Json, dumps

_PAGE = SpecPage("Overview", spec_url("2025-11-25", "basic"), r.ALL)
IDENTIFIERS = ("a string id", "An-ID-of-Capitals", "42", 7_000_001, 0)
LONG_ID = "long-id-" * 11_000
"""An id of 88,000 characters: the response exceeds the buffers of 64 KiB that servers write to, and
the request is below the common limit of 100 KB for bodies."""

INCOMPLETE: tuple[tuple[str, str, dict[str, Json], str], ...] = (
    ("tools", "tools/call", {"arguments": {}}, "a name"),
    ("prompts", "prompts/get", {"arguments": {}}, "a name"),
    ("resources", "resources/read", {}, "a URI"),
    ("completions", "completion/complete", {"argument": {"name": "x", "value": ""}}, "a reference"),
)
"""By capability: a method, parameters that lack a required member, and the member in words."""

NOT_FOUND = -32002
"""The code of older revisions for an unknown resource, also for none."""

AT_ONCE = 8
"""Requests sent at the same time."""


def _check_response_keeps_id(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    for identifier in IDENTIFIERS:
        exchange = context.session.send(context.idle_method, identifier=identifier)
        if exchange.response(identifier) is None:
            yield Finding(f"a response with the id {identifier!r}", str(exchange))
    if not context.session.probe.is_stdio:
        # No sentence limits the length of an id; a server that limits bodies refuses the request.
        exchange = context.session.send(context.idle_method, identifier=LONG_ID)
        if exchange.response(LONG_ID) is None and not 400 <= exchange.status < 500:
            expected = (
                f"a response with the id, which has {len(LONG_ID):,} characters, or a refusal"
            )
            yield Finding(expected, str(exchange), warns=True)
    refused: list[tuple[str, dict[str, str | None]]] = [("no/such/method", {})]
    if context.modern:
        refused.append((context.idle_method, {"Mcp-Method": "tools/list"}))
    for method, headers in refused:
        exchange = context.session.send(method, identifier="an-error", headers=headers)
        # An error of HTTP, such as a missing session, may come before the message is read.
        is_of_message = exchange.code in (r.METHOD_NOT_FOUND, r.INVALID_PARAMS, r.HEADER_MISMATCH)
        if is_of_message and exchange.response("an-error") is None:
            yield Finding("an error with the id 'an-error'", str(exchange))


def _check_concurrent_ids_kept(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    names = [f"at-once-{number}" for number in range(AT_ONCE)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        exchanges = list(
            pool.map(lambda name: context.session.send(context.idle_method, identifier=name), names)
        )
    for name, exchange in zip(names, exchanges, strict=True):
        if exchange.response(name) is None:
            yield Finding(
                f"each of {AT_ONCE} requests at once gets its own response", str(exchange)
            )


def _malformed(context: CheckContext) -> HttpExchange:
    context.session.open()
    raw = b'{"jsonrpc": "2.0", "id": 1, "method": '
    return context.session.post(None, context.session.headers(context.idle_method, None), raw=raw)


def _check_malformed_json_refused(context: CheckContext) -> Iterator[Finding]:
    exchange = _malformed(context)
    if not is_rejection(exchange):
        yield Finding("broken JSON is refused", str(exchange))
    after = context.session.send(context.idle_method, identifier="after")
    if after.response("after") is None:
        yield Finding("the server answers after broken JSON", str(after))


def _check_malformed_json_32700(context: CheckContext) -> Iterator[Finding]:
    exchange = _malformed(context)
    if exchange.code != r.PARSE_ERROR:
        yield Finding("a JSON-RPC error with code -32700", str(exchange))


def _invalid(context: CheckContext) -> HttpExchange:
    context.session.open()
    message = {"jsonrpc": "2.0", "id": 1, "params": {}}
    return context.session.post(message, context.session.headers(context.idle_method, None))


def _check_invalid_request_refused(context: CheckContext) -> Iterator[Finding]:
    exchange = _invalid(context)
    if not is_rejection(exchange):
        # No revision says how a message that is neither a request nor a response is answered:
        # HTTP 202 takes the message for a response.
        warns = exchange.status == 202 and not exchange.body
        yield Finding("a message without `method` is refused", str(exchange), warns=warns)


def _check_invalid_request_32600(context: CheckContext) -> Iterator[Finding]:
    exchange = _invalid(context)
    # In the modern revision the missing `_meta` is as good a reason as the missing method.
    codes = (r.INVALID_REQUEST, r.INVALID_PARAMS) if context.modern else (r.INVALID_REQUEST,)
    if exchange.code not in codes:
        yield Finding("a JSON-RPC error with code -32600", str(exchange))


def _check_request_id_null_refused(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    message = context.session.message(context.idle_method, None, 0) | {"id": None}
    exchange = context.session.post(message, context.session.headers(context.idle_method, None))
    if not is_rejection(exchange):
        yield Finding("a request whose id is null is refused", str(exchange))


def _check_invalid_envelope_refused(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    valid = context.session.message(context.idle_method, {}, "odd")
    for fault, message in (
        ("`jsonrpc` is 1.0", valid | {"jsonrpc": "1.0"}),
        ("`method` is a number", valid | {"method": 7}),
        ("`params` is a text", valid | {"params": "x"}),
        ("`params` is a list", valid | {"params": []}),
        ("`id` is an object", valid | {"id": {}}),
        ("`id` is a truth value", valid | {"id": True}),
        ("the message is a text", "ping"),
    ):
        exchange = context.session.post(message, context.session.headers(context.idle_method, None))
        if not is_rejection(exchange):
            yield Finding(f"a refusal where {fault}", str(exchange))


def _check_body_not_utf8_refused(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    message = context.session.message(context.idle_method, {"note": "?"}, "latin")
    raw = dumps(message).replace(b"?", b"\xfc\xff")
    exchange = context.session.post(
        None, context.session.headers(context.idle_method, None), raw=raw
    )
    if not is_rejection(exchange):
        yield Finding("a body that is not UTF-8 is refused", str(exchange))


def _check_invalid_params_32602(context: CheckContext) -> Iterator[Finding]:
    rows = [row for row in INCOMPLETE if context.session.has_capability(row[0])]
    if not rows:
        raise NotApplicable("methods with required parameters")
    context.session.open()
    # In the modern revision the header that cannot match a missing name is as good a reason.
    codes = (r.INVALID_PARAMS, r.HEADER_MISMATCH if context.modern else NOT_FOUND)
    for _, method, params, missing in rows:
        exchange = context.session.send(method, params)
        if exchange.code not in codes:
            yield Finding(f"the error -32602 for `{method}` without {missing}", str(exchange))
    if context.modern and declared_notifications(context):
        # A granted subscription has no end.
        exchange = context.session.send("subscriptions/listen", timeout=LISTENING_SECONDS)
        if exchange.code not in codes:
            yield Finding("the error -32602 for a subscription without a filter", str(exchange))


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
