"""The process of a server over stdio: output, malformed input, shutdown, slow readers."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.conformance import revisions as r
from mcpgen.conformance import strict_json
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.checks.check_def import SpecPage, spec_url
from mcpgen.conformance.client_session import ProbeSession
from mcpgen.conformance.exchange import printable
from mcpgen.conformance.model import Finding, NotApplicable, PrerequisiteMissing
from mcpgen.conformance.stdio_probe import EXIT_SECONDS, StdioProbe, StdioProcess, is_message
from mcpgen.conformance.targets.supervised_child import POSIX

_TRANSPORT = SpecPage("Transports", spec_url("2025-11-25", "basic/transports"), r.ALL)
_ENCODED = SpecPage("Transports", spec_url("2025-11-25", "basic/transports"), r.ALL[1:])
_STDIO = SpecPage("stdio", spec_url("2026-07-28", "basic/transports/stdio"))
_JSON_RPC = SpecPage("JSON-RPC 2.0", "https://www.jsonrpc.org/specification")
_LIFECYCLE = SpecPage("Lifecycle", spec_url("2025-11-25", "basic/lifecycle"))

BURST = 300
"""Requests that a slow reader sends at once. The answers to 300 requests for the list of ten tools
exceed the 64 KiB of a pipe on Linux many times."""

BUDGET_SHARE = 8
"""The responses take at most an eighth of the bytes that the run still reads."""

PAUSE_SECONDS = 1.0
LINES = 5
"""Number of lines that a finding shows."""

HTTP_ONLY = frozenset(
    {
        *("session-id-visible-ascii", "session-honoured", "session-required-400"),
        *("session-unknown-404", "session-delete-answered", "session-deleted-404"),
        *("session-header-ignored", "version-header-mismatch-32020"),
        *("method-header-mismatch-32020", "name-header-mismatch-32020", "name-header-base64"),
        *("param-header-mismatch-32020", "param-header-base64", "notification-202-empty"),
        *("answer-content-type", "get-405-or-stream", "version-header-unknown-400"),
        *("version-header-absent", "accept-missing-tolerated", "header-white-space"),
        *(
            "cancelled-call-stopped",
            "response-202-empty",
            "header-names-any-case",
            "accept-json-alone",
            "hang-up-survived",
        ),
        *("get-delete-405", "event-stream-closes", "event-name-message", "event-ids-unique"),
        *("resumed-stream-own", "get-stream-no-response", "method-unknown-refused"),
        *("param-header-number", "result-status-200", "opening-refused"),
        "subscription-filter-respected",
        *("event-stream-primed", "event-stream-unbuffered", "batch-notifications-202"),
        *(
            "malformed-json-refused",
            "origin-foreign-refused",
            "origin-null-refused",
            "host-foreign-refused",
        ),
        *("session-id-unguessable", "credentials-not-echoed", "oversize-body-refused"),
        *("rate-limit-says-when", "auth-missing-401", "auth-wrong-401", "auth-forged-401"),
        *("auth-expired-401", "auth-audience-401", "auth-query-token-refused"),
        *("session-is-no-credential", "auth-challenge-present", "auth-metadata-found"),
        *("auth-metadata-shape", "auth-challenge-scope", "auth-error-code"),
        *("host-accept", "host-https", "fuzzed-requests-answered"),
    }
)
"""Checks of headers, statuses and streams, which stdio does not have. `malformed-json-refused` judges
the status; `stdio-malformed-survived` stands in for the check. `fuzzed-requests-answered` needs an
answer to each message, and over stdio a malformed message may be dropped."""

HTTP_PROFILES = frozenset({"experience-workspace"})
"""Profiles of hosts that connect over HTTP alone."""


def _probe(context: CheckContext) -> StdioProbe:
    probe = context.session.probe
    assert isinstance(probe, StdioProbe)
    return probe


def _odd_lines(context: CheckContext) -> list[bytes]:
    context.session.open()
    return _probe(context).odd_lines


def _is_text(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def divided_messages(lines: list[bytes]) -> tuple[list[bytes], list[bytes]]:
    """The messages that stand on several lines, and the lines that belong to no message."""
    messages: list[bytes] = []
    strays: list[bytes] = []
    buffer = b""
    for line in lines:
        if not buffer and not line.lstrip().startswith((b"{", b"[")):
            strays.append(line)
            continue
        buffer += line
        try:
            value = strict_json.loads(buffer)
        except ValueError:
            continue
        (messages if is_message(value) else strays).append(buffer)
        buffer = b""
    return messages, [*strays, *buffer.splitlines(keepends=True)]


def _check_messages_only(context: CheckContext) -> Iterator[Finding]:
    _, strays = divided_messages([line for line in _odd_lines(context) if _is_text(line)])
    for line in strays[:LINES]:
        yield Finding("lines with a JSON-RPC message, and no other lines", printable(line))


def _check_one_line_each(context: CheckContext) -> Iterator[Finding]:
    messages, _ = divided_messages(_odd_lines(context))
    for message in messages[:1]:
        count = len(message.splitlines())
        yield Finding("each message on one line", f"{count} lines: {printable(message)}")


def _check_utf8(context: CheckContext) -> Iterator[Finding]:
    for line in [line for line in _odd_lines(context) if not _is_text(line)][:1]:
        yield Finding("messages in UTF-8", printable(repr(line)))


def _check_malformed_survived(context: CheckContext) -> Iterator[Finding]:
    session = _second_session(context)
    process = _process(session)
    process.write(b'{"jsonrpc": "2.0", "id": 1, "method": ')
    exchange = session.send(context.idle_method, identifier="after")
    if exchange.response("after") is None or process.has_ended:
        yield Finding("an answer to the request after a malformed line", str(exchange))
    session.probe.close()


def _check_ends_with_input(context: CheckContext) -> Iterator[Finding]:
    session = _second_session(context)
    process = _process(session)
    process.close_input()
    if not process.ends_within(EXIT_SECONDS * context.options.pace):
        expected = f"the process ends within {EXIT_SECONDS:g} s of the end of its input"
        yield Finding(expected, "it still runs")
    session.probe.close()


def _check_ends_on_sigterm(context: CheckContext) -> Iterator[Finding]:
    if not POSIX:
        # `terminate` ends a process of Windows at once, whatever the server does.
        raise NotApplicable("SIGTERM, which Windows does not have")
    session = _second_session(context)
    process = _process(session)
    process.terminate()
    if not process.ends_within(EXIT_SECONDS * context.options.pace):
        yield Finding(f"the process ends within {EXIT_SECONDS:g} s of SIGTERM", "it still runs")
    session.probe.close()


def _check_stderr_utf8(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    errors = _process(context.session).errors()
    if not _is_text(errors):
        yield Finding("UTF-8 on standard error", printable(repr(errors[:200])))


def _check_slow_reader(context: CheckContext) -> Iterator[Finding]:
    session = _second_session(context)
    has_tools = session.has_capability("tools")
    method = "tools/list" if has_tools else context.idle_method
    length = len(session.send(method).body)
    # A long list fills the pipe with fewer responses; the other checks need the rest of the budget.
    burst = min(BURST, max(1, _probe(context).bytes_left // BUDGET_SHARE // max(1, length)))
    messages = [session.message(method, None, f"slow-{number}") for number in range(burst)]
    process = _process(session)
    count = process.burst(messages, PAUSE_SECONDS, context.options.timeout)
    if count != burst:
        ending = f": {process.ending()}" if process.has_ended else ""
        expected = f"{burst} responses to {burst} requests of a client that reads late"
        yield Finding(expected, f"{count}{ending}")
    session.probe.close()


def _second_session(context: CheckContext) -> ProbeSession:
    """A session with a process of its own, after the handshake. Raises PrerequisiteMissing."""
    session = ProbeSession(context.session.probe, context.revision, context.options)
    session.open()
    return session


def _process(session: ProbeSession) -> StdioProcess:
    assert isinstance(session.probe, StdioProbe)
    try:
        return session.probe.process
    except OSError as error:
        raise PrerequisiteMissing("the command starts", str(error), "speaks-mcp") from error


RULES = (
    _TRANSPORT.must("stdio-messages-only", "stdio", _check_messages_only, stdio=True),
    _TRANSPORT.must("stdio-one-line-each", "stdio", _check_one_line_each, stdio=True),
    _ENCODED.must("stdio-utf8", "JSON-RPC messages are UTF-8", _check_utf8, stdio=True),
    _JSON_RPC.host(
        "stdio-malformed-survived", "5.1 Error object", _check_malformed_survived, stdio=True
    ),
    _STDIO.host("stdio-ends-with-input", "Shutdown", _check_ends_with_input, stdio=True),
    _LIFECYCLE.host("stdio-ends-on-sigterm", "Shutdown, stdio", _check_ends_on_sigterm, stdio=True),
    _STDIO.host("stdio-stderr-utf8", "stdio", _check_stderr_utf8, stdio=True),
    _STDIO.host("stdio-slow-reader", "Receiving Messages", _check_slow_reader, stdio=True),
)
