"""The handshake of the revisions that have one."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding
from mcpgen.conformance.checks.check_def import CheckDef, SpecPage, page
from mcpgen.conformance.checks.predicates import capabilities_problem, implementation_problem
from mcpgen.conformance.exchange import printable

_PAGE = SpecPage("Lifecycle", page("2025-11-25", "basic/lifecycle"), r.LEGACY)
UNKNOWN_VERSION = "1999-12-31"


def _shape(visit: CheckContext) -> Iterator[Finding]:
    result = visit.talk.opened()
    if problem := capabilities_problem(result.get("capabilities")):
        yield Finding("`capabilities` is an object of objects", problem)
    if problem := implementation_problem(result.get("serverInfo")):
        yield Finding("`serverInfo` is an object with `name` and `version`", problem)
    if not isinstance(result.get("instructions", ""), str):
        yield Finding("`instructions` is a string", printable(result["instructions"]))


def _unknown_version(visit: CheckContext) -> Iterator[Finding]:
    exchange = visit.talk.initialize(UNKNOWN_VERSION, "unknown")
    response = exchange.response("unknown") or {}
    result = response.get("result")
    if isinstance(result, dict):
        if result.get("protocolVersion") in r.LEGACY:
            return
    elif isinstance(response.get("error"), dict):
        return
    expected = "another version that the server does support, or an error that says so"
    yield Finding(expected, str(exchange))


def _ping(visit: CheckContext) -> Iterator[Finding]:
    if result := visit.talk.ask("ping"):
        stray = [key for key in result if key != "_meta"]
        if stray:
            yield Finding("`ping` answers with an empty result", printable(result))


RULES = (
    CheckDef(
        _PAGE.must(
            "initialize-result-shape",
            "The result of `initialize` has `protocolVersion`, `capabilities` and `serverInfo`.",
            "Initialization",
            "Clients read these three before anything else; a missing or mistyped one makes them drop "
            "the server.",
            "Answer with `capabilities` as an object and `serverInfo` as "
            '`{"name": "…", "version": "…"}`.',
        ),
        _shape,
    ),
    CheckDef(
        _PAGE.must(
            "initialize-unknown-version",
            "Asked for a version it does not know, the server offers one that it does.",
            "Version Negotiation",
            "A newer client asks for a newer version first. A server that echoes whatever it is asked "
            "for promises behaviour it does not have.",
            "Answer with the latest version you implement when you do not implement the one asked for.",
        ),
        _unknown_version,
    ),
    CheckDef(
        _PAGE.must(
            "ping-answers",
            "`ping` is answered promptly with an empty result.",
            "Utilities: Ping",
            "Clients ping to learn whether a connection is alive and close it when no answer comes.",
            "Answer `ping` with `{}` as its result.",
        ),
        _ping,
    ),
)
