"""Latency: requests are repeated, and the durations compared with the timeouts of hosts.

The timeouts are facts (`hosts/facts.json`); reports show the measurements.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

from mcpgen.conformance import revisions as r
from mcpgen.conformance.calls import mirrored_headers, plan_good_calls
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.checks.check_def import SpecPage
from mcpgen.conformance.client_session import ProbeSession
from mcpgen.conformance.exchange import HttpExchange
from mcpgen.conformance.hosts.facts import HostFact, facts
from mcpgen.conformance.model import Finding, Measurement, NotApplicable
from mcpgen.conformance.profiles import PROFILES

REPEATS = 20
"""Number of repetitions, fewer if SECONDS is exceeded."""

SECONDS = 3.0
BOUNDS = (0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1e3, 2e3, 5e3, 1e4, math.inf)
"""Bounds of the histogram's buckets, in milliseconds."""

HISTOGRAM_BLOCKS = " ▁▂▃▄▅▆▇█"

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
Ask = Callable[[], tuple[ProbeSession, HttpExchange, str]]
ADVISED: Mapping[str, float] = {"opening": 1.0, "list": 1.0, "call": 15.0}
"""Seconds that suit every host; the strictest hosts open and list on every turn of a chat."""


def measure_requests(context: CheckContext, name: str) -> Measurement | None:
    """The durations of requests of one method in the context's revision; measured once in a run.

    None for `tools/call` if no tool may be called. Raises PrerequisiteMissing if an answer is not a
    result, NotApplicable if the server has no tools.
    """
    for measurement in context.measurements:
        if (measurement.name, measurement.revision) == (name, context.revision):
            return measurement
    cold, ask = _request_maker(context, name)
    if ask is None:
        return None
    first = cold if cold is not None else _request_seconds(ask, name)
    new = summarize_durations(name, context.revision, first, list(_repeat_request(ask, name)))
    context.measurements.append(new)
    return new


def summarize_durations(name: str, revision: str, cold: float, warm: list[float]) -> Measurement:
    """The measurement for durations in seconds; `warm` has at least one."""
    times = sorted(1_000 * seconds for seconds in warm)
    counts = [sum(low <= ms < high for ms in times) for low, high in pairwise(BOUNDS)]
    return Measurement(
        name=name,
        revision=revision,
        cold=1_000 * cold,
        count=len(times),
        min=times[0],
        p50=_quantile(times, 0.5),
        p95=_quantile(times, 0.95),
        max=times[-1],
        buckets=tuple(zip(BOUNDS[1:], counts, strict=True)),
    )


def histogram(measurement: Measurement) -> str:
    """The buckets from the first to the last filled one as a row of blocks with both bounds.

    Example: `1 ms ▂█▃▁ 10 ms`; an infinite bound is `…`.
    """
    counts = [count for _, count in measurement.buckets]
    occupied = [number for number, count in enumerate(counts) if count]
    first, last = occupied[0], occupied[-1]
    peak = max(counts)
    row = "".join(
        HISTOGRAM_BLOCKS[math.ceil(count * 8 / peak)] for count in counts[first : last + 1]
    )
    end = BOUNDS[last + 1]
    return f"{BOUNDS[first]:g} ms {row} " + ("…" if math.isinf(end) else f"{end:g} ms")


def _quantile(times: list[float], share: float) -> float:
    return times[max(0, math.ceil(share * len(times)) - 1)]


def _request_maker(context: CheckContext, name: str) -> tuple[float | None, Ask | None]:
    """Duration of the first request of the run, or None, and a function for repetitions."""
    if name in ("initialize", "server/discover"):
        return context.session.opening.seconds, lambda: _open_timed(context)
    if name == "tools/list":
        return context.listing.first.seconds, lambda: _send_timed(context, name, None)
    plans = plan_good_calls(context.tools, context.options)
    if not plans:
        return None, None
    params = {"name": plans[0].tool["name"], "arguments": dict(plans[0].arguments)}
    headers = mirrored_headers(plans[0].tool, plans[0].arguments) if context.modern else None
    timeout = max(context.options.timeout, context.options.call_timeout)
    return None, lambda: _send_timed(context, name, params, headers, timeout)


