"""Sessions, of the revisions that have them and for the servers that issue them."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding, NotApplicable
from mcpgen.conformance.checks.check_def import CheckDef, SpecPage, page
from mcpgen.conformance.client_session import ProbeSession

_PAGE = SpecPage(
    "Transports, Session Management", page("2025-11-25", "basic/transports"), r.STREAMABLE
)
HEADER = "Mcp-Session-Id"
STRANGE = "7b6f0d8e-there-was-never-such-a-session"


def session_with_id(visit: CheckContext) -> ProbeSession:
    """The conversation, which has a session. Raises NotDeclared when the server issues none."""
    visit.talk.opened()
    if not visit.talk.session:
        raise NotApplicable("sessions")
    return visit.talk


def _visible(visit: CheckContext) -> Iterator[Finding]:
    session = session_with_id(visit).opening.headers[HEADER.lower()]
    if any(not 0x21 <= ord(c) <= 0x7E for c in session):
        yield Finding(f"`{HEADER}` has visible ASCII characters only", repr(session))


def _honoured(visit: CheckContext) -> Iterator[Finding]:
    talk = session_with_id(visit)
    talk.ready()
    exchange = talk.send("ping", identifier="in-session")
    if exchange.response("in-session") is None or exchange.error:
        yield Finding("an answer to a request in the session that was issued", str(exchange))


def _required(visit: CheckContext) -> Iterator[Finding]:
    talk = session_with_id(visit)
    talk.ready()
    exchange = talk.send("ping", identifier="outside", headers={HEADER: None})
    answered = exchange.response("outside") is not None and not exchange.error
    if exchange.status != 400 and not answered:
        yield Finding(f"HTTP 400, or an answer, without `{HEADER}`", str(exchange))


def _unknown(visit: CheckContext) -> Iterator[Finding]:
    talk = session_with_id(visit)
    exchange = talk.send("ping", headers={HEADER: STRANGE})
    if exchange.status != 404:
        yield Finding("HTTP 404 for a session that does not exist", str(exchange))


def _delete_answered(visit: CheckContext) -> Iterator[Finding]:
    ended = session_with_id(visit).delete({HEADER: _another(visit)})
    if ended.status not in (200, 202, 204, 405):
        yield Finding("HTTP 200 or 204 for DELETE, or 405", str(ended))


def _deleted(visit: CheckContext) -> Iterator[Finding]:
    talk = session_with_id(visit)
    session = {HEADER: _another(visit)}
    if talk.delete(session).status not in (200, 202, 204):
        raise NotApplicable("sessions that clients can end")
    exchange = talk.send("ping", headers=session)
    if exchange.status != 404:
        yield Finding("HTTP 404 for a session that was deleted", str(exchange))


def _another(visit: CheckContext) -> str:
    """The id of a session that is not used for anything else."""
    opening = visit.talk.initialize(visit.revision, "to-be-deleted")
    return opening.headers.get(HEADER.lower(), "")


RULES = (
    CheckDef(
        _PAGE.must(
            "session-id-visible-ascii",
            "A session id consists of visible ASCII characters.",
            "1",
            "The client must send the id back in a header, where other characters cannot travel.",
            "Issue a random UUID or another token of letters and digits.",
        ),
        _visible,
    ),
    CheckDef(
        _PAGE.must(
            "session-honoured",
            "A request with the session id that was issued is answered.",
            "2",
            "Clients send the id with every request after `initialize`; a server that does not know "
            "its own sessions (several processes, say, each with its own memory) answers nobody.",
            "Keep sessions where every process finds them, or issue none: `stateless`.",
        ),
        _honoured,
    ),
    CheckDef(
        _PAGE.should(
            "session-required-400",
            "A request without the session id a server requires gets HTTP 400.",
            "2",
            "400 tells a client that it forgot the header; 404 would make it start anew, and 401 ask "
            "the user for credentials.",
            "Answer 400 when the header is missing, 404 when its session is unknown.",
        ),
        _required,
    ),
    CheckDef(
        _PAGE.must(
            "session-unknown-404",
            "A request in a session that does not exist (any more) gets HTTP 404.",
            "3",
            "404 is the sign by which a client learns that it must initialize again, after a restart "
            "of the server for example. With any other answer it is stuck.",
            "Answer 404 to every session id that is not in use.",
        ),
        _unknown,
    ),
    CheckDef(
        _PAGE.should(
            "session-delete-answered",
            "DELETE ends a session, or is answered with HTTP 405.",
            "5",
            "Clients end their sessions when the user leaves; a server that cannot be told keeps "
            "them for ever.",
            "Forget the session and answer 204, or answer 405.",
        ),
        _delete_answered,
    ),
    CheckDef(
        _PAGE.must(
            "session-deleted-404",
            "Requests in a session that was ended get HTTP 404.",
            "3",
            "404 is the sign by which a client learns that it must initialize again.",
            "Forget the session on DELETE and answer 404 to its id from then on.",
        ),
        _deleted,
    ),
)
