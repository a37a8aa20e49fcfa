"""How long a server takes, next to what each host allows.

The times of hosts are facts (`hosts/facts.json`); the reports show what was measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding, NotApplicable
from mcpgen.conformance.checks.check_def import CheckDef, SpecPage
from mcpgen.conformance.hosts.facts import HostFact, facts
from mcpgen.conformance.model import Measurement
from mcpgen.conformance.profiles import PROFILES
from mcpgen.conformance.timing import measure_requests

_WORKSPACE = SpecPage(
    "Experience Workspace", "https://github.com/adobe-rnd/da-agent", profile="latency"
)
_VERCEL = SpecPage(
    "Vercel AI SDK",
    "https://github.com/vercel/ai/blob/main/packages/mcp/src/tool/mcp-client.ts",
    r.MODERN,
    "latency",
)
_LANGCHAIN = SpecPage(
    "LangChain MCP adapters",
    "https://github.com/langchain-ai/langchain-mcp-adapters/blob/main/langchain_mcp_adapters/tools.py",
    profile="latency",
)

ADVISED: Mapping[str, float] = {"opening": 1.0, "list": 1.0, "call": 15.0}
"""Seconds within which every host is content; the strictest of them ask on each turn of a chat."""


def _initialize(visit: CheckContext) -> Iterator[Finding]:
    spoken = [revision for revision in r.LEGACY if visit.sibling(revision).talk.spoken]
    if not spoken:
        raise NotApplicable("initialize")
    yield from _judged(
        measure_requests(visit.sibling(spoken[-1]), "initialize"), ("opening",), visit
    )


def _discover(visit: CheckContext) -> Iterator[Finding]:
    yield from _judged(measure_requests(visit, "server/discover"), ("opening", "discover"), visit)


def _list(visit: CheckContext) -> Iterator[Finding]:
    yield from _judged(measure_requests(visit, "tools/list"), ("list",), visit)


def _call(visit: CheckContext) -> Iterator[Finding]:
    yield from _judged(measure_requests(visit, "tools/call"), ("call",), visit)


def _judged(
    measurement: Measurement | None, kinds: tuple[str, ...], visit: CheckContext
) -> Iterator[Finding]:
    """A finding for each host whose time was exceeded even once, and one for what is advised."""
    if measurement is None:
        return
    pace = visit.options.pace
    slowest = max(measurement.cold, measurement.max) / 1_000
    saw = f"{slowest:.2f} s at worst, {measurement.p50 / 1_000:.2f} s in the middle"
    for kind, fact in _budgets(kinds):
        allowed = fact.limits[kind] * pace
        if slowest > allowed:
            title = PROFILES[fact.host].title
            expected = f"{title}: within {allowed:g} s; otherwise {fact.consequence}"
            yield Finding(expected, saw, warns=not fact.fails)
    advised = ADVISED[kinds[0]] * pace
    if measurement.p95 / 1_000 > advised:
        yield Finding(f"within {advised:g} s, for every host to be content", saw, warns=True)


def _budgets(kinds: tuple[str, ...]) -> Iterator[tuple[str, HostFact]]:
    """The facts that limit one of the kinds of request, in the order of hosts."""
    for known in facts().values():
        for fact in known:
            if fact.check == "time":
                yield from ((kind, fact) for kind in kinds if kind in fact.limits)


RULES = (
    CheckDef(
        _WORKSPACE.host(
            "latency-initialize",
            "`initialize` is answered within the time of every host.",
            "time for the opening",
            "Hosts open many servers at once, some on every turn of a chat, and go on without the "
            "slow ones.",
            "Answer from memory; connect to what lies behind when the first tool is called.",
        ),
        _initialize,
    ),
    CheckDef(
        _VERCEL.host(
            "latency-discover",
            "`server/discover` is answered within the time of every host.",
            "time for the opening",
            "Clients ask this first and take a server that is late for an older one.",
            "Answer from memory.",
        ),
        _discover,
    ),
    CheckDef(
        _WORKSPACE.host(
            "latency-list",
            "`tools/list` is answered within the time of every host.",
            "time for the list",
            "A list that is late means a server without tools.",
            "Encode the list once, when the server starts.",
        ),
        _list,
    ),
    CheckDef(
        _LANGCHAIN.host(
            "latency-call",
            "`tools/call` is answered within the time of every host.",
            "time for a call",
            "After that the host tells the model that the call failed, although it may have worked.",
            "Start long work, answer with a handle, and add a tool that tells how far it is.",
        ),
        _call,
        calls=True,
    ),
)