def _open_timed(context: CheckContext) -> tuple[ProbeSession, HttpExchange, str]:
    session = ProbeSession(context.session.probe, context.revision, context.options)
    return session, session.opening, "opening"


def _send_timed(
    context: CheckContext,
    method: str,
    params: dict[str, object] | None,
    headers: Mapping[str, str] | None = None,
    timeout: float = 0.0,
) -> tuple[ProbeSession, HttpExchange, str]:
    context.session.open()
    exchange = context.session.send(
        method, params, identifier="timed", headers=headers, timeout=timeout
    )
    return context.session, exchange, "timed"


def _request_seconds(ask: Ask, name: str) -> float:
    session, exchange, identifier = ask()
    session.result_of(exchange, identifier, name)
    return exchange.seconds


def _repeat_request(ask: Ask, name: str) -> Iterator[float]:
    ends = time.monotonic() + SECONDS
    for number in range(REPEATS):
        if number and time.monotonic() > ends:
            return
        yield _request_seconds(ask, name)


def _check_latency_initialize(context: CheckContext) -> Iterator[Finding]:
    supported = [
        revision for revision in r.LEGACY if context.in_revision(revision).session.is_supported
    ]
    if not supported:
        raise NotApplicable("initialize")
    yield from _compare_with_hosts(
        measure_requests(context.in_revision(supported[-1]), "initialize"), ("opening",), context
    )


def _check_latency_discover(context: CheckContext) -> Iterator[Finding]:
    yield from _compare_with_hosts(
        measure_requests(context, "server/discover"), ("opening", "discover"), context
    )


def _check_latency_list(context: CheckContext) -> Iterator[Finding]:
    yield from _compare_with_hosts(measure_requests(context, "tools/list"), ("list",), context)


def _check_latency_call(context: CheckContext) -> Iterator[Finding]:
    yield from _compare_with_hosts(measure_requests(context, "tools/call"), ("call",), context)


def _compare_with_hosts(
    measurement: Measurement | None, kinds: tuple[str, ...], context: CheckContext
) -> Iterator[Finding]:
    """Findings for exceeded timeouts of hosts, and for the advised limit."""
    if measurement is None:
        return
    pace = context.options.pace
    slowest = max(measurement.cold, measurement.max) / 1_000
    saw = f"{slowest:.2f} s at worst, {measurement.p50 / 1_000:.2f} s in the middle"
    for kind, fact in _time_facts(kinds):
        allowed = fact.limits[kind] * pace
        if slowest > allowed:
            title = PROFILES[fact.host].title
            expected = f"{title}: within {allowed:g} s; otherwise {fact.consequence}"
            yield Finding(expected, saw, warns=not fact.fails)
    advised = ADVISED[kinds[0]] * pace
    if measurement.p95 / 1_000 > advised:
        yield Finding(f"within {advised:g} s, for every host to be content", saw, warns=True)


def _time_facts(kinds: tuple[str, ...]) -> Iterator[tuple[str, HostFact]]:
    """Facts that limit one of the kinds of request, in the order of hosts."""
    for host_facts in facts().values():
        for fact in host_facts:
            if fact.check == "time":
                yield from ((kind, fact) for kind in kinds if kind in fact.limits)


RULES = (
    _WORKSPACE.host("latency-initialize", "time for the opening", _check_latency_initialize),
    _VERCEL.host("latency-discover", "time for the opening", _check_latency_discover),
    _WORKSPACE.host("latency-list", "time for the list", _check_latency_list),
    _LANGCHAIN.host("latency-call", "time for a call", _check_latency_call, calls=True),
)
