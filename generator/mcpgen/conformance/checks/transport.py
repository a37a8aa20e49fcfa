"""How answers travel: status codes, content types, streams."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding, NotApplicable
from mcpgen.conformance.checks.check_def import CheckDef, SpecPage, page
from mcpgen.conformance.client_session import ACCEPT

_ALL = SpecPage("Transports", page("2025-11-25", "basic/transports"), r.ALL)
_LEGACY = SpecPage("Transports", page("2025-11-25", "basic/transports"), r.STREAMABLE)
_VERSIONED = SpecPage("Transports", page("2025-11-25", "basic/transports"), r.WITH_VERSION_HEADER)
_HOST = SpecPage("HTTP Semantics", "https://www.rfc-editor.org/rfc/rfc9110", r.ALL)

JSON = "application/json"


def _notification(visit: CheckContext) -> Iterator[Finding]:
    exchange = visit.talk.initialized
    accepted = exchange.status == 202 and not exchange.body
    declined = visit.modern and 400 <= exchange.status < 500
    if not accepted and not declined:
        yield Finding("HTTP 202 with an empty body", str(exchange))


def _content_type(visit: CheckContext) -> Iterator[Finding]:
    exchange = visit.talk.send(visit.idle_method, identifier="type")
    if exchange.media_type not in ("application/json", "text/event-stream"):
        expected = "Content-Type `application/json` or `text/event-stream`"
        yield Finding(expected, str(exchange))


def _get(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.ready()
    exchange = visit.talk.get()
    streams = exchange.status == 200 and exchange.media_type == "text/event-stream"
    if not streams and exchange.status != 405:
        yield Finding("an event stream, or HTTP 405", str(exchange))


def _bad_version_header(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.ready()
    exchange = visit.talk.send("ping", headers={"MCP-Protocol-Version": "1999-12-31"})
    if exchange.status != 400:
        yield Finding("HTTP 400 for `MCP-Protocol-Version: 1999-12-31`", str(exchange))


def _no_version_header(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.ready()
    exchange = visit.talk.send("ping", identifier="bare", headers={"MCP-Protocol-Version": None})
    if exchange.response("bare") is None or exchange.error:
        yield Finding("an answer as to a 2025-03-26 client", str(exchange))


def _no_accept(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.ready()
    exchange = visit.talk.send(visit.idle_method, identifier="bare", headers={"Accept": None})
    if exchange.response("bare") is None or exchange.error:
        yield Finding("an answer to a request without `Accept`", str(exchange))


def _white_space(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.ready()
    wanted = {**visit.talk.headers(visit.idle_method, None), "Accept": ACCEPT}
    padded = {name: f"  {value}  " for name, value in wanted.items()}
    exchange = visit.talk.send(visit.idle_method, identifier="padded", headers=padded)
    if exchange.response("padded") is None or exchange.error:
        yield Finding("the same answer with white space around header values", str(exchange))


def _unknown_method(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.ready()
    exchange = visit.talk.send("no/such/method")
    if exchange.code != r.METHOD_NOT_FOUND:
        yield Finding("a JSON-RPC error with code -32601", str(exchange))
    elif visit.modern and exchange.status != 404:
        yield Finding("HTTP 404 with the error -32601", str(exchange))


def _response_taken(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.ready()
    message = {"jsonrpc": "2.0", "id": "nobody-asked", "result": {}}
    exchange = visit.talk.post(message, visit.talk.headers("", None))
    accepted = exchange.status == 202 and not exchange.body
    if not accepted and not 400 <= exchange.status < 500:
        yield Finding("HTTP 202 with an empty body, or an HTTP error", str(exchange))


def _header_case(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.ready()
    wanted = {**visit.talk.headers(visit.idle_method, None), "Accept": ACCEPT}
    for spell in (str.lower, str.upper):
        message = visit.talk.message(visit.idle_method, None, "spelt")
        headers: dict[str, str | None] = {"Content-Type": None, spell("Content-Type"): JSON}
        headers |= {"Accept": None, **{spell(name): value for name, value in wanted.items()}}
        exchange = visit.talk.post(message, headers, awaits="spelt")
        if exchange.response("spelt") is None or exchange.error:
            example = spell("MCP-Protocol-Version")
            yield Finding(f"the same answer with header names like `{example}`", str(exchange))


def _json_alone(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.ready()
    exchange = visit.talk.send(visit.idle_method, identifier="plain", headers={"Accept": JSON})
    if exchange.response("plain") is None or exchange.error or exchange.media_type != JSON:
        yield Finding("an answer in JSON to a request that accepts nothing else", str(exchange))


def _hung_up(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.ready()
    method = visit.idle_method
    message = visit.talk.message(method, None, "hung-up")
    visit.talk.post(message, visit.talk.headers(method, None), awaits="hung-up", hang_up=True)
    exchange = visit.talk.send(method, identifier="next")
    if exchange.response("next") is None or exchange.error:
        yield Finding("the next request is answered after a client hung up", str(exchange))


def _no_other_method(visit: CheckContext) -> Iterator[Finding]:
    if any(visit.sibling(revision).talk.spoken for revision in r.LEGACY):
        raise NotApplicable("this revision alone")
    headers = {"MCP-Protocol-Version": visit.revision}
    for name, exchange in (("GET", visit.talk.get()), ("DELETE", visit.talk.delete(headers))):
        if exchange.status != 405:
            yield Finding(f"HTTP 405 for {name}", str(exchange))


RULES = (
    CheckDef(
        _ALL.must(
            "notification-202-empty",
            "An accepted notification is answered with HTTP 202 and no body.",
            "Sending Messages to the Server, 4",
            "Clients wait for exactly this; some hosts read any other status as a failed handshake, "
            "and a body as a response nobody asked for.",
            "Answer a message without `id` with status 202 and nothing else.",
        ),
        _notification,
    ),
    CheckDef(
        _ALL.must(
            "answer-content-type",
            "A request is answered as `application/json` or `text/event-stream`.",
            "Sending Messages to the Server, 5",
            "The content type is how a client chooses its parser.",
            "Set the Content-Type header of every answer to a request.",
        ),
        _content_type,
    ),
    CheckDef(
        _LEGACY.must(
            "get-405-or-stream",
            "GET on the endpoint opens an event stream or is answered with HTTP 405.",
            "Listening for Messages from the Server, 3",
            "Clients open this stream after the handshake and take only 405 as a polite no.",
            "Answer GET with 405 and `Allow: POST` if you send nothing of your own accord.",
        ),
        _get,
    ),
    CheckDef(
        _VERSIONED.must(
            "version-header-unknown-400",
            "An unknown `MCP-Protocol-Version` is answered with HTTP 400.",
            "Protocol Version Header",
            "A server that goes on regardless answers in a revision the client did not ask for.",
            "Compare the header with the versions you implement and answer 400 otherwise.",
        ),
        _bad_version_header,
    ),
    CheckDef(
        _VERSIONED.should(
            "version-header-absent",
            "Without `MCP-Protocol-Version` the server assumes 2025-03-26.",
            "Protocol Version Header",
            "Older clients, and some hosts of today, never send the header.",
            "Treat a missing header as 2025-03-26.",
        ),
        _no_version_header,
    ),
    CheckDef(
        _HOST.host(
            "accept-missing-tolerated",
            "A request without an `Accept` header is answered.",
            "§12.5.1",
            "HTTP says that no Accept means any; hosts and curl users who send none get 406 from "
            "strict servers.",
            "Treat a missing Accept as `*/*`.",
        ),
        _no_accept,
    ),
    CheckDef(
        _HOST.must(
            "header-white-space",
            "White space around a header value is not part of the value.",
            "§5.5",
            "Proxies and clients may pad header values; comparing the padded text rejects valid "
            "requests.",
            "Strip spaces and tabs from both ends of header values before comparing them.",
        ),
        _white_space,
    ),
    CheckDef(
        _ALL.must(
            "unknown-method-32601",
            "An unknown method is answered with the error -32601 (in 2026-07-28 with HTTP 404).",
            "JSON-RPC 2.0 §5.1; 2026-07-28 Transports, Protocol Version Header",
            "Clients probe for optional methods and rely on this code to fall back.",
            "Answer unknown methods with a JSON-RPC error of code -32601.",
        ),
        _unknown_method,
    ),
    CheckDef(
        _LEGACY.must(
            "response-202-empty",
            "A response sent by the client is answered with HTTP 202 and no body, or refused.",
            "Sending Messages to the Server, 4",
            "Clients answer the requests of servers by POST; a body would be the answer to an answer.",
            "Take messages with `result` or `error` and answer 202, or 400 if nobody waits for them.",
        ),
        _response_taken,
    ),
    CheckDef(
        _HOST.must(
            "header-names-any-case",
            "The names of headers are compared without regard to case.",
            "§5.1; 2026-07-28 Streamable HTTP, Case Sensitivity",
            "HTTP/2, proxies and many clients send all names in lower case.",
            "Use your framework's headers, not a plain dictionary of what was sent.",
        ),
        _header_case,
    ),
    CheckDef(
        _HOST.host(
            "accept-json-alone",
            "A request that accepts `application/json` alone is answered in JSON.",
            "§12.5.1",
            "Simple clients and scripts cannot read event streams; strict servers turn them away "
            "with 406, or send a stream regardless.",
            "Answer in JSON when `Accept` does not list `text/event-stream`.",
        ),
        _json_alone,
    ),
    CheckDef(
        SpecPage("Cancellation", page("2026-07-28", "basic/patterns/cancellation"), r.ALL).must(
            "hang-up-survived",
            "A client that hangs up before the answer disturbs nobody else.",
            "Streamable HTTP; up to 2025-11-25 Transports, Sending Messages to the Server, 6",
            "Users close windows and networks break; each time is a request nobody waits for.",
            "Treat a broken connection as the end of one request, not as an error of the server.",
        ),
        _hung_up,
    ),
    CheckDef(
        SpecPage(
            "Streamable HTTP", page("2026-07-28", "basic/transports/streamable-http"), r.MODERN
        ).should(
            "get-delete-405",
            "A server of 2026-07-28 alone answers GET and DELETE with HTTP 405.",
            "Earlier Streamable HTTP Revisions",
            "Older clients try GET after the handshake and DELETE at the end; 405 is the answer they "
            "understand.",
            "Answer every method but POST with 405 and `Allow: POST`.",
        ),
        _no_other_method,
    ),
)
