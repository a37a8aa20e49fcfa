"""The transport: status codes, headers, event streams, batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import replace

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.checks.check_def import SpecPage, spec_url
from mcpgen.conformance.checks.predicates import is_refusal
from mcpgen.conformance.client_session import ACCEPT
from mcpgen.conformance.exchange import HttpExchange, printable
from mcpgen.conformance.model import Finding, NotApplicable, PrerequisiteMissing
from mcpgen.conformance.options import CallableTools
from mcpgen.conformance.strict_json import Json

_TRANSPORT = SpecPage("Transports", spec_url("2025-11-25", "basic/transports"), r.ALL)
_LEGACY = SpecPage("Transports", spec_url("2025-11-25", "basic/transports"), r.STREAMABLE)
_ONE_ENDPOINT = SpecPage(
    "Transports", spec_url("2025-11-25", "basic/transports"), (*r.STREAMABLE, *r.MODERN)
)
_VERSIONED = SpecPage(
    "Transports", spec_url("2025-11-25", "basic/transports"), r.WITH_VERSION_HEADER
)
_HTTP = SpecPage("HTTP Semantics", "https://www.rfc-editor.org/rfc/rfc9110", r.ALL)

JSON = "application/json"

_RESUMABLE = SpecPage(
    "Transports, Resumability and Redelivery",
    spec_url("2025-11-25", "basic/transports"),
    r.STREAMABLE,
)
_PRIMED = SpecPage("Transports", spec_url("2025-11-25", "basic/transports"), ("2025-11-25",))
_STREAMABLE = SpecPage(
    "Streamable HTTP", spec_url("2026-07-28", "basic/transports/streamable-http"), r.MODERN
)
_SSE = SpecPage(
    "HTML, Server-sent events",
    "https://html.spec.whatwg.org/multipage/server-sent-events.html",
    r.ALL,
)
_BATCH_BASE = SpecPage("Overview", spec_url("2025-03-26", "basic"), ("2025-03-26",))
_BATCHING = SpecPage("Transports", spec_url("2025-03-26", "basic/transports"), ("2025-03-26",))
_NO_BATCHES = SpecPage(
    "Transports",
    spec_url("2025-11-25", "basic/transports"),
    (*r.WITH_VERSION_HEADER, *r.MODERN),
)
RESUMING_SECONDS = 1.0
"""Seconds to wait for the replay of a finished stream; a server that does not replay keeps quiet."""

LISTENING_SECONDS = 0.3
"""Seconds to listen to the stream of a GET, which has no end on most servers."""

BATCH_IDS = ("batch-1", "batch-2")


def _check_notification_202_empty(context: CheckContext) -> Iterator[Finding]:
    exchange = context.session.initialized_exchange
    accepted = exchange.status == 202 and not exchange.body
    declined = context.modern and 400 <= exchange.status < 500
    if not accepted and not declined:
        yield Finding("HTTP 202 with an empty body", str(exchange))


def _check_answer_content_type(context: CheckContext) -> Iterator[Finding]:
    exchange = context.session.send(context.idle_method, identifier="type")
    if exchange.media_type not in ("application/json", "text/event-stream"):
        expected = "Content-Type `application/json` or `text/event-stream`"
        yield Finding(expected, str(exchange))


def _check_get_405_or_stream(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    exchange = context.session.get()
    streams = exchange.status == 200 and exchange.media_type == "text/event-stream"
    if not streams and exchange.status != 405:
        yield Finding("an event stream, or HTTP 405", str(exchange))
        return
    # A server with sessions refuses a GET without a session, with any error.
    bare = context.session.get({"Mcp-Session-Id": None, "MCP-Protocol-Version": None})
    if bare.status < 300 and not bare.is_event_stream:
        yield Finding("an event stream, or an error, for GET outside of a session", str(bare))


def _check_version_header_unknown_400(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    unknown = {"MCP-Protocol-Version": "1999-12-31"}
    exchange = context.session.send("ping", headers=unknown)
    if exchange.status != 400:
        yield Finding("HTTP 400 for `MCP-Protocol-Version: 1999-12-31`", str(exchange))
    # A server without event streams may look at the method first: HTTP 405.
    exchange = context.session.get(unknown)
    if 200 <= exchange.status < 300:
        yield Finding("HTTP 400 or 405 for GET of the version 1999-12-31", str(exchange))


def _check_version_header_absent(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    exchange = context.session.send(
        "ping", identifier="bare", headers={"MCP-Protocol-Version": None}
    )
    if not exchange.has_result("bare"):
        yield Finding("an answer as to a 2025-03-26 client", str(exchange))


def _check_accept_missing_tolerated(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    exchange = context.session.send(
        context.idle_method, identifier="bare", headers={"Accept": None}
    )
    if not exchange.has_result("bare"):
        yield Finding("an answer to a request without `Accept`", str(exchange))


def _check_header_white_space(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    headers = {**context.session.headers(context.idle_method, None), "Accept": ACCEPT}
    padded = {name: f"  {value}  " for name, value in headers.items()}
    exchange = context.session.send(context.idle_method, identifier="padded", headers=padded)
    if not exchange.has_result("padded"):
        yield Finding("the same answer with white space around header values", str(exchange))


def _check_unknown_method_32601(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    exchange = context.session.send("no/such/method")
    if exchange.code != r.METHOD_NOT_FOUND:
        # Before 2026-07-28 the specification demands an error response (JSON-RPC 2.0 §5); the code
        # stands in the table of §5.1 without a keyword.
        warns = not context.modern and exchange.error is not None
        yield Finding("a JSON-RPC error with code -32601", str(exchange), warns=warns)
    elif context.modern and exchange.status != 404:
        yield Finding("HTTP 404 with the error -32601", str(exchange))


def _check_response_202_empty(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    message = {"jsonrpc": "2.0", "id": "nobody-asked", "result": {}}
    exchange = context.session.post(message, context.session.headers("", None))
    accepted = exchange.status == 202 and not exchange.body
    if not accepted and exchange.status < 400:
        yield Finding("HTTP 202 with an empty body, or an HTTP error", str(exchange))


def _check_header_names_any_case(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    expected_headers = {**context.session.headers(context.idle_method, None), "Accept": ACCEPT}
    for spell in (str.lower, str.upper):
        message = context.session.message(context.idle_method, None, "spelt")
        headers: dict[str, str | None] = {"Content-Type": None, spell("Content-Type"): JSON}
        headers |= {
            "Accept": None,
            **{spell(name): value for name, value in expected_headers.items()},
        }
        exchange = context.session.post(message, headers, awaits="spelt")
        if not exchange.has_result("spelt"):
            example = spell("MCP-Protocol-Version")
            yield Finding(f"the same answer with header names like `{example}`", str(exchange))


def _check_accept_json_alone(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    exchange = context.session.send(
        context.idle_method, identifier="plain", headers={"Accept": JSON}
    )
    if not exchange.has_result("plain") or exchange.media_type != JSON:
        yield Finding("an answer in JSON to a request that accepts nothing else", str(exchange))


def _check_hang_up_survived(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    method = context.idle_method
    message = context.session.message(method, None, "hung-up")
    context.session.post(
        message, context.session.headers(method, None), awaits="hung-up", hang_up=True
    )
    exchange = context.session.send(method, identifier="next")
    if not exchange.has_result("next"):
        yield Finding("the next request is answered after a client hung up", str(exchange))


def _check_get_delete_405(context: CheckContext) -> Iterator[Finding]:
    if any(context.in_revision(revision).session.is_supported for revision in r.LEGACY):
        raise NotApplicable("this revision alone")
    headers = {"MCP-Protocol-Version": context.revision}
    for name, exchange in (
        ("GET", context.session.get()),
        ("DELETE", context.session.delete(headers)),
    ):
        if exchange.status != 405:
            yield Finding(f"HTTP 405 for {name}", str(exchange))


def _check_method_unknown_refused(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    exchange = context.session.patch()
    if not (400 <= exchange.status < 500 or exchange.status == 501) or _lacks_allow(exchange):
        yield Finding("HTTP 405 with `Allow` for PATCH", str(exchange))
    for revision in dict.fromkeys((r.LEGACY[-1], context.revision)):
        session = context.in_revision(revision).session
        version = {"MCP-Protocol-Version": revision}
        for name, exchange in (
            ("GET", session.get(version)),
            ("GET that does not accept event streams", session.get({**version, "Accept": JSON})),
            ("DELETE without a session", session.delete({**version, "Mcp-Session-Id": None})),
        ):
            if _lacks_allow(exchange):
                yield Finding(f"`Allow` with HTTP 405 for {name} ({revision})", str(exchange))


def _lacks_allow(exchange: HttpExchange) -> bool:
    return exchange.status == 405 and "allow" not in exchange.headers


def _check_event_stream_closes(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    streams = [context.session.send(context.idle_method, identifier="stream")]
    if not streams[0].is_event_stream:
        streams += _streams_of_calls(context)
    if any(exchange.left_open for exchange in streams):
        yield Finding("the event stream closes after the answer", "it stayed open")


def _streams_of_calls(context: CheckContext) -> list[HttpExchange]:
    """The exchanges of sampled calls: many servers answer with an event stream only if messages
    precede the result.
    """
    if context.options.call is CallableTools.NONE or not context.session.has_capability("tools"):
        return []
    with suppress(PrerequisiteMissing):
        return [call.exchange for call in context.sampled_calls]
    return []


def _open_streams(context: CheckContext) -> list[HttpExchange]:
    """Two exchanges and the calls of tools, as far as the answers are event streams. Raises
    NotApplicable if all answers are JSON.
    """
    context.session.open()
    names = ("stream-1", "stream-2")
    answers = [context.session.send(context.idle_method, identifier=name) for name in names]
    answers += _streams_of_calls(context)
    streams = [exchange for exchange in answers if exchange.is_event_stream]
    if not streams:
        raise NotApplicable("event streams")
    return streams


def _open_numbered_streams(context: CheckContext) -> list[HttpExchange]:
    """Streams whose events have ids. Raises NotApplicable if there are none."""
    streams = [
        stream for stream in _open_streams(context) if any(head.id for head in stream.events)
    ]
    if not streams:
        raise NotApplicable("streams that can be resumed")
    return streams


def _check_event_name_message(context: CheckContext) -> Iterator[Finding]:
    names = {
        head.name for stream in _open_streams(context) for head in stream.events if not head.empty
    }
    for name in sorted(names - {"", "message"}):
        yield Finding("events of the name `message`, or without a name", printable(name))


def _check_event_ids_unique(context: CheckContext) -> Iterator[Finding]:
    ids = Counter(
        head.id for stream in _open_numbered_streams(context) for head in stream.events if head.id
    )
    for id, count in ids.items():
        if count > 1:
            yield Finding("no two events have the same id", f"{count} have {printable(id)!r}")


def _check_resumed_stream_own(context: CheckContext) -> Iterator[Finding]:
    streams = _open_numbered_streams(context)
    several = [stream for stream in streams if len(_numbered_messages(stream)) > 1]
    if not several:
        raise NotApplicable("streams of several messages with ids")
    (last_id, first), *following = _numbered_messages(several[0])
    answer = following[-1][1]
    exchange = context.session.listen(
        RESUMING_SECONDS,
        {"Last-Event-ID": last_id},
        awaits=answer.get("id") if isinstance(answer, dict) else None,
    )
    own = [message for _, message in following]
    for message in exchange.flat_messages():
        # The server MAY replay, and may send messages that no stream had before.
        if any(message in stream.messages for stream in streams) and message not in own:
            expected = (
                f"messages after the event `{printable(last_id)}` of the resumed stream alone"
            )
            yield Finding(expected, printable(message), warns=message == first)
            return


def _numbered_messages(stream: HttpExchange) -> list[tuple[str, Json]]:
    """The messages of a stream with the ids of the events; `[]` if an event has no id."""
    ids = [head.id for head in stream.events if not head.empty]
    if len(ids) != len(stream.messages):
        return []
    numbered = [(id, m) for id, m in zip(ids, stream.messages, strict=True) if id]
    return numbered if len(numbered) == len(ids) else []


def _check_get_stream_no_response(context: CheckContext) -> Iterator[Finding]:
    context.session.open()
    with ThreadPoolExecutor(1) as pool:
        listening = pool.submit(context.session.listen, LISTENING_SECONDS)
        # The stream is open before the request is sent, unless the server needs longer.
        if not wait([listening], LISTENING_SECONDS / 3).done:
            context.session.send(context.idle_method)
        exchange = listening.result()
    if not exchange.is_event_stream:
        raise NotApplicable("a stream for GET")
    for message in exchange.flat_messages():
        if isinstance(message, dict) and "method" not in message:
            yield Finding("no responses on the stream of a GET", printable(message))


def _check_event_stream_primed(context: CheckContext) -> Iterator[Finding]:
    for exchange in _open_numbered_streams(context):
        first = exchange.events[0]
        if not first.id or not first.empty:
            yield Finding("the first event has an id and empty data", printable(exchange.body))


def _check_event_stream_unbuffered(context: CheckContext) -> Iterator[Finding]:
    for exchange in _open_streams(context):
        saw = exchange.headers.get("x-accel-buffering", "none")
        if saw.lower() != "no":
            yield Finding("`X-Accel-Buffering: no` with an event stream", printable(saw))
            return


def _batch_requests(context: CheckContext) -> list[dict[str, Json]]:
    return [context.session.message(context.idle_method, None, name) for name in BATCH_IDS]


def _batch_notification(context: CheckContext) -> dict[str, Json]:
    params = {"requestId": "none", "reason": "a batch"}
    return context.session.message("notifications/cancelled", params, None)


def _send_batch(context: CheckContext, batch: list[dict[str, Json]]) -> HttpExchange:
    context.session.open()
    return context.session.post(batch, context.session.headers(context.idle_method, None))


def _check_batch_answered(context: CheckContext) -> Iterator[Finding]:
    first, second = _batch_requests(context)
    exchange = _send_batch(context, [first, _batch_notification(context), second])
    answers = [m for m in exchange.flat_messages() if isinstance(m, dict) and "method" not in m]
    if len(answers) != len(BATCH_IDS) or any(exchange.response(name) is None for name in BATCH_IDS):
        yield Finding("one response to each request of a batch", str(exchange))
        return
    exchange = _send_batch(context, [first])
    if exchange.response(BATCH_IDS[0]) is None:
        yield Finding("a response to the request of a batch of one", str(exchange))
    params = {"protocolVersion": context.revision, "capabilities": {}, "clientInfo": r.CLIENT}
    openings = [context.session.message("initialize", params, name) for name in BATCH_IDS]
    exchange = context.session.post(openings, {})
    # `initialize` MUST NOT be part of a batch; no sentence says how a server answers. HTTP 401 is for
    # requests without the credentials, which these have.
    has_response = any(exchange.response(name) is not None for name in BATCH_IDS)
    if exchange.status == 401 or not (has_response or is_refusal(exchange)):
        expected = "a refusal of two `initialize` requests in a batch, other than HTTP 401"
        yield Finding(expected, str(exchange), warns=True)


def _check_batch_notifications_202(context: CheckContext) -> Iterator[Finding]:
    exchange = _send_batch(context, [_batch_notification(context), _batch_notification(context)])
    if exchange.status != 202 or exchange.body:
        yield Finding("HTTP 202 with an empty body for a batch of notifications", str(exchange))


def _check_batch_refused(context: CheckContext) -> Iterator[Finding]:
    exchange = _send_batch(context, _batch_requests(context))
    if not is_refusal(exchange):
        yield Finding("a batch is refused: this revision has none", str(exchange))


RULES = (
    _ONE_ENDPOINT.must(
        "notification-202-empty", "Sending Messages to the Server, 4", _check_notification_202_empty
    ),
    _ONE_ENDPOINT.must(
        "answer-content-type", "Sending Messages to the Server, 5", _check_answer_content_type
    ),
    _LEGACY.must(
        "get-405-or-stream", "Listening for Messages from the Server, 3", _check_get_405_or_stream
    ),
    _VERSIONED.must(
        "version-header-unknown-400", "Protocol Version Header", _check_version_header_unknown_400
    ),
    _VERSIONED.should(
        "version-header-absent", "Protocol Version Header", _check_version_header_absent
    ),
    _HTTP.host("accept-missing-tolerated", "§12.5.1", _check_accept_missing_tolerated),
    _HTTP.must("header-white-space", "§5.5", _check_header_white_space),
    _TRANSPORT.must(
        "unknown-method-32601",
        "JSON-RPC 2.0 §5.1; 2026-07-28 Transports, Protocol Version Header",
        _check_unknown_method_32601,
    ),
    _LEGACY.must(
        "response-202-empty", "Sending Messages to the Server, 4", _check_response_202_empty
    ),
    _HTTP.must(
        "header-names-any-case",
        "§5.1; 2026-07-28 Streamable HTTP, Case Sensitivity",
        _check_header_names_any_case,
    ),
    _HTTP.host("accept-json-alone", "§12.5.1", _check_accept_json_alone),
    SpecPage("Cancellation", spec_url("2026-07-28", "basic/patterns/cancellation"), r.ALL).must(
        "hang-up-survived",
        "Streamable HTTP; up to 2025-11-25 Transports, Sending Messages to the Server, 6",
        _check_hang_up_survived,
    ),
    SpecPage(
        "Streamable HTTP", spec_url("2026-07-28", "basic/transports/streamable-http"), r.MODERN
    ).should("get-delete-405", "Earlier Streamable HTTP Revisions", _check_get_delete_405),
    replace(_HTTP, revisions=()).host(
        "method-unknown-refused", "§15.5.6", _check_method_unknown_refused
    ),
    _TRANSPORT.should(
        "event-stream-closes", "Sending Messages to the Server, 6", _check_event_stream_closes
    ),
    _SSE.host(
        "event-name-message", "9.2.6 Interpreting an event stream", _check_event_name_message
    ),
    _RESUMABLE.must("event-ids-unique", "1", _check_event_ids_unique),
    # Once in a run: the wait for a replay takes longer than most checks.
    replace(_RESUMABLE, revisions=()).must("resumed-stream-own", "2", _check_resumed_stream_own),
    _LEGACY.must(
        "get-stream-no-response",
        "Listening for Messages from the Server, 4",
        _check_get_stream_no_response,
    ),
    _PRIMED.should(
        "event-stream-primed", "Sending Messages to the Server, 6", _check_event_stream_primed
    ),
    _STREAMABLE.should(
        "event-stream-unbuffered", "Receiving Messages", _check_event_stream_unbuffered
    ),
    _BATCH_BASE.must("batch-answered", "Batching", _check_batch_answered),
    _BATCHING.must(
        "batch-notifications-202",
        "Sending Messages to the Server, 4",
        _check_batch_notifications_202,
    ),
    _NO_BATCHES.should("batch-refused", "Sending Messages to the Server, 3", _check_batch_refused),
)
