"""Values of a conformance run: checks, findings, outcomes, measurements, the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from mcpgen.conformance.strict_json import Json


class Level(StrEnum):
    """The weight of a check: MUST or SHOULD of the specification, or HOST for facts about hosts,
    browsers and networks. OWN: a requirement of mcpgen, or the verdict of another suite, without a
    specification to cite.

    A violation of MUST or OWN fails, one of SHOULD is a warning. A violation of HOST fails in the
    profiles of hosts, in `latency` and for a generated project, and is a warning elsewhere.
    """

    MUST = "MUST"
    SHOULD = "SHOULD"
    HOST = "HOST"
    OWN = "OWN"


class CheckStatus(StrEnum):
    """The result of a check. NOT_APPLICABLE: the server lacks the subject of the check, such as a
    capability or sessions. KNOWN: the baseline lists the violation. BLOCKED: another violation or
    the end of the run prevented the check.
    """

    PASSED = "passed"
    FAILED = "failed"
    WARNING = "warning"
    KNOWN = "known"
    BLOCKED = "blocked"
    NOT_APPLICABLE = "not applicable"


_VIOLATED = (CheckStatus.FAILED, CheckStatus.WARNING, CheckStatus.KNOWN)
"""The results of a check with a violation."""

DEADLINE = "deadline"
"""The cause of a blocked check: the time for all checks was over."""

BUDGET = "budget"
"""The cause of a blocked check: the server had sent as many bytes as a run reads."""

RATE_LIMIT = "rate-limit"
"""The cause of a blocked check: the server limits requests, and refused a request again after the run had waited."""

HTTP_SSE = "http+sse"
"""The cause of a blocked check: the server speaks only HTTP+SSE, the transport of
2024-11-05."""


@dataclass(frozen=True, slots=True)
class Check:
    """A requirement, a row of the table of checks.

    `id` is stable and independent of the result. `profile` is the profile that owns the check; other
    profiles can include the check. `revisions` are the protocol revisions of the check, with an
    outcome per revision; `()`: made once, in the newest supported revision of the profiles that states
    the requirement. `sentence` states the requirement, `clause` and `url` the source.
    """

    id: str
    level: Level
    profile: str
    sentence: str
    clause: str
    url: str
    explanation: str
    fix: str
    revisions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """The result of one check. `expected` and `saw` are empty if the check passed.

    `revision`: the protocol revision or `""`. `tool`: the tool or `""`. `profiles`: the selected
    profiles that include the check. `blocked_by`: for BLOCKED the id of the check whose violation is
    the cause, or `DEADLINE`, `BUDGET`, `RATE_LIMIT` or `HTTP_SSE`; otherwise `""`.
    """

    check: Check
    status: CheckStatus
    expected: str = ""
    saw: str = ""
    tool: str = ""
    revision: str = ""
    profiles: tuple[str, ...] = ()
    blocked_by: str = ""


@dataclass(frozen=True, slots=True)
class Measurement:
    """Durations of one kind of request, in milliseconds.

    `cold` is the first request of the run, the other values are of `count` repetitions; with fewer
    than 20, `p95` is the slowest. `buckets` are pairs of an exclusive upper bound (the last
    infinite) and the number of repetitions below the bound and not below the previous bound.
    """

    name: str
    revision: str
    cold: float
    count: int
    min: float
    p50: float
    p95: float
    max: float
    buckets: tuple[tuple[float, int], ...]


@dataclass(frozen=True, slots=True)
class StatusChange:
    """A status that differs from the status in an earlier report."""

    check: str
    revision: str
    tool: str
    before: CheckStatus
    after: CheckStatus


@dataclass(frozen=True, slots=True)
class Comparison:
    """The changes since an earlier report; `name` is the file of the earlier report.

    `added`, `omitted`: ids of checks that only this run, or only the earlier run, made.
    """

    name: str
    worse: tuple[StatusChange, ...] = ()
    better: tuple[StatusChange, ...] = ()
    added: tuple[str, ...] = ()
    omitted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The outcomes of one run, in the order of the table.

    `revisions`: supported revisions. `notes`: sentences about omitted checks. `seconds`: duration
    of the run. `tools`: the announced tools. `measurements`: filled for the profile `latency`.
    `judged_as`: the revisions whose rules a saved list was judged by; a file speaks no revision.
    `comparison`: the changes since an earlier report, None if none was given.
    """

    target: str
    outcomes: tuple[CheckOutcome, ...]
    revisions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    tools: tuple[Mapping[str, Json], ...] = ()
    measurements: tuple[Measurement, ...] = ()
    judged_as: tuple[str, ...] = ()
    comparison: Comparison | None = None

    @property
    def counts(self) -> Mapping[CheckStatus, int]:
        """Number of outcomes for each status; every status is a key."""
        by_status = Counter(outcome.status for outcome in self.outcomes)
        return {status: by_status[status] for status in CheckStatus}

    @property
    def failed(self) -> bool:
        """True if a check failed, no check was made, or a check is blocked without a violation that is
        the cause: by the deadline, for example.
        """
        violated = {outcome.check.id for outcome in self.outcomes if outcome.status in _VIOLATED}
        return not self.outcomes or any(
            outcome.status is CheckStatus.FAILED
            or (outcome.status is CheckStatus.BLOCKED and outcome.blocked_by not in violated)
            for outcome in self.outcomes
        )


@dataclass(frozen=True, slots=True)
class Finding:
    """One violation: expectation, observation, and the tool or `""`.

    `warns`: never a failure, because the harm is small or the source uncertain.
    """

    expected: str
    saw: str
    tool: str = ""
    warns: bool = False


class PrerequisiteMissing(Exception):
    """A prerequisite of a check is missing; `finding` names the prerequisite.

    `blocked_by`: the id of the check that judges the prerequisite, a cause such as `DEADLINE`,
    or `""` if the prerequisite is a part of the check itself.
    """

    def __init__(self, expected: str, saw: str, blocked_by: str = "") -> None:
        super().__init__(expected, saw)
        self.finding = Finding(expected, saw)
        self.blocked_by = blocked_by


class NotApplicable(Exception):
    """The server lacks the subject of the check. The message names the subject, for example
    `sessions`."""
