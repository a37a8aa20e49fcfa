"""A report for people, in a terminal or in the log of a CI run."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mcpgen.conformance.exchange import printable
from mcpgen.conformance.model import Check, Outcome, Report, Status
from mcpgen.conformance.report.digest import shared, violations
from mcpgen.conformance.report.profiles import columns
from mcpgen.conformance.report.visible import visible

SHOWN = (Status.FAILED, Status.WARNING)
LONGEST = 4_000
"""Characters of what was seen; it may be the last lines of a process, but not a book."""

TOLD = {
    Status.PASSED: "passed",
    Status.FAILED: "failed",
    Status.WARNING: "warnings",
    Status.KNOWN: "known",
    Status.NOT_APPLICABLE: "not applicable",
}
"""What the number of outcomes with a status is called."""

Paint = Callable[[str, Status], str]
"""Gives a text the colour of a status."""


def plain(text: str, status: Status) -> str:
    """The text without a colour."""
    return text


def as_text(report: Report, *, verbose: bool = False, paint: Paint = plain) -> str:
    """Failures first, then warnings, each with what was expected and seen; then a line for each
    profile, and a summary as the last line.

    `verbose` adds one line for every other outcome.
    """
    return "".join(
        f"{line}\n" for line in (*_lines(report, verbose, paint), summary(report, paint))
    )


def summary(report: Report, paint: Paint = plain) -> str:
    """The last line: the verdict and the counts."""
    counts = report.counts
    parts = [
        f"{counts[status]} {word}"
        for status, word in TOLD.items()
        if counts[status] or status is not Status.KNOWN
    ]
    status = Status.FAILED if report.failed else Status.PASSED
    verdict = paint("FAILED" if report.failed else "passed", status)
    spoken = ", ".join(report.revisions) or "no revision of MCP"
    return f"{verdict}: {', '.join(parts)} in {report.seconds:.1f} s (speaks {spoken})"


def _lines(report: Report, verbose: bool, paint: Paint) -> Iterator[str]:
    yield f"checked {printable(report.target)}"
    for status in SHOWN:
        yield from _of(status, report, paint)
    if verbose:
        for outcome in report.outcomes:
            if outcome.status not in SHOWN:
                yield f"{outcome.status}:{_title(outcome.check.id, outcome.revision)}"
    for note in report.notes:
        yield f"note: {visible(note)}"
    for column in columns(report):
        counts = column.counts
        parts = [
            paint(f"{counts[status]} {word}", status)
            for status, word in TOLD.items()
            if counts[status]
        ]
        yield f"profile {column.word}: {', '.join(parts)}"


def _of(status: Status, report: Report, paint: Paint) -> Iterator[str]:
    """Every violation with this status; a reason that many checks have in common is told last."""
    found = [outcome for outcome in report.outcomes if outcome.status is status]
    common = shared(found)
    by_check: dict[str, list[Outcome]] = {}
    for outcome in found:
        if (outcome.expected, outcome.saw) not in common:
            by_check.setdefault(outcome.check.id, []).append(outcome)
    for outcomes in by_check.values():
        yield from _check(outcomes, paint)
    for (expected, saw), checks in common.items():
        ids = ", ".join(check.id for check in checks)
        yield f"{paint(status, status)}: {len(checks)} checks for one reason: {ids}"
        yield from _said("", expected, saw)


def _check(outcomes: list[Outcome], paint: Paint) -> Iterator[str]:
    """The violations of one check, each in all revisions where it was found."""
    check, status = outcomes[0].check, outcomes[0].status
    yield f"{paint(status, status)}: {check.id} ({_weight(check, outcomes)})"
    yield f"  {check.sentence}"
    yield f"  {check.clause}: {check.url}"
    yield f"  more: mcpgen explain {check.id}"
    for one in violations(outcomes):
        yield from _said(_title(printable(one.tool), *one.revisions), one.expected, one.saw)


def _weight(check: Check, outcomes: list[Outcome]) -> str:
    """How binding a check is, and for which profiles where these are not the check's own."""
    words = dict.fromkeys(word for outcome in outcomes for word in outcome.profiles)
    foreign = [word for word in words if word != check.profile]
    return ", ".join([check.level, *foreign])


def _said(where: str, expected: str, saw: str) -> Iterator[str]:
    yield f"  - expected{where}: {visible(expected)}"
    first, *more = saw[:LONGEST].splitlines() or [""]
    yield f"    saw: {visible(first)}"
    # Without the bar a CI system could take a line of a stranger's output for a command of its own.
    yield from (f"      | {visible(line)}" for line in more)


def _title(name: str, *revisions: str) -> str:
    parts = [name] if name else []
    found = [revision for revision in revisions if revision]
    if found:
        parts.append(f"[{', '.join(found)}]")
    return "".join(f" {part}" for part in parts)
