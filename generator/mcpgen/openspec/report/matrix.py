"""The matrix of scenarios: which requirement is shown by what, and how far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mcpgen.conformance.model import CheckStatus
from mcpgen.conformance.strict_json import Json

STATUSES: Mapping[str, CheckStatus] = {
    "failed": CheckStatus.FAILED,
    "stale": CheckStatus.WARNING,
    "pending": CheckStatus.WARNING,
    "partial": CheckStatus.WARNING,
    "manual": CheckStatus.NOT_APPLICABLE,
    "bound": CheckStatus.PASSED,
    "passed": CheckStatus.PASSED,
}
"""What can become of a scenario, the worst first, and its colour. `bound` is one that was not
performed."""

OPEN = frozenset({"stale", "pending", "partial"})
"""The statuses of scenarios with something that nobody bound, or bound for another text."""


@dataclass(frozen=True, slots=True)
class ScenarioRow:
    """One scenario: `bound` of its `count` steps are shown; `told` says why not all. `at` is its place;
    `snippet` what its author may paste into the companion."""

    requirement: str
    scenario: str
    status: str
    bound: int
    count: int
    at: str = ""
    told: str = ""
    snippet: str = ""

    @property
    def spoken(self) -> str:
        """The status, and how much of the scenario is shown where it is a part."""
        return f"{self.status} {self.bound}/{self.count}" if self.status in OPEN else self.status


@dataclass(frozen=True, slots=True)
class ScenarioMatrix:
    """The scenarios of a description or of a project, in document order. `failure` says why there is
    nothing to tell of them, `""` if there is."""

    name: str
    rows: tuple[ScenarioRow, ...]
    failure: str = ""

    @property
    def counts(self) -> Mapping[str, int]:
        """How many scenarios have each status there is, the worst first."""
        found = Counter(row.status for row in self.rows)
        return {status: found[status] for status in STATUSES if found[status]}

    @property
    def percent(self) -> float:
        """How many of a hundred steps are shown, rounded down; those of a stale scenario are not."""
        bound = sum(row.bound for row in self.rows if row.status != "stale")
        return 1000 * bound // max(1, sum(row.count for row in self.rows)) / 10

    @property
    def summary(self) -> str:
        """How many scenarios have which status, in a line, or why nobody knows."""
        if self.failure:
            return self.failure
        parts = [f"{count} {status}" for status, count in reversed(list(self.counts.items()))]
        return f"{', '.join(parts) or 'no scenario'}; {self.percent:g} % of the steps"

    def lacking(self, min_bound: float, fail_on_pending: bool) -> str:
        """Why this is not good enough; `""` if it is."""
        failed = self.counts.get("failed", 0)
        if failed:
            return f"{failed} failed"
        if self.percent < min_bound:
            return f"{self.percent:g} % of the steps, and --min-bound is {min_bound:g}"
        open_ = sum(self.counts.get(status, 0) for status in OPEN)
        return f"{open_} not bound, and --fail-on-pending" if fail_on_pending and open_ else ""


def matrix_of(name: str, rows: Iterable[Mapping[str, Json]]) -> ScenarioMatrix:
    """The matrix that the tests of a project have written."""
    texts = ("requirement", "scenario", "status", "at", "told")
    return ScenarioMatrix(
        name,
        tuple(
            ScenarioRow(
                bound=int(str(row["bound"])),
                count=int(str(row["count"])),
                **{key: str(row[key]) for key in texts},
            )
            for row in rows
        ),
    )
