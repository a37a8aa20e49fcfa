"""Opening a session: reachability, `initialize`, `ping`, session ids."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import replace

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.checks.check_def import SpecPage, spec_url
from mcpgen.conformance.checks.predicates import capabilities_problem, implementation_problem
from mcpgen.conformance.checks.prompts import completable
from mcpgen.conformance.client_session import ProbeSession
from mcpgen.conformance.exchange import FaultKind, printable
from mcpgen.conformance.model import HTTP_SSE, Finding, NotApplicable, PrerequisiteMissing

_VERSIONING = SpecPage("Versioning", spec_url("2026-07-28", "basic/versioning"))

_DISCOVERY = SpecPage("Discovery", spec_url("2026-07-28", "server/discover"), r.MODERN)
_LIFECYCLE = SpecPage("Lifecycle", spec_url("2025-11-25", "basic/lifecycle"), r.LEGACY)
_PING = SpecPage("Ping", spec_url("2025-11-25", "basic/utilities/ping"), r.LEGACY)
_SESSIONS = SpecPage(
    "Transports, Session Management", spec_url("2025-11-25", "basic/transports"), r.STREAMABLE
)
# The clause is the same on four pages; the check cites the page of Tools.
_CAPABILITIES = SpecPage("Tools", spec_url("2025-11-25", "server/tools"), r.ALL)
_REVISION_PATTERN = re.compile(r"\d{4}-\d{2}-\d{2}")
WITHOUT_COMPLETIONS_CAPABILITY = ("2024-11-05",)
"""Revisions in which completion needs no capability."""

UNKNOWN_VERSION = "1999-12-31"
"""A revision that was never published."""

_SESSION_HEADER = "Mcp-Session-Id"
_NONEXISTENT_SESSION = "7b6f0d8e-there-was-never-such-a-session"
DELETION_SECONDS = 1.0
"""Seconds to wait for the end of a session after HTTP 202, which promises the end for later."""

UNREADABLE = (FaultKind.NOT_JSON, FaultKind.ENCODED)
"""Faults of a response to `server/discover` that cannot be explained by an older revision, and so
are reported instead of skipped."""


def _check_speaks_mcp(context: CheckContext) -> Iterator[Finding]:
    if context.session.is_supported:
        return
    # A server that does not support the checked revision passes if `initialize` leads to any known
    # revision.
    legacy = context.in_revision(r.LEGACY[-1]).session
    result = (legacy.opening.response("opening") or {}).get("result")
    version = result.get("protocolVersion") if isinstance(result, dict) else None
    if version in r.LEGACY:
        return
    if legacy.serves_http_sse:
        saw = "an event stream with an `endpoint` event: HTTP+SSE of 2024-11-05"
        raise PrerequisiteMissing("a server over Streamable HTTP", saw, HTTP_SSE)
    expected = "a result for `server/discover` or `initialize`, in a revision of MCP"
    yield Finding(expected, f"{legacy.opening}")


def _check_initialize_result_shape(context: CheckContext) -> Iterator[Finding]:
    result = context.session.opening_result()
    version = result.get("protocolVersion")
    if not isinstance(version, str) or (version not in r.ALL and not _is_later(version)):
        yield Finding("`protocolVersion` is a revision of MCP", printable(version))
    if problem := capabilities_problem(result.get("capabilities")):
        yield Finding("`capabilities` is an object of objects", problem)
    if problem := implementation_problem(result.get("serverInfo")):
        yield Finding("`serverInfo` is an object with `name` and `version`", problem)
    if not isinstance(result.get("instructions", ""), str):
        yield Finding("`instructions` is a string", printable(result["instructions"]))


def _is_later(version: str) -> bool:
    """True for a date after the newest published revision."""
    return _REVISION_PATTERN.fullmatch(version) is not None and version > r.ALL[-1]


def _check_initialize_version_spoken(context: CheckContext) -> Iterator[Finding]:
    offered = _describe_offer(context)
    if not offered:
        raise NotApplicable("an offer of this revision")
    result = (context.session.opening.response("opening") or {}).get("result")
    if not isinstance(result, dict) or result.get("protocolVersion") != context.revision:
        expected = f"`protocolVersion` {context.revision} for a client that asks for the revision"
        yield Finding(f"{expected}: {offered}", str(context.session.opening))


def _describe_offer(context: CheckContext) -> str:
    """Describes the first response in which the server offers the checked revision; returns `""` if
    there is none."""
    for revision in r.ALL:
        opening = context.in_revision(revision).session.opening
        result = (opening.response("opening") or {}).get("result")
        versions = result.get("supportedVersions") if isinstance(result, dict) else None
        # Modern: listed by `server/discover`.
        if isinstance(versions, list) and revision in r.MODERN and context.revision in versions:
            return f"`server/discover` lists {context.revision}"
        # Legacy: the counter-offer of `initialize`.
        if isinstance(result, dict) and result.get("protocolVersion") == context.revision:
            return f"the server offers {context.revision} to a client that asks for {revision}"
    return ""


def _check_capability_declared(context: CheckContext) -> Iterator[Finding]:
    session = context.session
    for capability in dict.fromkeys(owner for owner, _ in r.LISTS.values()):
        if session.declares(capability):
            continue
        for method, count in session.undeclared_entries(capability).items():
            # Before 2026-07-28 the specification does not forbid an empty list of an undeclared
            # capability.
            if count or context.modern:
                expected = f"the capability `{capability}`, or the error -32601 for `{method}`"
                yield Finding(expected, f"{count} entries, and no declaration", warns=not count)
    if context.revision not in WITHOUT_COMPLETIONS_CAPABILITY and not session.declares(
        "completions"
    ):
        yield from _find_undeclared_completions(context)


def _find_undeclared_completions(context: CheckContext) -> Iterator[Finding]:
    try:
        reference, argument = completable(context)
    except (NotApplicable, PrerequisiteMissing):
        return
    params = {"ref": reference, "argument": {"name": argument, "value": ""}}
    exchange = context.session.send("completion/complete", params, identifier="undeclared")
    result = (exchange.response("undeclared") or {}).get("result")
    completion = result.get("completion") if isinstance(result, dict) else None
    if isinstance(completion, dict) and completion.get("values"):
        expected = "the capability `completions`, or the error -32601 for `completion/complete`"
        yield Finding(expected, f"{printable(completion)}, and no declaration")


def _check_initialize_unknown_version(context: CheckContext) -> Iterator[Finding]:
    exchange = context.session.initialize(UNKNOWN_VERSION, "unknown")
    response = exchange.response("unknown") or {}
    result = response.get("result")
    if isinstance(result, dict):
        if result.get("protocolVersion") in r.LEGACY:
            return
    elif isinstance(response.get("error"), dict):
        return
    expected = "another version that the server does support, or an error that says so"
    yield Finding(expected, str(exchange))


def _check_discover_served(context: CheckContext) -> Iterator[Finding]:
    session = context.session
    if session.opening.has_result("opening"):
        return
    if session.opening.fault is not None and session.opening.fault.kind in UNREADABLE:
        yield Finding("an answer to `server/discover` that can be read", str(session.opening))
        return
    if session.opening.code == r.HEADER_MISMATCH:
        # Only 2026-07-28 has the code, so the server speaks the revision and wrongly refuses a
        # correct request.
        yield Finding("an answer to `server/discover` with correct headers", str(session.opening))
        return
    if offer := _describe_error_offer(session):
        yield Finding("`server/discover` is answered in each version that errors offer", offer)
        return
    # `resultType` exists only since 2026-07-28: a server that sends it speaks the revision, and
    # must answer `server/discover`.
    exchange = session.send("tools/list", identifier="undiscovered")
    result = (exchange.response("undiscovered") or {}).get("result")
    if not isinstance(result, dict) or "resultType" not in result:
        raise NotApplicable("requests of 2026-07-28")
    yield Finding("`server/discover` is answered, as `tools/list` is", str(session.opening))


def _describe_error_offer(session: ProbeSession) -> str:
    """Asks with an unknown version. Describes the error -32022 if `data.supported` lists the
    session's revision; returns `""` otherwise."""
    meta = {**session.meta(), r.META_VERSION: UNKNOWN_VERSION}
    headers = {"MCP-Protocol-Version": UNKNOWN_VERSION}
    exchange = session.send("server/discover", {"_meta": meta}, headers=headers)
    details = (exchange.error or {}).get("data")
    versions = details.get("supported") if isinstance(details, dict) else None
    offers = isinstance(versions, list) and session.revision in versions
    if exchange.code != r.UNSUPPORTED_VERSION or not offers:
        return ""
    return f"{session.opening}, though `data.supported` of -32022 lists {session.revision}"


