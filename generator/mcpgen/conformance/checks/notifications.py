"""Logging and subscriptions, for servers that declare them."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding, NotApplicable
from mcpgen.conformance.checks.check_def import CheckDef, SpecPage, page
from mcpgen.conformance.checks.messages import LEVELS
from mcpgen.conformance.checks.resources import uris
from mcpgen.conformance.exchange import printable
from mcpgen.conformance.strict_json import Json

_LOGGING = SpecPage("Logging", page("2025-11-25", "server/utilities/logging"), r.LEGACY)
_EACH = SpecPage("Logging", page("2025-11-25", "server/utilities/logging"), r.ALL)
_LISTEN = SpecPage("Subscriptions", page("2026-07-28", "basic/patterns/subscriptions"), r.MODERN)
NO_LEVEL = "loud"
META_LEVEL = "io.modelcontextprotocol/logLevel"
META_SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
CHANGES = {
    "tools": "toolsListChanged",
    "prompts": "promptsListChanged",
    "resources": "resourcesListChanged",
}
"""By capability: the notifications of its list that a client may ask for."""


def _levels(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.declared("logging")
    visit.talk.ready()
    for level in LEVELS:
        exchange = visit.talk.send("logging/setLevel", {"level": level}, identifier=level)
        if exchange.response(level) is None or exchange.error:
            yield Finding(f"`logging/setLevel` takes `{level}`", str(exchange))


def _unknown_level(visit: CheckContext) -> Iterator[Finding]:
    visit.talk.declared("logging")
    visit.talk.ready()
    if visit.modern:
        exchange = visit.talk.send(visit.idle_method, {"_meta": {META_LEVEL: NO_LEVEL}})
    else:
        exchange = visit.talk.send("logging/setLevel", {"level": NO_LEVEL})
    if exchange.code != r.INVALID_PARAMS:
        yield Finding(f"the error -32602 for the level `{NO_LEVEL}`", str(exchange))


def _acknowledged(visit: CheckContext) -> Iterator[Finding]:
    wanted = _offered(visit)
    if not wanted:
        raise NotApplicable("notifications of changes")
    method, identifier = "subscriptions/listen", "listening"
    message = visit.talk.message(method, {"notifications": wanted}, identifier)
    headers = visit.talk.headers(method, None)
    exchange = visit.talk.post(message, headers, awaits=identifier, first=True)
    first = exchange.messages[0] if exchange.messages else None
    said = first if isinstance(first, dict) else {}
    if said.get("method") != "notifications/subscriptions/acknowledged":
        yield Finding("an acknowledgement comes first", str(exchange))
        return
    params = said.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    subscription = meta.get(META_SUBSCRIPTION) if isinstance(meta, dict) else None
    if subscription != identifier:
        yield Finding("the subscription has the id of its request", printable(said))


def _offered(visit: CheckContext) -> dict[str, Json]:
    """A filter of all that the server declares to notify of."""
    found: dict[str, Json] = {
        name: True
        for capability, name in CHANGES.items()
        if visit.talk.declares(capability, "listChanged")
    }
    if visit.talk.declares("resources", "subscribe"):
        found["resourceSubscriptions"] = uris(visit)[:1]
    return found


RULES = (
    CheckDef(
        _LOGGING.must(
            "log-level-set",
            "A server that declares `logging` takes each of the eight levels.",
            "Setting Log Level",
            "Clients set the level right after the handshake; an error there looks like a broken "
            "server.",
            "Take the levels of RFC 5424, from `debug` to `emergency`, and answer with `{}`.",
        ),
        _levels,
    ),
    CheckDef(
        _EACH.should(
            "log-level-unknown-32602",
            "A log level that does not exist gets the error -32602.",
            "Error Handling",
            "A level that is silently taken for another hides messages or floods the client.",
            "Compare with the eight levels; answer -32602.",
        ),
        _unknown_level,
    ),
    CheckDef(
        _LISTEN.must(
            "subscription-acknowledged",
            "`subscriptions/listen` is first of all acknowledged, under the id of the request.",
            "Acknowledgment",
            "The acknowledgement tells the client which of its wishes are granted.",
            "Send `notifications/subscriptions/acknowledged` as soon as the stream opens.",
        ),
        _acknowledged,
    ),
)
