"""The profiles a report covers, as the columns of its tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from mcpgen.conformance.model import CheckOutcome, CheckStatus, Report
from mcpgen.conformance.profiles import PROFILES
from mcpgen.conformance.report.grouping import WORST, worst


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
        found = Counter(self.checks.values())
        return {status: found[status] for status in WORST}


def words_of(outcome: CheckOutcome) -> tuple[str, ...]:
    """The profiles an outcome counts for; at least the one that its check belongs to."""
    return outcome.profiles or (outcome.check.profile,)


def columns(report: Report) -> tuple[Column, ...]:
    """The profiles of a report in the order of their table, then those it does not list."""
    found: dict[str, dict[str, list[CheckStatus]]] = {}
    for outcome in report.outcomes:
        for word in words_of(outcome):
            checks = found.setdefault(word, {})
            checks.setdefault(outcome.check.id, []).append(outcome.status)
    ordered = [word for word in PROFILES if word in found]
    rest = [word for word in found if word not in PROFILES]
    return tuple(
        Column(word, *_describe_profile(word), {id: worst(of) for id, of in found[word].items()})
        for word in (*ordered, *rest)
    )


def _describe_profile(word: str) -> tuple[str, str]:
    """The title of a profile, and what it is about."""
    profile = PROFILES.get(word)
    return (profile.title, profile.about) if profile else (word, "")
