"""A report ordered for readers: by check, by profile, by common cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mcpgen.conformance.model import (
    BUDGET,
    DEADLINE,
    RATE_LIMIT,
    Check,
    CheckOutcome,
    CheckStatus,
    Report,
)
from mcpgen.conformance.profiles import PROFILES

COMMON_CAUSE_MIN = 4
"""Smallest number of checks with the same finding that are reported as one common cause, for
example an unreachable server."""

STATUS_ORDER = (
    CheckStatus.FAILED,
    CheckStatus.WARNING,
    CheckStatus.KNOWN,
    CheckStatus.BLOCKED,
    CheckStatus.PASSED,
    CheckStatus.NOT_APPLICABLE,
)
"""The statuses, worst first."""

VIOLATION_STATUSES = (CheckStatus.FAILED, CheckStatus.WARNING, CheckStatus.KNOWN)
"""The statuses of a violated requirement."""

Reason = tuple[str, str]
"""Expectation and observation."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A violation with the revisions in which it occurs; `saw` is the observation of the first
    revision.
    """

    status: CheckStatus
    expected: str
    saw: str
    tool: str
    revisions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckSummary:
    """All outcomes of one check. `status` is the worst status; `violations` are in order."""

    check: Check
    status: CheckStatus
    outcomes: tuple[CheckOutcome, ...]
    violations: tuple[Violation, ...]


def worst(statuses: Iterable[CheckStatus]) -> CheckStatus:
    """The first status of STATUS_ORDER among the statuses; NOT_APPLICABLE for none."""
    present = set(statuses)
    return next(
        (status for status in STATUS_ORDER if status in present), CheckStatus.NOT_APPLICABLE
    )


def check_summaries(report: Report) -> tuple[CheckSummary, ...]:
    """One summary for each check, in the order of first outcomes."""
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
    """Number of checks for each status, by the worst outcome; every status is a key."""
    by_status = Counter(summary.status for summary in check_summaries(report))
    return {status: by_status[status] for status in CheckStatus}


def sources(outcomes: Iterable[CheckOutcome]) -> tuple[Check, ...]:
    """Distinct clauses and URLs of the outcomes. Host facts share a check id with different
    sources.
    """
    return tuple(
        {(outcome.check.clause, outcome.check.url): outcome.check for outcome in outcomes}.values()
    )


def group_violations(violations: Iterable[Violation]) -> list[list[Violation]]:
    """The violations by expectation and revisions."""
    groups: dict[tuple[str, tuple[str, ...]], list[Violation]] = {}
    for violation in violations:
        groups.setdefault((violation.expected, violation.revisions), []).append(violation)
    return list(groups.values())


def violations(outcomes: Iterable[CheckOutcome]) -> tuple[Violation, ...]:
    """The violations of some outcomes; the same violation in several revisions is listed once."""
    groups: dict[tuple[CheckStatus, str, str, str], list[CheckOutcome]] = {}
    for outcome in outcomes:
        if outcome.status in VIOLATION_STATUSES:
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
    """Pairs of expectation and observation shared by COMMON_CAUSE_MIN or more checks, with
    the checks."""
    checks: dict[Reason, dict[str, Check]] = {}
    for outcome in outcomes:
        reason = (outcome.expected, outcome.saw)
        checks.setdefault(reason, {})[outcome.check.id] = outcome.check
    return {
        reason: tuple(checks_by_id.values())
        for reason, checks_by_id in checks.items()
        if len(checks_by_id) >= COMMON_CAUSE_MIN
    }


CAUSES = {
    DEADLINE: "deadline (the time allowed for all checks was over)",
    BUDGET: "budget (the server had sent as many bytes as a run reads)",
    RATE_LIMIT: "rate-limit (the server answered HTTP 429, or 503 with `Retry-After`, after waits too)",
}
"""Descriptions of causes that are no checks."""


def blocked_checks(report: Report) -> dict[str, tuple[Check, ...]]:
    """The blocked checks by description of the cause, in the order of first outcomes."""
    checks: dict[str, dict[str, Check]] = {}
    for outcome in report.outcomes:
        if outcome.status is CheckStatus.BLOCKED:
            cause = CAUSES.get(outcome.blocked_by, outcome.blocked_by)
            checks.setdefault(cause, {})[outcome.check.id] = outcome.check
    return {cause: tuple(by_id.values()) for cause, by_id in checks.items()}


@dataclass(frozen=True, slots=True)
class ProfileColumn:
    """One column of the table of checks by profile: a profile with at least one outcome, and the worst status of each check, by id."""

    word: str
    title: str
    about: str
    checks: Mapping[str, CheckStatus]

    @property
    def counts(self) -> Mapping[CheckStatus, int]:
        """Number of checks for each status, worst first; every status is a key."""
        by_status = Counter(self.checks.values())
        return {status: by_status[status] for status in STATUS_ORDER}


def profiles_of(outcome: CheckOutcome) -> tuple[str, ...]:
    """The profiles of an outcome, at least the check's own."""
    return outcome.profiles or (outcome.check.profile,)


def columns(report: Report) -> tuple[ProfileColumn, ...]:
    """The profiles of a report, in the order of PROFILES, then unlisted ones."""
    by_profile: dict[str, dict[str, list[CheckStatus]]] = {}
    for outcome in report.outcomes:
        for word in profiles_of(outcome):
            checks = by_profile.setdefault(word, {})
            checks.setdefault(outcome.check.id, []).append(outcome.status)
    ordered = [word for word in PROFILES if word in by_profile]
    unlisted = [word for word in by_profile if word not in PROFILES]
    return tuple(
        ProfileColumn(
            word,
            *_describe_profile(word),
            {id: worst(statuses) for id, statuses in by_profile[word].items()},
        )
        for word in (*ordered, *unlisted)
    )


def _describe_profile(word: str) -> tuple[str, str]:
    """Title and description of a profile."""
    profile = PROFILES.get(word)
    return (profile.title, profile.about) if profile else (word, "")
