"""Compares a report with an earlier report: the checks that became worse or better."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mcpgen.conformance import strict_json
from mcpgen.conformance.model import CheckOutcome, CheckStatus, Comparison, Report, StatusChange
from mcpgen.conformance.strict_json import Json

VIOLATED = (CheckStatus.KNOWN, CheckStatus.WARNING, CheckStatus.BLOCKED, CheckStatus.FAILED)
_RANK = {status: rank for rank, status in enumerate(VIOLATED, 1)}
"""The order of statuses from good to bad; every other status has rank 0."""

Key = tuple[str, str, str]
"""Check id, revision (or `""`) and tool (or `""`)."""


class ReportUnreadable(ValueError):
    """The file is not a report; the text of the error states the reason."""


@dataclass(frozen=True, slots=True)
class EarlierReport:
    """The statuses of an earlier report. `name`: the file, as shown in reports."""

    name: str
    statuses: Mapping[Key, CheckStatus]
    checks: frozenset[tuple[str, str]]
    """Pairs of check id and revision with an outcome."""

    @classmethod
    def of(cls, name: str, entries: Iterable[tuple[Key, CheckStatus]]) -> EarlierReport:
        """The report with the worst status of equal keys."""
        statuses: dict[Key, CheckStatus] = {}
        for key, status in entries:
            if key not in statuses or _rank(status) > _rank(statuses[key]):
                statuses[key] = status
        return cls(name, statuses, frozenset((id, revision) for id, revision, _ in statuses))

    def before(self, key: Key) -> CheckStatus | None:
        """The earlier status, None for a check that the earlier run did not make in the revision.

        A check is judged for all tools: a tool without an outcome of its own had no violation,
        unless the earlier report counts further violations without their tools.
        """
        check, revision, _ = key
        if key in self.statuses:
            return self.statuses[key]
        if (check, revision) not in self.checks:
            return None
        return self.statuses.get((check, revision, ""), CheckStatus.PASSED)


def read_earlier_report(text: bytes, name: str) -> EarlierReport:
    """Reads a JSON report, or the output of `mcpgen check --format json`. Raises ReportUnreadable."""
    try:
        tree = strict_json.loads(text)
    except ValueError as error:
        raise ReportUnreadable(str(error)) from error
    if isinstance(tree, dict) and isinstance(tree.get("report"), dict):
        tree = tree["report"]
    outcomes = tree.get("outcomes") if isinstance(tree, dict) else None
    if not isinstance(outcomes, list):
        raise ReportUnreadable("it has no list `outcomes`")
    return EarlierReport.of(name, (_read_status(outcome) for outcome in outcomes))


def _read_status(outcome: Json) -> tuple[Key, CheckStatus]:
    members = outcome if isinstance(outcome, dict) else {}
    texts = [members.get(key) for key in ("id", "revision", "tool", "status")]
    id, revision, tool, status = texts
    if not (isinstance(id, str) and isinstance(revision, str) and isinstance(tool, str)):
        raise ReportUnreadable("an outcome has no `id`, `revision` and `tool`")
    if status not in [member.value for member in CheckStatus]:
        raise ReportUnreadable(f"an outcome has the status {status!r}")
    return (id, revision, tool), CheckStatus(str(status))


def compare_reports(report: Report, earlier: EarlierReport) -> Comparison:
    """The changes since the earlier report, sorted by check, revision and tool.

    A check that only one of the runs made is neither worse nor better: `added` and `omitted` count
    the checks. A check that is no longer applicable counts as omitted.
    """
    current = EarlierReport.of("", ((_outcome_key(o), o.status) for o in report.outcomes))
    changes: list[StatusChange] = []
    added: set[str] = set()
    omitted: set[str] = set()
    for key in sorted({*current.statuses, *earlier.statuses}):
        before, after = earlier.before(key), current.before(key)
        if before is None:
            added.add(key[0])
        elif after is None or (_is_judged(before) and after is CheckStatus.NOT_APPLICABLE):
            omitted.add(key[0])
        elif _rank(before) != _rank(after):
            changes.append(StatusChange(*key, before, after))
    return Comparison(
        earlier.name,
        tuple(change for change in changes if _rank(change.after) > _rank(change.before)),
        tuple(change for change in changes if _rank(change.after) < _rank(change.before)),
        tuple(sorted(added)),
        tuple(sorted(omitted)),
    )


def _outcome_key(outcome: CheckOutcome) -> Key:
    return outcome.check.id, outcome.revision, outcome.tool


def _rank(status: CheckStatus) -> int:
    return _RANK.get(status, 0)


def _is_judged(status: CheckStatus) -> bool:
    return status is not CheckStatus.NOT_APPLICABLE
