"""Security: foreign `Host` and `Origin`, session ids, error texts, echoed credentials."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from math import log2

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.checks.authorization import credential_headers
from mcpgen.conformance.checks.check_def import SpecPage, spec_url
from mcpgen.conformance.checks.predicates import private
from mcpgen.conformance.exchange import HttpExchange, printable
from mcpgen.conformance.model import Finding, NotApplicable

_PAGE = SpecPage("Security Warning", spec_url("2025-11-25", "basic/transports"), r.ALL)
_ONCE = SpecPage("Security Warning", spec_url("2025-11-25", "basic/transports"), profile="security")
ORIGINS = ("http://evil.example", "http://localhost.evil.example")
SINCE_403 = "2025-11-25"
"""The first revision that demands HTTP 403 for an invalid `Origin`."""

HOSTS = ("evil.example", "localhost.evil.example")
LOOPBACK = ("localhost", "127.0.0.1", "::1")
SESSIONS = 4
"""Number of sessions whose ids are compared."""

ENOUGH_BITS = 64
MIN_SECRET = 8
INTERNAL_DETAIL = re.compile(
    r"Traceback \(most recent call last\)|File \\?\".+?\", line \d+|\bat .+?[^\d:]:\d+:\d+"
    r"|/(?:home|usr|opt|var|root|srv|app)/[\w./-]+|\b[A-Z]:\\\\?[\w\\.]+|site-packages|node_modules"
)
"""Matches stack traces and file paths in a JSON body, and no times of day (`at 12:30:00`)."""

_WEB_ADDRESS = re.compile(r"https?://[^\s\"<>\\]+")

_ERRORS = SpecPage("Tools", spec_url("2026-07-28", "server/tools"), profile="security")


def _check_origin_foreign_refused(context: CheckContext) -> Iterator[Finding]:
    context.session.opening_result()
    exchanges = [
        (origin, context.session.send(context.idle_method, headers={"Origin": origin}))
        for origin in ORIGINS
    ]
    if not context.modern:
        headers = {"Origin": ORIGINS[0]}
        opening = context.session.initialize(context.revision, "origin", headers)
        exchanges.append((ORIGINS[0], opening))
    # A server that accepts one foreign origin accepts most: one violation in each revision.
    for origin, exchange in exchanges:
        findings = list(_find_accepted_origin(context, origin, exchange))
        if findings:
            yield from findings
            return


def _check_origin_null_refused(context: CheckContext) -> Iterator[Finding]:
    context.session.opening_result()
    exchange = context.session.send(context.idle_method, headers={"Origin": "null"})
    yield from _find_accepted_origin(context, "null", exchange)


def _find_accepted_origin(
    context: CheckContext, origin: str, exchange: HttpExchange
) -> Iterator[Finding]:
    refused = (403,) if context.revision >= SINCE_403 else range(400, 500)
    if exchange.status in refused:
        return
    # `Origin` is invalid by the server's own rules. A public server that allows the origin by CORS
    # says that the origin is valid; on a local network the same header opens the server to every page.
    allowed = exchange.headers.get("access-control-allow-origin") in ("*", origin)
    warns = allowed and not private(context.session.probe.hostname)
    yield Finding(f"HTTP 403 for `Origin: {origin}`", str(exchange), warns=warns)


def _check_host_foreign_refused(context: CheckContext) -> Iterator[Finding]:
    context.session.opening_result()
    if context.session.probe.hostname not in LOOPBACK:
        raise NotApplicable("an address of this machine")
    for host in HOSTS:
        exchange = context.session.send(context.idle_method, headers={"Host": host})
        if exchange.status not in (400, 403, 404, 421):
            yield Finding(f"HTTP 421 or 403 for `Host: {host}`", str(exchange))


def _check_session_id_unguessable(context: CheckContext) -> Iterator[Finding]:
    ids = _session_ids(context)
    if len(set(ids)) < len(ids):
        yield Finding("a session id of its own for each session", printable(ids))
    elif (bits := entropy(ids)) < ENOUGH_BITS:
        saw = f"about {bits:.0f} bits change between {printable(ids[0])} and {printable(ids[1])}"
        yield Finding(f"at least {ENOUGH_BITS} random bits in a session id", saw)


def _session_ids(context: CheckContext) -> list[str]:
    """Ids of `SESSIONS` new sessions, deleted again. Raises NotApplicable if the server has no
    sessions.
    """
    supported = [
        legacy_context
        for legacy_context in map(context.in_revision, reversed(r.STREAMABLE))
        if legacy_context.session.is_supported
    ]
    if not supported or not supported[0].session.session_id:
        raise NotApplicable("sessions")
    session = supported[0].session
    ids = []
    for number in range(SESSIONS):
        opening = session.initialize(session.revision, f"session-{number}")
        session_id = opening.headers.get("mcp-session-id", "")
        ids.append(session_id)
        session.delete({"Mcp-Session-Id": session_id})
    return ids


def entropy(ids: Sequence[str]) -> float:
    """Upper bound of the bits that differ between ids: changing positions × log2(alphabet size).

    Example: `entropy(["id-1", "id-2"])` is 6: one position of an alphabet of 64.
    """
    columns = zip_longest(*ids, fillvalue="")
    changing = sum(len(set(column)) > 1 for column in columns)
    return changing * log2(max(2, _alphabet("".join(ids))))


def _alphabet(text: str) -> int:
    """Size of the smallest common alphabet (10, 16 or 64) of `text`."""
    if all(c in "0123456789.-:" for c in text):
        return 10
    if all(c in "0123456789abcdefABCDEF-" for c in text):
        return 16
    return 64


def _check_errors_show_no_inside(context: CheckContext) -> Iterator[Finding]:
    for request, exchange in _errors(context):
        # The path of a web address, such as that of the documentation, is no path of a file.
        text = _WEB_ADDRESS.sub("", exchange.body.decode("utf-8", "replace"))
        if match := INTERNAL_DETAIL.search(text):
            yield Finding(f"no traces and paths of the server in the answer to {request}", match[0])


def _check_credentials_not_echoed(context: CheckContext) -> Iterator[Finding]:
    secrets = [value.rpartition(" ")[2] for value in credential_headers(context.options).values()]
    secrets = [secret for secret in secrets if len(secret) >= MIN_SECRET]
    if not secrets:
        raise NotApplicable("credentials")
    answers = [*_errors(context), ("the opening", context.session.opening)]
    for request, exchange in answers:
        answer_text = exchange.body.decode("utf-8", "replace") + " ".join(exchange.headers.values())
        if any(secret in answer_text for secret in secrets):
            yield Finding("no credentials in any answer", f"they are in the answer to {request}")


def _errors(context: CheckContext) -> Iterator[tuple[str, HttpExchange]]:
    """Exchanges of requests with one fault each, by the fault in words."""
    session, method = context.session, context.idle_method
    session.open()
    headers = session.headers(method, None)
    yield "broken JSON", session.post(None, headers, raw=b'{"jsonrpc": "2.0", "id": 1, "method": ')
    yield "a body that is not UTF-8", session.post(None, headers, raw=b'{"jsonrpc": "\xff"}')
    yield "a list in place of a message", session.post([[]], headers)
    yield "an unknown method", session.send("no/such/method")
    yield "wrong parameters", session.send("tools/call", {"name": "no_such_tool", "arguments": 7})
    yield "a strange content type", session.send(method, headers={"Content-Type": "text/x-strange"})


RULES = (
    _PAGE.must("origin-foreign-refused", "1", _check_origin_foreign_refused),
    replace(_PAGE, profile="security").host("origin-null-refused", "1", _check_origin_null_refused),
    _ONCE.host("host-foreign-refused", "DNS rebinding", _check_host_foreign_refused),
    SpecPage(
        "Transports, Session Management",
        spec_url("2025-11-25", "basic/transports"),
        profile="security",
    ).should("session-id-unguessable", "1", _check_session_id_unguessable),
    _ERRORS.should("errors-show-no-inside", "Error Handling", _check_errors_show_no_inside),
    _ERRORS.own("credentials-not-echoed", "Security Considerations", _check_credentials_not_echoed),
)
