"""A report ordered for readers: by check, by profile, by common cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mcpgen.conformance.model import Check, CheckOutcome, CheckStatus, Report
from mcpgen.conformance.profiles import PROFILES

ALIKE = 4
"""From how many checks on one reason for all of them is told once: nobody was at home, say."""

WORST = (
    CheckStatus.FAILED,
    CheckStatus.WARNING,
    CheckStatus.KNOWN,
    CheckStatus.PASSED,
    CheckStatus.NOT_APPLICABLE,
)
"""The statuses, the most telling one first."""

VIOLATED = (CheckStatus.FAILED, CheckStatus.WARNING, CheckStatus.KNOWN)
"""The statuses of a demand that is not met."""

Reason = tuple[str, str]
"""What was expected and what was seen."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One violation, in all the revisions where it was found; `saw` is that of the first."""

    status: CheckStatus
    expected: str
    saw: str
    tool: str
    revisions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckSummary:
    """All outcomes of one check. `status` is the worst of them; `violations` are in order."""

    check: Check
    status: CheckStatus
    outcomes: tuple[CheckOutcome, ...]
    violations: tuple[Violation, ...]


def worst(statuses: Iterable[CheckStatus]) -> CheckStatus:
    """The most telling of the statuses; not applicable for none."""
    present = set(statuses)
    return next((status for status in WORST if status in present), CheckStatus.NOT_APPLICABLE)


def judgements(report: Report) -> tuple[CheckSummary, ...]:
    """One judgement per check, in the order in which the checks were first made."""
    by_check: dict[str, list[CheckOutcome]] = {}
    for outcome in report.outcomes:
        by_check.setdefault(outcome.check.id, []).append(outcome)
    return tuple(
        CheckSummary(
            outcomes[0].check,
            worst(outcome.status for outcome in outcomes),
            tuple(outcomes),
            violations(outcomes),
        )
        for outcomes in by_check.values()
    )


def totals(report: Report) -> Mapping[CheckStatus, int]:
    """How many checks have each status, the worst of their outcomes; every status is a key."""
    by_status = Counter(summary.status for summary in judgements(report))
    return {status: by_status[status] for status in CheckStatus}


def sources(outcomes: Iterable[CheckOutcome]) -> tuple[Check, ...]:
    """The checks behind some outcomes, one for each place they come from: facts about several hosts
    share the id of a check, not its source."""
    return tuple(
        {(outcome.check.clause, outcome.check.url): outcome.check for outcome in outcomes}.values()
    )


def group_violations(violations: Iterable[Violation]) -> list[list[Violation]]:
    """The violations by what was expected, and of which revisions."""
    groups: dict[tuple[str, tuple[str, ...]], list[Violation]] = {}
    for violation in violations:
        groups.setdefault((violation.expected, violation.revisions), []).append(violation)
    return list(groups.values())


def violations(outcomes: Iterable[CheckOutcome]) -> tuple[Violation, ...]:
    """What was violated; the same in several revisions is one violation."""
    groups: dict[tuple[CheckStatus, str, str, str], list[CheckOutcome]] = {}
    for outcome in outcomes:
        if outcome.status in VIOLATED:
            key = (outcome.status, outcome.check.id, outcome.tool, outcome.expected)
            groups.setdefault(key, []).append(outcome)
    return tuple(
        Violation(
            group[0].status,
            group[0].expected,
            group[0].saw,
            group[0].tool,
            tuple(dict.fromkeys(outcome.revision for outcome in group if outcome.revision)),
        )
        for group in groups.values()
    )


def common_findings(outcomes: Iterable[CheckOutcome]) -> dict[Reason, tuple[Check, ...]]:
    """What was expected and seen in just the same way by several checks, with these in order."""
    checks: dict[Reason, dict[str, Check]] = {}
    for outcome in outcomes:
        reason = (outcome.expected, outcome.saw)
        checks.setdefault(reason, {})[outcome.check.id] = outcome.check
    return {reason: tuple(of.values()) for reason, of in checks.items() if len(of) >= ALIKE}


@dataclass(frozen=True, slots=True)
class Column:
    """A profile with at least one outcome, and what became of each of its checks, by id."""

    word: str
    title: str
    about: str
    checks: Mapping[str, CheckStatus]

    @property
    def counts(self) -> Mapping[CheckStatus, int]:
        """How many checks have each status, the worst first; every status is a key."""
        by_status = Counter(self.checks.values())
        return {status: by_status[status] for status in WORST}


def words_of(outcome: CheckOutcome) -> tuple[str, ...]:
    """The profiles an outcome counts for; at least the one that its check belongs to."""
    return outcome.profiles or (outcome.check.profile,)


def columns(report: Report) -> tuple[Column, ...]:
    """The profiles of a report in the order of their table, then those it does not list."""
    by_profile: dict[str, dict[str, list[CheckStatus]]] = {}
    for outcome in report.outcomes:
        for word in words_of(outcome):
            checks = by_profile.setdefault(word, {})
            checks.setdefault(outcome.check.id, []).append(outcome.status)
    ordered = [word for word in PROFILES if word in by_profile]
    unlisted = [word for word in by_profile if word not in PROFILES]
    return tuple(
        Column(
            word, *_describe_profile(word), {id: worst(of) for id, of in by_profile[word].items()}
        )
        for word in (*ordered, *unlisted)
    )


def _describe_profile(word: str) -> tuple[str, str]:
    """The title of a profile, and what it is about."""
    profile = PROFILES.get(word)
    return (profile.title, profile.about) if profile else (word, "")