def _check_opening_refused(context: CheckContext) -> Iterator[Finding]:
    opening = context.session.opening
    if opening.has_result("opening") or 400 <= opening.status < 500:
        return
    code = opening.code
    # JSON-RPC 2.0 §5.1 reserves the codes for errors of the protocol.
    is_refusal = isinstance(code, int) and -32768 <= code <= -32000 and opening.status < 500
    if not is_refusal or code == r.INTERNAL_ERROR:
        expected = f"a refusal of {context.revision}, which the server does not speak"
        yield Finding(expected, str(opening))


def _check_ping_answers(context: CheckContext) -> Iterator[Finding]:
    if result := context.session.request("ping"):
        stray = [key for key in result if key != "_meta"]
        if stray:
            yield Finding("`ping` answers with an empty result", printable(result))


def session_with_id(context: CheckContext) -> ProbeSession:
    """The session of the context. Raises NotApplicable if the server issues no session id."""
    context.session.opening_result()
    if not context.session.session_id:
        raise NotApplicable("sessions")
    return context.session


def _check_session_id_visible_ascii(context: CheckContext) -> Iterator[Finding]:
    session_id = session_with_id(context).opening.headers[_SESSION_HEADER.lower()]
    if any(not 0x21 <= ord(c) <= 0x7E for c in session_id):
        yield Finding(f"`{_SESSION_HEADER}` has visible ASCII characters only", repr(session_id))


