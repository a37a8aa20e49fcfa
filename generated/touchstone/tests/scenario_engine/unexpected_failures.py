"""Failures that nobody has asked for, so that what a scenario claims of them shows nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from tests.scenario_engine.matchers import format_value
from tests.scenario_engine.outcome import ActionOutcome

SIGNS: Mapping[str, str] = {
    "nothing answers it yet: write its handler in": "the tool has no handler yet",
    "The server failed on this call (internal error)": "the server failed, its log says why",
}
"""What the server says where it could not do its part, and what that means for a scenario."""

DENIALS = frozenset({"absent", "lacks", "at_most"})
"""Claims that hold the better the less came back."""

NOTHINGS = (("present", False), ("count", 0))
"""Claims with the operand that makes them denials."""


def affirms(claims: Mapping[str, Any]) -> bool:
    """Whether claims about an answer say that something stands in it."""
    return any(
        (claim not in DENIALS or operand is False) and (claim, operand) not in NOTHINGS
        for claim, operand in claims.items()
    )


def accidents(
    outcomes: Sequence[ActionOutcome], looked_at: Collection[int], strays: Sequence[str]
) -> Iterator[str]:
    """What went wrong without being asked for. `looked_at` are the numbers of the outcomes, from 1, of
    which something is asserted that is more than a denial; `strays` are the requests that the upstream
    had no answer for."""
    for line in strays:
        yield f"the upstream was asked {line}, and no fixture answers that"
    for number, outcome in enumerate(outcomes, 1):
        sign = next((meant for sign, meant in SIGNS.items() if sign in outcome.text), "")
        if outcome.is_error and sign:
            yield f"{outcome.action}: {sign}"
        elif outcome.is_error and number not in looked_at:
            told = format_value(outcome.text)
            yield f"{outcome.action} came back as an error, and nothing asserts that: {told}"
