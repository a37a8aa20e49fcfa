"""The handshake of the revisions that have one."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.conformance import revisions as r
from mcpgen.conformance.checks.rule import Page, Rule, page
from mcpgen.conformance.checks.shapes import implementation_problem
from mcpgen.conformance.exchange import printable
from mcpgen.conformance.findings import Finding
from mcpgen.conformance.target import Visit

_PAGE = Page("Lifecycle", page("2025-11-25", "basic/lifecycle"), r.LEGACY)
UNKNOWN_VERSION = "1999-12-31"


def _shape(visit: Visit) -> Iterator[Finding]:
    result = visit.talk.opened()
    if not isinstance(result.get("capabilities"), dict):
        yield Finding("`capabilities` is an object", printable(result.get("capabilities")))
    if problem := implementation_problem(result.get("serverInfo")):
        yield Finding("`serverInfo` is an object with `name` and `version`", problem)
    if not isinstance(result.get("instructions", ""), str):
        yield Finding("`instructions` is a string", printable(result["instructions"]))


def _unknown_version(visit: Visit) -> Iterator[Finding]:
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


def _ping(visit: Visit) -> Iterator[Finding]:
    if result := visit.talk.ask("ping"):
        stray = [key for key in result if key != "_meta"]
        if stray:
            yield Finding("`ping` answers with an empty result", printable(result))


def _session_id(visit: Visit) -> Iterator[Finding]:
    visit.talk.opened()
    session = visit.talk.opening.headers.get("mcp-session-id")
    if session is not None and (not session or any(not 0x21 <= ord(c) <= 0x7E for c in session)):
        yield Finding("`Mcp-Session-Id` has visible ASCII characters only", repr(session))


def _session_ends(visit: Visit) -> Iterator[Finding]:
    talk = visit.talk
    talk.opened()
    if not talk.session:
        return
    opening = talk.initialize(visit.revision, "to-be-deleted")
    session = {"Mcp-Session-Id": opening.headers.get("mcp-session-id", "")}
    ended = talk.delete(session)
    if ended.status not in (200, 202, 204):
        return
    exchange = talk.send("ping", headers=session)
    if exchange.status != 404:
        yield Finding("HTTP 404 for a session that was deleted", str(exchange))


RULES = (
    Rule(
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
    Rule(
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
    Rule(
        _PAGE.must(
            "ping-answers",
            "`ping` is answered promptly with an empty result.",
            "Utilities: Ping",
            "Clients ping to learn whether a connection is alive and close it when no answer comes.",
            "Answer `ping` with `{}` as its result.",
        ),
        _ping,
    ),
    Rule(
        _PAGE.must(
            "session-id-visible-ascii",
            "A session id consists of visible ASCII characters.",
            "Transports: Session Management, 1",
            "The client must send the id back in a header, where other characters cannot travel.",
            "Issue a random UUID or another token of letters and digits.",
        ),
        _session_id,
    ),
    Rule(
        _PAGE.must(
            "session-deleted-404",
            "Requests in a session that was ended get HTTP 404.",
            "Transports: Session Management, 3",
            "404 is the sign by which a client learns that it must initialize again.",
            "Forget the session on DELETE and answer 404 to its id from then on.",
        ),
        _session_ends,
    ),
)
