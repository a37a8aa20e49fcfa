"""The scenario matrix: status and bound steps of every scenario."""

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
"""Statuses of a scenario, worst first, with their check status for display.

`bound` means not run.
"""

OPEN = frozenset({"stale", "pending", "partial"})
"""Statuses of scenarios with unbound or outdated steps."""


@dataclass(frozen=True, slots=True)
class ScenarioRow:
    """A scenario: `bound` of `count` steps are bound, and `guessed_steps` by an entry to review.

    `told` is the reason for unbound steps. `at` is the position. `snippet` is YAML to paste into
    the companion.
    """

    requirement: str
    scenario: str
    status: str
    bound: int
    count: int
    at: str = ""
    told: str = ""
    snippet: str = ""
    guessed_steps: int = 0

    @property
    def spoken(self) -> str:
        """The status, with the fraction of bound steps for open scenarios."""
        return f"{self.status} {self.bound}/{self.count}" if self.status in OPEN else self.status


@dataclass(frozen=True, slots=True)
class ScenarioMatrix:
    """The scenarios of a description or a project, in document order.

    `failure` is the reason for missing results, `""` on success.
    """

    name: str
    rows: tuple[ScenarioRow, ...]
    failure: str = ""

    @property
    def counts(self) -> Mapping[str, int]:
        """Number of scenarios per status, worst first."""
        statuses = Counter(row.status for row in self.rows)
        return {status: statuses[status] for status in STATUSES if statuses[status]}

    @property
    def percent(self) -> float:
        """Percentage of bound steps, rounded down to 0.1; stale scenarios count as unbound."""
        bound = sum(row.bound for row in self.rows if row.status != "stale")
        return 1000 * bound // self.steps / 10

    @property
    def summary(self) -> str:
        """Number of scenarios per status on a single line, or the failure."""
        if self.failure:
            return self.failure
        parts = [f"{count} {status}" for status, count in reversed(list(self.counts.items()))]
        drafted = sum(row.guessed_steps for row in self.rows)
        more = f", {1000 * drafted // self.steps / 10:g} % drafted" if drafted else ""
        return f"{', '.join(parts) or 'no scenario'}; {self.percent:g} % of the steps{more}"

    @property
    def steps(self) -> int:
        """Number of steps of all scenarios, at least 1."""
        return max(1, sum(row.count for row in self.rows))

    def lacking(self, min_bound: float, fail_on_pending: bool) -> str:
        """Returns the reason for not meeting the thresholds, `""` if met."""
        failed = self.counts.get("failed", 0)
        if failed:
            return f"{failed} failed"
        if self.percent < min_bound:
            return f"{self.percent:g} % of the steps, and --min-bound is {min_bound:g}"
        open_ = sum(self.counts.get(status, 0) for status in OPEN)
        return f"{open_} not bound, and --fail-on-pending" if fail_on_pending and open_ else ""


def matrix_of(name: str, rows: Iterable[Mapping[str, Json]]) -> ScenarioMatrix:
    """Builds the matrix from the rows written by the tests of a project."""
    return ScenarioMatrix(
        name,
        tuple(
            ScenarioRow(
                bound=int(str(row["bound"])),
                count=int(str(row["count"])),
                requirement=str(row["requirement"]),
                scenario=str(row["scenario"]),
                status=str(row["status"]),
                at=str(row["at"]),
                told=str(row["told"]),
            )
            for row in rows
        ),
    )
