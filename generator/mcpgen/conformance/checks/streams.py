"""Answers as event streams: what their events carry, and that they end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mcpgen.conformance import revisions as r
from mcpgen.conformance.checks.rule import Page, Rule, page
from mcpgen.conformance.exchange import Exchange, printable
from mcpgen.conformance.findings import Finding, NotDeclared
from mcpgen.conformance.target import Visit

_ALL = Page("Transports", page("2025-11-25", "basic/transports"), r.ALL)
_RESUMABLE = Page(
    "Transports, Resumability and Redelivery",
    page("2025-11-25", "basic/transports"),
    r.STREAMABLE,
)
_PRIMED = Page("Transports", page("2025-11-25", "basic/transports"), ("2025-11-25",))
_MODERN = Page("Streamable HTTP", page("2026-07-28", "basic/transports/streamable-http"), r.MODERN)
_SSE = Page(
    "HTML, Server-sent events",
    "https://html.spec.whatwg.org/multipage/server-sent-events.html",
    r.ALL,
)


def _ends(visit: Visit) -> Iterator[Finding]:
    visit.talk.ready()
    exchange = visit.talk.send(visit.idle_method, identifier="stream")
    if exchange.left_open:
        yield Finding("the event stream closes after the answer", "it stayed open")


def _streams(visit: Visit) -> list[Exchange]:
    """Two answers that came as event streams. Raises NotDeclared when they come as JSON."""
    visit.talk.ready()
    names = ("stream-1", "stream-2")
    found = [visit.talk.send(visit.idle_method, identifier=name) for name in names]
    streamed = [exchange for exchange in found if exchange.streamed]
    if not streamed:
        raise NotDeclared("event streams")
    return streamed


def _numbered(visit: Visit) -> list[Exchange]:
    """The streams whose events have ids. Raises NotDeclared when none has."""
    found = [one for one in _streams(visit) if any(head.id for head in one.events)]
    if not found:
        raise NotDeclared("streams that can be resumed")
    return found


def _named(visit: Visit) -> Iterator[Finding]:
    names = {head.name for one in _streams(visit) for head in one.events if not head.empty}
    for name in sorted(names - {"", "message"}):
        yield Finding("events of the name `message`, or without a name", printable(name))


def _unique_ids(visit: Visit) -> Iterator[Finding]:
    ids = Counter(head.id for one in _numbered(visit) for head in one.events if head.id)
    for id, count in ids.items():
        if count > 1:
            yield Finding("no two events have the same id", f"{count} have {printable(id)!r}")


def _primed(visit: Visit) -> Iterator[Finding]:
    for exchange in _numbered(visit):
        first = exchange.events[0]
        if not first.id or not first.empty:
            yield Finding("the first event has an id and empty data", printable(exchange.body))


def _unbuffered(visit: Visit) -> Iterator[Finding]:
    for exchange in _streams(visit):
        saw = exchange.headers.get("x-accel-buffering", "none")
        if saw.lower() != "no":
            yield Finding("`X-Accel-Buffering: no` with an event stream", printable(saw))
            return


RULES = (
    Rule(
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
    Rule(
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
    Rule(
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
    Rule(
        _PRIMED.should(
            "event-stream-primed",
            "A stream that can be resumed begins with an event that has an id and no data.",
            "Sending Messages to the Server, 6",
            "A connection that breaks before the first message can only be resumed by such an id.",
            "Send `id: …` and an empty `data:` at once when the stream opens.",
        ),
        _primed,
    ),
    Rule(
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
