"""Runs `mcpgen check` on a server and compares the violations with those of the unchanged server."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from mcpgen.conformance import CheckOptions, CheckOutcome, CheckStatus
from mcpgen.conformance.check_context import CheckTarget
from mcpgen.conformance.model import DEADLINE
from mcpgen.conformance.probe import Probe
from mcpgen.conformance.profiles import WORDS
from mcpgen.conformance.run import outcomes_of
from mcpgen.conformance.selection import SelectedCheck, select_checks

OPTIONS = CheckOptions(timeout=3.0, call_timeout=3.0, deadline=60.0, shown=200)
"""The options of a default run with shorter time limits, since the servers answer at once."""

_UNFILTERED = replace(
    OPTIONS, profiles=tuple(word for word in WORDS if word != "latency"), active=True
)
ALL_PROFILES = replace(
    _UNFILTERED,
    only=frozenset(choice.check.id for choice in select_checks(_UNFILTERED))
    - {choice.check.id for choice in select_checks(OPTIONS)}
    - {"host-time", "workspace-cold-list", "workspace-opening-in-time", "workspace-call-in-time"}
    - {"fuzzed-requests-answered"},
)
"""The options of a run with the checks that the default run leaves out: other profiles and
intrusive checks. Checks of time are left out, since a busy machine fails them, and the requests from a
grammar, which take 7 of 10 s of the run and noticed none of 40 mutants that survived the default run."""

Violations = Mapping[tuple[str, str], int]
"""The number of violations by check and revision."""


@dataclass(frozen=True)
class Verdict:
    """The result of a run: `failure`, `warning`, `survived`, or `late` for a new violation that a busy
    machine may have caused, too: a request or the run took too long.

    `check` and `revision` name the first new failure, or else the first new warning; `saw` is the
    observation. A run stops at the first new failure. `lost`: the number of revisions that the
    unchanged server speaks and this server does not.
    """

    status: str
    seconds: float
    check: str = ""
    revision: str = ""
    saw: str = ""
    lost: int = 0


@dataclass(frozen=True)
class Baseline:
    """The violations and the revisions of the unchanged server."""

    failed: Violations
    warned: Violations
    revisions: tuple[str, ...]


def with_token(token: str, options: CheckOptions = OPTIONS) -> CheckOptions:
    """The options for a server that requires the token."""
    return replace(options, headers={"Authorization": f"Bearer {token}"})


def measure_baseline(url: str, options: CheckOptions) -> Baseline:
    """The violations of the unchanged server."""
    failures: Counter[tuple[str, str]] = Counter()
    warnings: Counter[tuple[str, str]] = Counter()
    with _target(url, options) as target:
        outcomes = list(outcomes_of(select_checks(options), target, options))
        revisions = target.supported_revisions
    for outcome in outcomes:
        if _fails(outcome):
            failures[outcome.check.id, outcome.revision] += 1
        elif outcome.status is CheckStatus.WARNING:
            warnings[outcome.check.id, outcome.revision] += 1
    return Baseline(failures, warnings, revisions)


def judge(url: str, options: CheckOptions, baseline: Baseline) -> Verdict:
    """The verdict of a run on a changed server; the run stops at the first new failure."""
    with _target(url, options) as target:
        return _judge(target, options, baseline)


def is_noticed(url: str, options: CheckOptions, baseline: Baseline, revision: str) -> bool:
    """True if a run on a changed server has a new violation. The run has the checks of `revision` and
    the checks that are made once, for a server whose answers change in that revision alone.
    """
    selection = [check for check in select_checks(options) if check.revision in ("", revision)]
    with _target(url, options) as target:
        return any(_new_violations(selection, target, options, baseline))


def _judge(target: CheckTarget, options: CheckOptions, baseline: Baseline) -> Verdict:
    start_time = time.monotonic()
    first_warning: CheckOutcome | None = None
    lost_count = len({*baseline.revisions} - {*target.supported_revisions})
    for outcome in _new_violations(select_checks(options), target, options, baseline):
        if _fails(outcome):
            status = "late" if _is_late(outcome) else "failure"
            return _verdict(status, start_time, outcome, lost_count)
        first_warning = first_warning or outcome
    return _verdict(
        "warning" if first_warning else "survived", start_time, first_warning, lost_count
    )


def _new_violations(
    selection: Iterable[SelectedCheck],
    target: CheckTarget,
    options: CheckOptions,
    baseline: Baseline,
) -> Iterator[CheckOutcome]:
    """The failures and warnings that the unchanged server does not have, as the checks are made."""
    violation_counts: Counter[tuple[str, str]] = Counter()
    for outcome in outcomes_of(selection, target, options):
        fails = _fails(outcome)
        if fails or outcome.status is CheckStatus.WARNING:
            key = (outcome.check.id, outcome.revision)
            violation_counts[key] += 1
            if violation_counts[key] > (baseline.failed if fails else baseline.warned).get(key, 0):
                yield outcome


_LATE = ("within the time allowed", "not every request", "time was over", "for all checks was over")
"""Observations of requests that were not answered in time, or not sent because the time was over."""


def _is_late(outcome: CheckOutcome) -> bool:
    is_blocked = outcome.status is CheckStatus.BLOCKED
    return is_blocked or any(text in outcome.saw for text in _LATE)


def _fails(outcome: CheckOutcome) -> bool:
    """True for a failure, and for a check that was not made because the time was over."""
    is_late = outcome.status is CheckStatus.BLOCKED and outcome.blocked_by == DEADLINE
    return outcome.status is CheckStatus.FAILED or is_late


def _verdict(
    status: str, start_time: float, outcome: CheckOutcome | None, lost_count: int
) -> Verdict:
    seconds = round(time.monotonic() - start_time, 2)
    if outcome is None:
        return Verdict(status, seconds, lost=lost_count)
    saw_text = outcome.saw[:200]
    return Verdict(status, seconds, outcome.check.id, outcome.revision, saw_text, lost_count)


@contextmanager
def _target(url: str, options: CheckOptions) -> Iterator[CheckTarget]:
    probe = Probe(
        url,
        timeout=options.timeout,
        deadline=options.deadline,
        max_bytes=options.max_bytes,
        event_bytes=options.event_bytes,
    )
    try:
        yield CheckTarget(probe, options)
    finally:
        probe.close()
