"""The kinds of fact that only a running server shows, each with the function that judges it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcpgen.conformance import revisions as r
from mcpgen.conformance.calls import ToolCall
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.checks.predicates import blocks, is_text_block
from mcpgen.conformance.exchange import HttpExchange
from mcpgen.conformance.hosts.tool_rules import Seen, too_long
from mcpgen.conformance.ip_ranges import private
from mcpgen.conformance.strict_json import Json


def instructions_length(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """Instructions of the server that are too long."""
    text = visit.talk.opened().get("instructions")
    if isinstance(text, str) and (problem := too_long(text, limits)):
        yield f"instructions of at most {problem[0]}", problem[1], ""


def result_size(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """Results whose text is too long."""
    for call in visit.calls:
        text = "".join(block["text"] for block in blocks(call.result) if is_text_block(block))
        if problem := too_long(text, limits):
            yield f"a result of at most {problem[0]}", problem[1], call.name


def result_content(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """Results with a kind of content block that the host does not know."""
    for call in visit.calls:
        for block in blocks(call.result):
            kind = block.get("type") if isinstance(block, dict) else None
            if isinstance(kind, str) and kind not in limits["knows"]:
                yield f"content of the types {', '.join(limits['knows'])}", kind, call.name


def accept_header(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """A server that refuses requests with the host's `Accept` header."""
    visit.talk.ready()
    wanted = {"Accept": limits["accept"]}
    exchange = visit.talk.send(visit.idle_method, identifier="accept", headers=wanted)
    if exchange.response("accept") is None:
        yield f"an answer to `Accept: {limits['accept']}`", str(exchange), ""


def https(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """A public address that is not encrypted."""
    url, hostname = visit.talk.probe.url, visit.talk.probe.hostname
    if url is not None and url.scheme != "https" and not private(hostname):
        yield "an https address", f"`{url.scheme}://{hostname}`", ""


def time(limits: Mapping[str, Json], visit: CheckContext) -> Seen:
    """Openings, lists and calls that take longer than the host waits."""
    for name, exchange, tool in _timed(limits, visit):
        allowed = limits[name] * visit.options.pace
        if exchange.seconds > allowed:
            expected = f"{CALLED[name]} within {allowed:g} s"
            yield expected, f"{exchange.seconds:.1f} s", tool


CALLED = {
    "opening": "`initialize` or `server/discover`",
    "discover": "`server/discover`",
    "list": "`tools/list`",
    "call": "`tools/call`",
}
"""What the times of a fact are about."""


def _timed(
    limits: Mapping[str, Json], visit: CheckContext
) -> Iterator[tuple[str, HttpExchange, str]]:
    """The exchanges that a fact limits: its kind, the exchange and the tool."""
    modern = visit.sibling(r.MODERN[-1]).talk
    if "opening" in limits:
        yield "opening", visit.talk.opening, ""
    if "discover" in limits:
        yield "discover", modern.opening, ""
    if "list" in limits:
        yield "list", visit.listing.first, ""
    calls: list[ToolCall] = visit.calls if "call" in limits else []
    yield from (("call", call.exchange, call.name) for call in calls)
