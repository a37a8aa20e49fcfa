"""Values of a conformance run: checks, findings, outcomes, measurements, the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from mcpgen.conformance.strict_json import Json


class Level(StrEnum):
    """How binding a check is: the specification's MUST or SHOULD, or a fact about the hosts, the
    browsers and the networks a server lives among."""

    MUST = "MUST"
    SHOULD = "SHOULD"
    HOST = "HOST"


class CheckStatus(StrEnum):
    """What came of a check. Not applicable means that the server never declared the capability;
    known is a violation that the baseline lists."""

    PASSED = "passed"
    FAILED = "failed"
    WARNING = "warning"
    KNOWN = "known"
    NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True, slots=True)
class Check:
    """One demand on a server, as a row of the table of checks.

    `id` is spoken, stable and the same whether the check holds or not. `profile` is the word of the
    profile it belongs to; others may take it too. `revisions` are the protocol
    revisions it is made in, one outcome each; `()` means once, in the newest one the server speaks.
    `sentence` says the demand in our words; `clause` and `url` name where it comes from.
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
    """What one check found. `revision` is the protocol revision it was made in, or `""`;
    `tool` the tool it is about, or `""`. `expected` and `saw` are empty when it passed.
    `profiles` are the words of the chosen profiles it counts for."""

    check: Check
    status: CheckStatus
    expected: str = ""
    saw: str = ""
    tool: str = ""
    revision: str = ""
    profiles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Measurement:
    """How long one kind of request took, in milliseconds: `cold` the first time in the run, the
    others when it was repeated `count` times. `p95` is the slowest of fewer than 20.

    `buckets` are pairs of an upper bound (exclusive, the last one infinite) and how many of the
    repetitions fell below it and not below the one before.
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
class Report:
    """Every outcome of one run, in the order of the table. `revisions` are those the target
    speaks; `notes` say what was left out on purpose; `seconds` is the time the run took. `tools` are
    those the target announced, as it announced them; `measurements` are there when the profile
    `latency` was chosen."""

    target: str
    outcomes: tuple[CheckOutcome, ...]
    revisions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    tools: tuple[Mapping[str, Json], ...] = ()
    measurements: tuple[Measurement, ...] = ()

    @property
    def counts(self) -> Mapping[CheckStatus, int]:
        """How many outcomes have each status; every status is a key."""
        by_status = Counter(outcome.status for outcome in self.outcomes)
        return {status: by_status[status] for status in CheckStatus}

    @property
    def failed(self) -> bool:
        """Whether any outcome failed, or nothing was checked at all."""
        return not self.outcomes or any(o.status is CheckStatus.FAILED for o in self.outcomes)


@dataclass(frozen=True, slots=True)
class Finding:
    """One violation: what was expected, what was seen, and the tool it is about, if any.

    `warns` tells that this one is never a failure, however binding its check: little is lost, or
    the fact behind it is not sure.
    """

    expected: str
    saw: str
    tool: str = ""
    warns: bool = False


class PrerequisiteMissing(Exception):
    """A prerequisite of a check failed; the violation names it."""

    def __init__(self, expected: str, saw: str) -> None:
        super().__init__(expected, saw)
        self.finding = Finding(expected, saw)


class NotApplicable(Exception):
    """The server never declared the capability that a check is about."""
