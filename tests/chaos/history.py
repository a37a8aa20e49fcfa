"""The history of a run, and the verdicts on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

Outcome = Literal["done", "failed", "refused", "asked", "lost"]
"""How a call ended: the API has answered; the API has not, or with an error; the server has not let
the call through; the server asks the user; nobody has answered."""

CLOCKS = 0.02
"""By how much of a window the clocks of clients and of Redis may run apart."""


@dataclass(frozen=True)
class Call:
    """One request of a client, in seconds of its monotonic clock. `id` names the write; `reason` is the text
    of a failure or a refusal."""

    tool: str
    id: str
    start: float
    end: float
    outcome: Outcome
    reason: str = ""


@dataclass
class History:
    """Calls, faults in order, and the number of requests that the API received by tool and id."""

    calls: list[Call] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    received: Counter[tuple[str, str]] = field(default_factory=Counter)


def doubled_writes(history: History) -> Iterator[str]:
    """Writes that the API received more than once."""
    for (tool, id), count in history.received.items():
        if count > 1:
            yield f"`{tool}` of {id} reached the API {count} times"


def invented_successes(history: History) -> Iterator[str]:
    """Successful calls that the API did not receive."""
    for call in history.calls:
        if call.outcome == "done" and not history.received[call.tool, call.id]:
            yield f"`{call.tool}` of {call.id} is told as done and never reached the API"


def answers_used_twice(history: History) -> Iterator[str]:
    """Confirmations that were accepted more than once. Every id is confirmed by one answer, which is
    sent several times."""
    used = Counter(
        call.id
        for call in history.calls
        if call.tool == "remove" and call.outcome in ("done", "failed")
    )
    for id, count in used.items():
        if count > 1:
            yield f"the confirmation of {id} was used {count} times"


def lost_calls(history: History) -> Iterator[str]:
    """Calls without response and without refusal."""
    for call in history.calls:
        if call.outcome == "lost":
            yield f"`{call.tool}` of {call.id} has no answer: {call.reason}"


def exceeded_rates(history: History, limit: int, seconds: float) -> Iterator[str]:
    """Windows with more calls of `order` than the rate allows.

    The limiter counts a call at some moment between start and end. Only calls completely inside a
    window count here, so every reported window is a fault.
    """
    spans = sorted(
        (call.end, call.start)
        for call in history.calls
        if call.tool == "order" and call.outcome in ("done", "failed")
    )
    length = seconds * (1 - CLOCKS)
    for last, (end, _) in enumerate(spans):
        call_count = sum(start >= end - length for _, start in spans[: last + 1])
        if call_count > limit:
            yield f"{call_count} calls within {seconds:g} s, and {limit} are allowed"


def verdicts(history: History, limit: int, seconds: float) -> Mapping[str, list[str]]:
    """The violations of each law, by the law."""
    laws: Mapping[str, Callable[[History], Iterator[str]]] = {
        "no rate is exceeded": lambda history: exceeded_rates(history, limit, seconds),
        "no answer is used twice": answers_used_twice,
        "no write is doubled": doubled_writes,
        "no call is told as done that was not": invented_successes,
        "every call is answered or refused": lost_calls,
    }
    return {law: list(check(history)) for law, check in laws.items()}
