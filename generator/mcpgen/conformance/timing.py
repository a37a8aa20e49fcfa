"""How long a server takes, measured by asking it the same thing again and again."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from itertools import pairwise

from mcpgen.conformance.calls import good_plans
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.client_session import ProbeSession
from mcpgen.conformance.exchange import HttpExchange
from mcpgen.conformance.model import Measurement

REPEATS = 20
"""How often a request is repeated, unless that takes longer than SECONDS."""

SECONDS = 3.0
BOUNDS = (0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1e3, 2e3, 5e3, 1e4, math.inf)
"""The bounds of the buckets, in milliseconds."""

BLOCKS = " ▁▂▃▄▅▆▇█"


def measure_requests(visit: CheckContext, name: str) -> Measurement | None:
    """How long requests of this method take in the visit's revision; asked once, then remembered.

    None for `tools/call` when no tool may be called. Raises Unmet when an answer is not a result,
    and NotDeclared when the server has no tools.
    """
    for known in visit.measurements:
        if (known.name, known.revision) == (name, visit.revision):
            return known
    cold, ask = _asking(visit, name)
    if ask is None:
        return None
    first = cold if cold is not None else _seconds(ask, name)
    found = summarize_durations(name, visit.revision, first, list(_repeated(ask, name)))
    visit.measurements.append(found)
    return found


def summarize_durations(name: str, revision: str, cold: float, warm: list[float]) -> Measurement:
    """The measurement that some durations (in seconds, at least one) make."""
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
    """The buckets that hold something, and those between them, as a row of blocks with its ends,
    such as `1 ms ▂█▃▁ 10 ms`; an open end is `…`."""
    counts = [count for _, count in measurement.buckets]
    filled = [number for number, count in enumerate(counts) if count]
    first, last = filled[0], filled[-1]
    most = max(counts)
    row = "".join(BLOCKS[math.ceil(count * 8 / most)] for count in counts[first : last + 1])
    end = BOUNDS[last + 1]
    return f"{BOUNDS[first]:g} ms {row} " + ("…" if math.isinf(end) else f"{end:g} ms")


def _quantile(times: list[float], share: float) -> float:
    return times[max(0, math.ceil(share * len(times)) - 1)]


Ask = Callable[[], tuple[ProbeSession, HttpExchange, str]]


def _asking(visit: CheckContext, name: str) -> tuple[float | None, Ask | None]:
    """How long the first request of the run took, if one was made, and how to make one more."""
    if name in ("initialize", "server/discover"):
        return visit.talk.opening.seconds, lambda: _open(visit)
    if name == "tools/list":
        return visit.listing.first.seconds, lambda: _send(visit, name, None)
    plans = good_plans(visit.tools, visit.options)
    if not plans:
        return None, None
    params = {"name": plans[0].tool["name"], "arguments": dict(plans[0].arguments)}
    return None, lambda: _send(visit, name, params)


def _open(visit: CheckContext) -> tuple[ProbeSession, HttpExchange, str]:
    talk = ProbeSession(visit.talk.probe, visit.revision, visit.options)
    return talk, talk.opening, "opening"


def _send(
    visit: CheckContext, method: str, params: dict[str, object] | None
) -> tuple[ProbeSession, HttpExchange, str]:
    visit.talk.ready()
    return visit.talk, visit.talk.send(method, params, identifier="timed"), "timed"


def _seconds(ask: Ask, name: str) -> float:
    talk, exchange, identifier = ask()
    talk.result_of(exchange, identifier, name)
    return exchange.seconds


def _repeated(ask: Ask, name: str) -> Iterator[float]:
    ends = time.monotonic() + SECONDS
    for number in range(REPEATS):
        if number and time.monotonic() > ends:
            return
        yield _seconds(ask, name)
