"""Finds failures that a scenario does not expect.

A claim such as "the answer lacks a secret" also holds for the error of a crashed server. A scenario
with an unexpected failure therefore does not pass.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from tests.scenario_engine.matchers import format_value
from tests.scenario_engine.outcome import ActionOutcome

SERVER_FAILURES: Mapping[str, str] = {
    "nothing answers it yet: write its handler in": "the tool has no handler yet",
    "The server failed on this call (internal error)": "the server failed, its log says why",
}
"""By text of the runtime's error results: the message. An assertion about the error does not make
these failures expected."""

DENIALS = frozenset({"absent", "lacks", "at_most"})
"""Claims that an empty answer fulfils."""

DENYING_OPERANDS = (("present", False), ("count", 0))
"""Claims that an empty answer fulfils with this operand only."""


def needs_content(claims: Mapping[str, Any]) -> bool:
    """True if an empty answer cannot fulfil the claims."""
    return any(
        (claim not in DENIALS or operand is False) and (claim, operand) not in DENYING_OPERANDS
        for claim, operand in claims.items()
    )


def find_unexpected_failures(
    outcomes: Sequence[ActionOutcome], affirmed: Collection[int], unanswered: Sequence[str]
) -> Iterator[str]:
    """Yields a message for each unexpected failure.

    `affirmed` has the numbers of the outcomes, counted from 1, with an assertion that an empty
    answer cannot fulfil. `unanswered` has the request lines for which the upstream had no answer.
    """
    for line in unanswered:
        yield f"the upstream was asked {line}, and no fixture answers that"
    for number, outcome in enumerate(outcomes, 1):
        server_failure = next(
            (message for text, message in SERVER_FAILURES.items() if text in outcome.text), ""
        )
        if outcome.is_error and server_failure:
            yield f"{outcome.action}: {server_failure}"
        elif outcome.is_error and number not in affirmed:
            text = format_value(outcome.text)
            yield f"{outcome.action} came back as an error, and nothing asserts that: {text}"
