"""How a report is judged: with known findings or without, gently or strictly."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from mcpgen.conformance import baseline
from mcpgen.conformance.baseline import KnownFinding
from mcpgen.conformance.model import CheckStatus, Report
from mcpgen.conformance.redaction import redact_report


@dataclass(frozen=True, slots=True)
class PassCriteria:
    """The terms of a verdict. `strict` takes warnings for failures; `known` are the findings of a
    baseline, None without one; `secrets` stand in no report."""

    strict: bool = False
    known: frozenset[KnownFinding] | None = None
    secrets: frozenset[str] = field(default=frozenset(), repr=False)


def apply_criteria(report: Report, terms: PassCriteria) -> Report:
    """The report on these terms."""
    report = redact_report(report, terms.secrets)
    if terms.known is not None:
        report = baseline.apply_baseline(report, terms.known)
    if not terms.strict:
        return report
    outcomes = tuple(
        (
            replace(outcome, status=CheckStatus.FAILED)
            if outcome.status is CheckStatus.WARNING
            else outcome
        )
        for outcome in report.outcomes
    )
    return replace(report, outcomes=outcomes)
