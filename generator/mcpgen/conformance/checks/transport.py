"""How answers travel: status codes, content types, streams."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.conformance import revisions as r
from mcpgen.conformance.checks.rule import Page, Rule, page
from mcpgen.conformance.checks.shapes import refused
from mcpgen.conformance.conversation import ACCEPT
from mcpgen.conformance.findings import Finding
from mcpgen.conformance.target import Visit

_ALL = Page("Transports", page("2025-11-25", "basic/transports"), r.ALL)
_LEGACY = Page("Transports", page("2025-11-25", "basic/transports"), r.STREAMABLE)
_VERSIONED = Page("Transports", page("2025-11-25", "basic/transports"), r.WITH_VERSION_HEADER)
_HOST = Page("HTTP Semantics", "https://www.rfc-editor.org/rfc/rfc9110", r.ALL)


def _notification(visit: Visit) -> Iterator[Finding]:
    exchange = visit.talk.initialized
    accepted = exchange.status == 202 and not exchange.body
    declined = visit.modern and 400 <= exchange.status < 500
    if not accepted and not declined:
        yield Finding("HTTP 202 with an empty body", str(exchange))


def _content_type(visit: Visit) -> Iterator[Finding]:
    exchange = visit.talk.send(visit.idle_method, identifier="type")
    if exchange.media_type not in ("application/json", "text/event-stream"):
        expected = "Content-Type `application/json` or `text/event-stream`"
        yield Finding(expected, str(exchange))


def _stream_ends(visit: Visit) -> Iterator[Finding]:
    exchange = visit.talk.send(visit.idle_method, identifier="stream")
    if exchange.left_open:
        yield Finding("the event stream closes after the answer", "it stayed open")


def _get(visit: Visit) -> Iterator[Finding]:
    visit.talk.ready()
    exchange = visit.talk.get()
    streams = exchange.status == 200 and exchange.media_type == "text/event-stream"
    if not streams and exchange.status != 405:
        yield Finding("an event stream, or HTTP 405", str(exchange))


def _bad_version_header(visit: Visit) -> Iterator[Finding]:
    visit.talk.ready()
    exchange = visit.talk.send("ping", headers={"MCP-Protocol-Version": "1999-12-31"})
    if exchange.status != 400:
        yield Finding("HTTP 400 for `MCP-Protocol-Version: 1999-12-31`", str(exchange))


def _no_version_header(visit: Visit) -> Iterator[Finding]:
    visit.talk.ready()
    exchange = visit.talk.send("ping", identifier="bare", headers={"MCP-Protocol-Version": None})
    if exchange.response("bare") is None or exchange.error:
        yield Finding("an answer as to a 2025-03-26 client", str(exchange))


def _no_accept(visit: Visit) -> Iterator[Finding]:
    visit.talk.ready()
    exchange = visit.talk.send(visit.idle_method, identifier="bare", headers={"Accept": None})
    if exchange.response("bare") is None or exchange.error:
        yield Finding("an answer to a request without `Accept`", str(exchange))


def _white_space(visit: Visit) -> Iterator[Finding]:
    visit.talk.ready()
    wanted = {**visit.talk.headers(visit.idle_method, None), "Accept": ACCEPT}
    padded = {name: f"  {value}  " for name, value in wanted.items()}
    exchange = visit.talk.send(visit.idle_method, identifier="padded", headers=padded)
    if exchange.response("padded") is None or exchange.error:
        yield Finding("the same answer with white space around header values", str(exchange))


def _unknown_method(visit: Visit) -> Iterator[Finding]:
    visit.talk.ready()
    exchange = visit.talk.send("no/such/method")
    if exchange.code != r.METHOD_NOT_FOUND:
        yield Finding("a JSON-RPC error with code -32601", str(exchange))
    elif visit.modern and exchange.status != 404:
        yield Finding("HTTP 404 with the error -32601", str(exchange))


def _batch(visit: Visit) -> Iterator[Finding]:
    visit.talk.ready()
    batch = [visit.talk.message("ping", None, name) for name in ("batch-1", "batch-2")]
    exchange = visit.talk.post(batch, visit.talk.headers("ping", None))
    if exchange.response("batch-1") is None or exchange.response("batch-2") is None:
        yield Finding("a response to each request of a batch", str(exchange))


def _no_batch(visit: Visit) -> Iterator[Finding]:
    visit.talk.ready()
    batch = [visit.talk.message("ping", None, name) for name in ("batch-1", "batch-2")]
    exchange = visit.talk.post(batch, visit.talk.headers("ping", None))
    if not refused(exchange):
        yield Finding("a batch is refused: this revision has none", str(exchange))


RULES = (
    Rule(
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
    Rule(
        _ALL.must(
            "answer-content-type",
            "A request is answered as `application/json` or `text/event-stream`.",
            "Sending Messages to the Server, 5",
            "The content type is how a client chooses its parser.",
            "Set the Content-Type header of every answer to a request.",
        ),
        _content_type,
    ),
    Rule(
        _ALL.should(
            "event-stream-closes",
            "The event stream of a request ends after its response.",
            "Sending Messages to the Server, 6",
            "Several hosts read the whole body before they parse it: a stream that stays open is a "
            "timeout for them.",
            "Close the stream once the response has been sent.",
        ),
        _stream_ends,
    ),
    Rule(
        _LEGACY.must(
            "get-405-or-stream",
            "GET on the endpoint opens an event stream or is answered with HTTP 405.",
            "Listening for Messages from the Server, 3",
            "Clients open this stream after the handshake and take only 405 as a polite no.",
            "Answer GET with 405 and `Allow: POST` if you send nothing of your own accord.",
        ),
        _get,
    ),
    Rule(
        _VERSIONED.must(
            "version-header-unknown-400",
            "An unknown `MCP-Protocol-Version` is answered with HTTP 400.",
            "Protocol Version Header",
            "A server that goes on regardless answers in a revision the client did not ask for.",
            "Compare the header with the versions you implement and answer 400 otherwise.",
        ),
        _bad_version_header,
    ),
    Rule(
        _VERSIONED.should(
            "version-header-absent",
            "Without `MCP-Protocol-Version` the server assumes 2025-03-26.",
            "Protocol Version Header",
            "Older clients, and some hosts of today, never send the header.",
            "Treat a missing header as 2025-03-26.",
        ),
        _no_version_header,
    ),
    Rule(
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
    Rule(
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
    Rule(
        _ALL.must(
            "unknown-method-32601",
            "An unknown method is answered with the error -32601 (in 2026-07-28 with HTTP 404).",
            "JSON-RPC 2.0 §5.1; 2026-07-28 Transports, Protocol Version Header",
            "Clients probe for optional methods and rely on this code to fall back.",
            "Answer unknown methods with a JSON-RPC error of code -32601.",
        ),
        _unknown_method,
    ),
    Rule(
        Page("Transports", page("2025-03-26", "basic/transports"), ("2025-03-26",)).must(
            "batch-answered",
            "A batch of requests gets a response to each.",
            "Sending Messages to the Server, 3",
            "2025-03-26 is the one revision in which every server must take JSON-RPC batches.",
            "Take a JSON array of messages apart and answer each request in it.",
        ),
        _batch,
    ),
    Rule(
        _VERSIONED.should(
            "batch-refused",
            "A batch is refused: since 2025-06-18 a body is one message.",
            "Sending Messages to the Server, 3",
            "Answering a batch hides a client's mistake and lets several calls pass as one request.",
            "Answer a JSON array with HTTP 400 and the error -32600.",
        ),
        _no_batch,
    ),
)
