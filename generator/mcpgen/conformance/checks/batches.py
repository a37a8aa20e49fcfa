"""Batches: demanded in one revision, gone from the next one on."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding
from mcpgen.conformance.checks.check_def import CheckDef, SpecPage, page
from mcpgen.conformance.checks.predicates import is_refusal
from mcpgen.conformance.exchange import HttpExchange
from mcpgen.conformance.strict_json import Json

_BASE = SpecPage("Overview", page("2025-03-26", "basic"), ("2025-03-26",))
_BATCHING = SpecPage("Transports", page("2025-03-26", "basic/transports"), ("2025-03-26",))
_LATER = SpecPage(
    "Transports",
    page("2025-11-25", "basic/transports"),
    (*r.WITH_VERSION_HEADER, *r.MODERN),
)
NAMES = ("batch-1", "batch-2")


def _requests(visit: CheckContext) -> list[dict[str, Json]]:
    return [visit.talk.message(visit.idle_method, None, name) for name in NAMES]


def _notification(visit: CheckContext) -> dict[str, Json]:
    params = {"requestId": "none", "reason": "a batch"}
    return visit.talk.message("notifications/cancelled", params, None)


def _sent(visit: CheckContext, batch: list[dict[str, Json]]) -> HttpExchange:
    visit.talk.ready()
    return visit.talk.post(batch, visit.talk.headers(visit.idle_method, None))


def _answered(visit: CheckContext) -> Iterator[Finding]:
    first, second = _requests(visit)
    exchange = _sent(visit, [first, _notification(visit), second])
    answers = [m for m in exchange.flat() if isinstance(m, dict) and "method" not in m]
    if len(answers) != len(NAMES) or any(exchange.response(name) is None for name in NAMES):
        yield Finding("one response to each request of a batch", str(exchange))


def _notified(visit: CheckContext) -> Iterator[Finding]:
    exchange = _sent(visit, [_notification(visit), _notification(visit)])
    if exchange.status != 202 or exchange.body:
        yield Finding("HTTP 202 with an empty body for a batch of notifications", str(exchange))


def _refused(visit: CheckContext) -> Iterator[Finding]:
    exchange = _sent(visit, _requests(visit))
    if not is_refusal(exchange):
        yield Finding("a batch is refused: this revision has none", str(exchange))


RULES = (
    CheckDef(
        _BASE.must(
            "batch-answered",
            "A batch of requests gets a response to each, and none to its notifications.",
            "Batching",
            "2025-03-26 is the one revision in which every server must take JSON-RPC batches.",
            "Take a JSON array of messages apart and answer each request in it.",
        ),
        _answered,
    ),
    CheckDef(
        _BATCHING.must(
            "batch-notifications-202",
            "A batch of nothing but notifications is answered with HTTP 202 and no body.",
            "Sending Messages to the Server, 4",
            "An empty array, or an error, is an answer to a question nobody asked.",
            "Answer 202 when no message of the batch was owed a response.",
        ),
        _notified,
    ),
    CheckDef(
        _LATER.should(
            "batch-refused",
            "A batch is refused: since 2025-06-18 a body is one message.",
            "Sending Messages to the Server, 3",
            "Answering a batch hides a client's mistake and lets several calls pass as one request.",
            "Answer a JSON array with HTTP 400 and the error -32600.",
        ),
        _refused,
    ),
)
