"""How a report is judged: with known findings or without, gently or strictly."""

from __future__ import annotations

from dataclasses import field, replace

from mcpgen.conformance import baseline
from mcpgen.conformance.baseline import Known
from mcpgen.conformance.model import Report, Status
from mcpgen.conformance.redaction import redacted
from mcpgen.frozen import frozen


@frozen
class Terms:
    """The terms of a verdict. `strict` takes warnings for failures; `known` are the findings of a
    baseline, None without one; `secrets` stand in no report."""

    strict: bool = False
    known: frozenset[Known] | None = None
    secrets: frozenset[str] = field(default=frozenset(), repr=False)


def judged(report: Report, terms: Terms) -> Report:
    """The report on these terms."""
    report = redacted(report, terms.secrets)
    if terms.known is not None:
        report = baseline.compared(report, terms.known)
    if not terms.strict:
        return report
    outcomes = tuple(
        replace(outcome, status=Status.FAILED) if outcome.status is Status.WARNING else outcome
        for outcome in report.outcomes
    )
    return replace(report, outcomes=outcomes)
