"""Failures outside the scenario's subject, which make claims about missing values meaningless."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from tests.scenario_engine.matchers import format_value
from tests.scenario_engine.outcome import ActionOutcome

SIGNS: Mapping[str, str] = {
    "nothing answers it yet: write its handler in": "the tool has no handler yet",
    "The server failed on this call (internal error)": "the server failed, its log says why",
}
"""Texts of the server's failures, with the meaning for a scenario."""

DENIALS = frozenset({"absent", "lacks", "at_most"})
"""Claims that an empty outcome fulfils."""

NOTHINGS = (("present", False), ("count", 0))
"""Claims with the operands that make the claims denials."""


def affirms(claims: Mapping[str, Any]) -> bool:
    """True if claims about an answer require content."""
    return any(
        (claim not in DENIALS or operand is False) and (claim, operand) not in NOTHINGS
        for claim, operand in claims.items()
    )


def accidents(
    outcomes: Sequence[ActionOutcome], looked_at: Collection[int], strays: Sequence[str]
) -> Iterator[str]:
    """The unexpected failures. `looked_at` are the numbers of the outcomes, from 1, with an
    assertion other than a denial; `strays` are the upstream requests without an answer."""
    for line in strays:
        yield f"the upstream was asked {line}, and no fixture answers that"
    for number, outcome in enumerate(outcomes, 1):
        sign = next((meant for sign, meant in SIGNS.items() if sign in outcome.text), "")
        if outcome.is_error and sign:
            yield f"{outcome.action}: {sign}"
        elif outcome.is_error and number not in looked_at:
            told = format_value(outcome.text)
            yield f"{outcome.action} came back as an error, and nothing asserts that: {told}"