def _check_session_honoured(context: CheckContext) -> Iterator[Finding]:
    session = session_with_id(context)
    session.open()
    exchange = session.send("ping", identifier="in-session")
    # The server MAY terminate a session at any time (HTTP 404). A client then opens another
    # session, so 404 is only a warning.
    if not exchange.has_result("in-session"):
        expected = "an answer to a request in the session that was issued"
        yield Finding(expected, str(exchange), warns=exchange.status == 404)


def _check_session_required_400(context: CheckContext) -> Iterator[Finding]:
    session = session_with_id(context)
    session.open()
    # A server may answer `ping` to any client and refuse the requests of its features.
    list_methods = [method for method, (owner, _) in r.LISTS.items() if session.declares(owner)]
    for method in ("ping", *list_methods[:1]):
        # None removes the header.
        exchange = session.send(method, identifier="outside", headers={_SESSION_HEADER: None})
        if exchange.status != 400 and not exchange.has_result("outside"):
            yield Finding(
                f"HTTP 400, or an answer, for `{method}` without `{_SESSION_HEADER}`", str(exchange)
            )


def _check_session_unknown_404(context: CheckContext) -> Iterator[Finding]:
    session = session_with_id(context)
    # The MUST of the clause is about terminated sessions only: `session-deleted-404`.
    exchange = session.send("ping", headers={_SESSION_HEADER: _NONEXISTENT_SESSION})
    if exchange.status != 404:
        yield Finding("HTTP 404 for a session that does not exist", str(exchange))


def _check_session_delete_answered(context: CheckContext) -> Iterator[Finding]:
    exchange = session_with_id(context).delete({_SESSION_HEADER: _open_second_session(context)})
    if exchange.status not in (200, 202, 204, 405):
        yield Finding("HTTP 200 or 204 for DELETE, or 405", str(exchange))


def _check_session_deleted_404(context: CheckContext) -> Iterator[Finding]:
    session = session_with_id(context)
    session_header = {_SESSION_HEADER: _open_second_session(context)}
    deletion = session.delete(session_header)
    if deletion.status not in (200, 202, 204):
        raise NotApplicable("sessions that clients can end")
    exchange = session.send("ping", headers=session_header)
    give_up = time.monotonic() + DELETION_SECONDS
    while deletion.status == 202 and exchange.status != 404 and time.monotonic() < give_up:
        time.sleep(DELETION_SECONDS / 10)
        exchange = session.send("ping", headers=session_header)
    if exchange.status != 404:
        yield Finding("HTTP 404 for a session that was deleted", str(exchange))
        return
    message = session.message("notifications/initialized", None, None)
    exchange = session.post(message, {**session.headers(message["method"], None), **session_header})
    if 200 <= exchange.status < 300:
        expected = "HTTP 404 for a notification in a session that was deleted"
        yield Finding(expected, str(exchange), warns=True)


def _open_second_session(context: CheckContext) -> str:
    """The id of an additional session."""
    opening = context.session.initialize(context.revision, "to-be-deleted")
    return opening.headers.get(_SESSION_HEADER.lower(), "")


RULES = (
    _VERSIONING.must("speaks-mcp", "Protocol Version Negotiation", _check_speaks_mcp),
    _DISCOVERY.must("discover-served", "", _check_discover_served, without_opening=True),
    _LIFECYCLE.must(
        "initialize-result-shape",
        "Initialization",
        _check_initialize_result_shape,
        any_version=True,
    ),
    _LIFECYCLE.must(
        "initialize-version-spoken",
        "Version Negotiation",
        _check_initialize_version_spoken,
        any_version=True,
        without_opening=True,
    ),
    _CAPABILITIES.must(
        "capability-declared",
        "Capabilities; the same section of Prompts, Resources and Completion",
        _check_capability_declared,
    ),
    _LIFECYCLE.must(
        "initialize-unknown-version", "Version Negotiation", _check_initialize_unknown_version
    ),
    replace(_LIFECYCLE, revisions=r.ALL).host(
        "opening-refused", "Version Negotiation", _check_opening_refused, without_opening=True
    ),
    _PING.must("ping-answers", "Behavior Requirements", _check_ping_answers),
    # The clauses are the items of the numbered list in the section Session Management.
    _SESSIONS.must("session-id-visible-ascii", "1", _check_session_id_visible_ascii),
    _SESSIONS.must("session-honoured", "2", _check_session_honoured),
    _SESSIONS.should("session-required-400", "2", _check_session_required_400),
    _SESSIONS.host("session-unknown-404", "3", _check_session_unknown_404),
    _SESSIONS.should("session-delete-answered", "5", _check_session_delete_answered),
    _SESSIONS.must("session-deleted-404", "3", _check_session_deleted_404),
)
