"""Who may talk to the server: Host, Origin, sizes."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.conformance import revisions as r
from mcpgen.conformance.checks.rule import Page, Rule, page
from mcpgen.conformance.checks.shapes import crashed
from mcpgen.conformance.findings import Finding
from mcpgen.conformance.strict_json import dumps
from mcpgen.conformance.target import Visit

_PAGE = Page("Security Warning", page("2025-11-25", "basic/transports"), r.ALL, profile="security")
_ONCE = Page("Security Warning", page("2025-11-25", "basic/transports"), profile="security")
ORIGINS = ("http://evil.example", "null", "http://localhost.evil.example")
HOSTS = ("evil.example", "localhost.evil.example")
LOOPBACK = ("localhost", "127.0.0.1", "::1")
OVERSIZE = 16 * 1024 * 1024
"""Bytes of a body that no request to a tool needs."""


def _origin(visit: Visit) -> Iterator[Finding]:
    visit.talk.opened()
    wanted = (403,) if visit.revision >= "2025-11-25" else (403, 421, 400, 401)
    for origin in ORIGINS:
        exchange = visit.talk.send(visit.idle_method, headers={"Origin": origin})
        if exchange.status not in wanted:
            yield Finding(f"HTTP 403 for `Origin: {origin}`", str(exchange))


def _host(visit: Visit) -> Iterator[Finding]:
    visit.talk.opened()
    if visit.talk.probe.hostname not in LOOPBACK:
        return
    for host in HOSTS:
        exchange = visit.talk.send(visit.idle_method, headers={"Host": host})
        if exchange.status not in (400, 403, 404, 421):
            yield Finding(f"HTTP 421 or 403 for `Host: {host}`", str(exchange))


def _oversize(visit: Visit) -> Iterator[Finding]:
    visit.talk.opened()
    padding = {"padding": "x" * OVERSIZE}
    message = visit.talk.message(visit.idle_method, padding, "oversize")
    headers = visit.talk.headers(visit.idle_method, padding)
    exchange = visit.talk.post(None, headers, awaits="oversize", raw=dumps(message))
    # A server that closes the connection while the body is still coming has refused it, too.
    closed = exchange.status == 0 and exchange.fault is not None
    if not closed and not 400 <= exchange.status < 500:
        yield Finding(f"HTTP 413 for a body of {OVERSIZE:,} bytes", str(exchange))
    after = visit.talk.send(visit.idle_method)
    if crashed(after):
        yield Finding("the server answers after an oversize body", str(after))


RULES = (
    Rule(
        _PAGE.must(
            "origin-foreign-refused",
            "A request from a foreign web origin is refused (HTTP 403 since 2025-11-25).",
            "1",
            "Any web page the user visits could otherwise call the tools through the browser (DNS "
            "rebinding). `null` and look-alikes of localhost are foreign, too.",
            "Compare the whole Origin with a list of allowed ones; refuse all others.",
        ),
        _origin,
    ),
    Rule(
        _ONCE.host(
            "host-foreign-refused",
            "A local server refuses requests for a foreign host name.",
            "DNS rebinding",
            "After rebinding, the browser sends the attacker's name as Host; same-origin requests "
            "carry no Origin to check.",
            "Compare Host with the names you serve; answer 421 otherwise.",
        ),
        _host,
    ),
    Rule(
        _ONCE.host(
            "oversize-body-refused",
            "A body of 16 MiB is refused, and the server lives on.",
            "Schema bounds and resource use",
            "Without a limit a single request can use up the memory of the server.",
            "Limit the body (4 MiB is common) and answer 413.",
        ),
        _oversize,
    ),
)
