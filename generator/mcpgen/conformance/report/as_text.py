"""A report for people, in a terminal or in the log of a CI run."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.conformance.exchange import printable
from mcpgen.conformance.model import Outcome, Report, Status

SHOWN = (Status.FAILED, Status.WARNING)

ALIKE = 4
"""From how many checks on one reason for all of them is told once: nobody was at home, say."""

Violation = tuple[str, str, str]
"""The check's id, the tool and what was expected: the same in several revisions, told once."""


def as_text(report: Report, *, verbose: bool = False) -> str:
    """Failures first, then warnings, each with what was expected and seen; last line a summary.

    `verbose` adds one line for every other outcome.
    """
    return "\n".join([*_lines(report, verbose), summary(report)]) + "\n"


def summary(report: Report) -> str:
    """The last line: the counts and the verdict."""
    counts = report.counts
    parts = [
        f"{counts[Status.PASSED]} passed",
        f"{counts[Status.FAILED]} failed",
        f"{counts[Status.WARNING]} warnings",
        f"{counts[Status.NOT_APPLICABLE]} not applicable",
    ]
    verdict = "FAILED" if report.failed else "passed"
    spoken = ", ".join(report.revisions) or "no revision of MCP"
    return f"{verdict}: {', '.join(parts)} in {report.seconds:.1f} s (speaks {spoken})"


def _lines(report: Report, verbose: bool) -> Iterator[str]:
    yield f"checked {printable(report.target)}"
    for status in SHOWN:
        found = [outcome for outcome in report.outcomes if outcome.status is status]
        shared = _shared(found)
        groups: dict[Violation, list[Outcome]] = {}
        for outcome in found:
            if (outcome.expected, outcome.saw) not in shared:
                key = (outcome.check.id, outcome.tool, outcome.expected)
                groups.setdefault(key, []).append(outcome)
        before = ""
        for group in groups.values():
            yield from _violation(group, first=group[0].check.id != before)
            before = group[0].check.id
        for (expected, saw), ids in shared.items():
            yield f"{status}: {len(ids)} checks for one reason: {', '.join(ids)}"
            yield f"  - expected: {expected}"
            yield f"    saw: {saw}"
    if verbose:
        for outcome in report.outcomes:
            if outcome.status not in SHOWN:
                yield f"{outcome.status}:{_title(outcome.check.id, outcome.revision)}"
    for note in report.notes:
        yield f"note: {note}"


def _shared(outcomes: list[Outcome]) -> dict[tuple[str, str], list[str]]:
    """What was expected and seen in just the same way by several checks, with their ids in order."""
    checks: dict[tuple[str, str], dict[str, None]] = {}
    for outcome in outcomes:
        checks.setdefault((outcome.expected, outcome.saw), {})[outcome.check.id] = None
    return {reason: list(ids) for reason, ids in checks.items() if len(ids) >= ALIKE}


def _violation(group: list[Outcome], *, first: bool) -> Iterator[str]:
    """One violation, in all revisions where it was found; the check is introduced once."""
    outcome, check = group[0], group[0].check
    if first:
        yield f"{outcome.status}: {check.id} ({check.level})"
        yield f"  {check.sentence}"
        yield f"  {check.clause}: {check.url}"
        yield f"  more: mcpgen explain {check.id}"
    where = _title(printable(outcome.tool), *(one.revision for one in group))
    yield f"  - expected{where}: {outcome.expected}"
    yield f"    saw: {outcome.saw}"


def _title(name: str, *revisions: str) -> str:
    parts = [name] if name else []
    found = [revision for revision in revisions if revision]
    if found:
        parts.append(f"[{', '.join(found)}]")
    return "".join(f" {part}" for part in parts)
