"""Answers as event streams: what their events carry, and that they end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding, NotApplicable
from mcpgen.conformance.checks.check_def import CheckDef, SpecPage, page
from mcpgen.conformance.exchange import HttpExchange, printable

_ALL = SpecPage("Transports", page("2025-11-25", "basic/transports"), r.ALL)
_RESUMABLE = SpecPage(
    "Transports, Resumability and Redelivery",
    page("2025-11-25", "basic/transports"),
    r.STREAMABLE,
)
_PRIMED = SpecPage("Transports", page("2025-11-25", "basic/transports"), ("2025-11-25",))
_MODERN = SpecPage(
    "Streamable HTTP", page("2026-07-28", "basic/transports/streamable-http"), r.MODERN
)
_SSE = SpecPage(
    "HTML, Server-sent events",
    "https://html.spec.whatwg.org/multipage/server-sent-events.html",
    r.ALL,
)


def _ends(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.ready()
    exchange = visit.talk.send(visit.idle_method, identifier="stream")
    if exchange.left_open:
        yield Finding("the event stream closes after the answer", "it stayed open")


def _streams(visit: CheckContext) -> list[HttpExchange]:
    """Two answers that came as event streams. Raises NotDeclared when they come as JSON."""
    visit.talk.ready()
    names = ("stream-1", "stream-2")
    found = [visit.talk.send(visit.idle_method, identifier=name) for name in names]
    streamed = [exchange for exchange in found if exchange.streamed]
    if not streamed:
        raise NotApplicable("event streams")
    return streamed


def _numbered(visit: CheckContext) -> list[HttpExchange]:
    """The streams whose events have ids. Raises NotDeclared when none has."""
    found = [one for one in _streams(visit) if any(head.id for head in one.events)]
    if not found:
        raise NotApplicable("streams that can be resumed")
    return found


def _named(visit: CheckContext) -> Iterator[Finding]:
    names = {head.name for one in _streams(visit) for head in one.events if not head.empty}
    for name in sorted(names - {"", "message"}):
        yield Finding("events of the name `message`, or without a name", printable(name))


def _unique_ids(visit: CheckContext) -> Iterator[Finding]:
    ids = Counter(head.id for one in _numbered(visit) for head in one.events if head.id)
    for id, count in ids.items():
        if count > 1:
            yield Finding("no two events have the same id", f"{count} have {printable(id)!r}")


def _primed(visit: CheckContext) -> Iterator[Finding]:
    for exchange in _numbered(visit):
        first = exchange.events[0]
        if not first.id or not first.empty:
            yield Finding("the first event has an id and empty data", printable(exchange.body))


def _unbuffered(visit: CheckContext) -> Iterator[Finding]:
    for exchange in _streams(visit):
        saw = exchange.headers.get("x-accel-buffering", "none")
        if saw.lower() != "no":
            yield Finding("`X-Accel-Buffering: no` with an event stream", printable(saw))
            return


RULES = (
    CheckDef(
        _ALL.should(
            "event-stream-closes",
            "The event stream of a request ends after its response.",
            "Sending Messages to the Server, 6",
            "Several hosts read the whole body before they parse it: a stream that stays open is a "
            "timeout for them.",
            "Close the stream once the response has been sent.",
        ),
        _ends,
    ),
    CheckDef(
        _SSE.must(
            "event-name-message",
            "The events of a stream are named `message`, or not at all.",
            "9.2.6 Interpreting an event stream",
            "Clients listen for `message` events, as browsers do; an event of another name is never "
            "seen, and its response never comes.",
            "Leave `event:` out, or write `event: message`.",
        ),
        _named,
    ),
    CheckDef(
        _RESUMABLE.must(
            "event-ids-unique",
            "Event ids, if there are any, are unique across all streams of a client.",
            "1",
            "The id is a cursor: with twins a client that resumes gets the messages of another "
            "request, or none.",
            "Count per session, or put a random name of the stream into the id.",
        ),
        _unique_ids,
    ),
    CheckDef(
        _PRIMED.should(
            "event-stream-primed",
            "A stream that can be resumed begins with an event that has an id and no data.",
            "Sending Messages to the Server, 6",
            "A connection that breaks before the first message can only be resumed by such an id.",
            "Send `id: …` and an empty `data:` at once when the stream opens.",
        ),
        _primed,
    ),
    CheckDef(
        _MODERN.should(
            "event-stream-unbuffered",
            "An event stream is sent with `X-Accel-Buffering: no`.",
            "Receiving Messages",
            "Proxies otherwise collect the events and deliver them all at the end.",
            "Set the header on every answer of the type `text/event-stream`.",
        ),
        _unbuffered,
    ),
)
