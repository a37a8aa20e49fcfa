"""Renders a report as text for a terminal or a CI log."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mcpgen.conformance.exchange import mark_invisible, printable
from mcpgen.conformance.model import Check, CheckOutcome, CheckStatus, Comparison, Report
from mcpgen.conformance.report.grouping import (
    Violation,
    blocked_checks,
    columns,
    common_findings,
    group_violations,
    totals,
    violations,
)

SHOWN = (CheckStatus.FAILED, CheckStatus.WARNING)
MAX_CHARACTERS = 4_000
"""Limit for the characters of an observation, which may be the last lines of a process."""

STATUS_WORDS = {
    CheckStatus.PASSED: "passed",
    CheckStatus.FAILED: "failed",
    CheckStatus.WARNING: "warned",
    CheckStatus.KNOWN: "known",
    CheckStatus.BLOCKED: "blocked",
    CheckStatus.NOT_APPLICABLE: "not applicable",
}
"""The word for the number of checks with a status."""

CHECKS_NAMED = 6
"""Number of checks named for a common cause."""

TOOLS_SHOWN = 3
"""Number of tools whose observations are shown for one expectation."""

EXPECTATIONS_SHOWN = 10
"""Number of expectations shown for one check."""

Paint = Callable[[str, CheckStatus], str]
"""Colors a text by status."""


def strip_colors(text: str, status: CheckStatus) -> str:
    """The text without a color."""
    return text


def as_text(report: Report, *, verbose: bool = False, paint: Paint = strip_colors) -> str:
    """Failures, then warnings, with expectation and observation; a line per profile; the summary.

    `verbose` adds a line for every other outcome.
    """
    return "".join(
        f"{line}\n"
        for line in (*_terminal_lines(report, verbose, paint), summary_line(report, paint))
    )


def summary_line(report: Report, paint: Paint = strip_colors) -> str:
    """The last line: verdict and number of checks for each status."""
    counts = totals(report)
    parts = [
        f"{counts[status]} {word}"
        for status, word in STATUS_WORDS.items()
        if counts[status] or status not in (CheckStatus.KNOWN, CheckStatus.BLOCKED)
    ]
    status = CheckStatus.FAILED if report.failed else CheckStatus.PASSED
    verdict = paint("FAILED" if report.failed else "passed", status)
    target = f"speaks {', '.join(report.revisions) or 'no revision of MCP'}"
    if report.judged_as:
        target = f"a saved list; judged as {', '.join(report.judged_as)}"
    return f"{verdict}: {', '.join(parts)} in {report.seconds:.1f} s ({target})"


def _terminal_lines(report: Report, verbose: bool, paint: Paint) -> Iterator[str]:
    yield f"checked {printable(report.target)}"
    for status in SHOWN:
        yield from _status_violations(status, report, paint)
    for cause, checks in blocked_checks(report).items():
        yield f"{CheckStatus.BLOCKED}: {len(checks)} checks by {cause}: {_list_checks(checks)}"
    if verbose:
        for outcome in report.outcomes:
            if outcome.status not in SHOWN:
                yield f"{outcome.status}:{_title(outcome.check.id, outcome.revision)}"
    for note in report.notes:
        yield f"note: {mark_invisible(printable(note, MAX_CHARACTERS))}"
    for column in columns(report):
        counts = column.counts
        parts = [
            paint(f"{counts[status]} {word}", status)
            for status, word in STATUS_WORDS.items()
            if counts[status]
        ]
        yield f"profile {column.word}: {', '.join(parts)}"
    if report.comparison:
        yield from comparison_lines(report.comparison, paint)


def comparison_lines(comparison: Comparison, paint: Paint = strip_colors) -> Iterator[str]:
    """The changes since an earlier report, the worse ones first."""
    worse, better = len(comparison.worse), len(comparison.better)
    yield f"compared with {mark_invisible(comparison.name)}: {worse} worse, {better} better"
    for word, status, changes in (
        ("worse", CheckStatus.FAILED, comparison.worse),
        ("better", CheckStatus.PASSED, comparison.better),
    ):
        for change in changes:
            tool = f" `{mark_invisible(printable(change.tool))}`" if change.tool else ""
            name = f"{_title(change.check, change.revision)}{tool}"
            yield f"  {paint(word, status)}:{name}: {change.before} → {change.after}"
    for words, ids in (
        ("made only now", comparison.added),
        ("made only before, or no longer applicable", comparison.omitted),
    ):
        if ids:
            yield f"  {words}: {', '.join(ids)}"


def _status_violations(status: CheckStatus, report: Report, paint: Paint) -> Iterator[str]:
    """Every violation of one status; a cause shared by several checks comes last."""
    outcomes_of_status = [outcome for outcome in report.outcomes if outcome.status is status]
    common = common_findings(outcomes_of_status)
    by_check: dict[tuple[str, str], list[CheckOutcome]] = {}
    for outcome in outcomes_of_status:
        if (outcome.expected, outcome.saw) not in common:
            source = (outcome.check.id, outcome.check.clause)
            by_check.setdefault(source, []).append(outcome)
    for outcomes in by_check.values():
        yield from _check_violations(outcomes, paint)
    for (expected, saw), checks in common.items():
        yield f"{paint(status, status)}: {len(checks)} checks for one reason: {_list_checks(checks)}"
        yield from _expected_saw("", expected, saw)


def _list_checks(checks: tuple[Check, ...]) -> str:
    """The ids of the first checks, and the number of the others."""
    ids = ", ".join(check.id for check in checks[:CHECKS_NAMED])
    more = len(checks) - CHECKS_NAMED
    return f"{ids} and {more} more" if more > 0 else ids


def _check_violations(outcomes: list[CheckOutcome], paint: Paint) -> Iterator[str]:
    """The violations of one check with their revisions."""
    check, status = outcomes[0].check, outcomes[0].status
    yield f"{paint(status, status)}: {check.id} ({_weight(check, outcomes)})"
    yield f"  {check.sentence}"
    yield f"  {check.clause}: {check.url}"
    yield f"  more: mcpgen explain {check.id}"
    demands = group_violations(violations(outcomes))
    for demand in demands[:EXPECTATIONS_SHOWN]:
        yield from _demand(demand)
    if len(demands) > EXPECTATIONS_SHOWN:
        yield f"  - and {len(demands) - EXPECTATIONS_SHOWN} more (all of them: `--format json`)"


def _demand(demand: list[Violation]) -> Iterator[str]:
    """One expectation with the observations of the first tools."""
    violation = demand[0]
    if len(demand) == 1:
        yield from _expected_saw(
            _title(printable(violation.tool), *violation.revisions),
            violation.expected,
            violation.saw,
        )
        return
    yield f"  - expected{_title('', *violation.revisions)}: {mark_invisible(printable(violation.expected, MAX_CHARACTERS))}"
    # The last of very many stands for those that were only counted.
    of_tools = [violation for violation in demand if violation.tool]
    remarks = [violation.saw for violation in demand if not violation.tool]
    saws = {violation.saw for violation in of_tools}
    unnamed = of_tools
    if len(saws) == 1:
        yield f"    saw: {mark_invisible(printable(violation.saw, MAX_CHARACTERS))}"
    elif any(violation.saw != violation.tool for violation in of_tools):
        unnamed = of_tools[TOOLS_SHOWN:]
        for violation in of_tools[:TOOLS_SHOWN]:
            yield f"    {mark_invisible(printable(violation.tool))}: {mark_invisible(printable(violation.saw))}"
    if unnamed:
        names = ", ".join(mark_invisible(printable(violation.tool)) for violation in unnamed)
        yield f"    {'of' if unnamed is of_tools else 'and of'} {names}"
    yield from (f"    and {mark_invisible(printable(saw, MAX_CHARACTERS))}" for saw in remarks)


def _weight(check: Check, outcomes: list[CheckOutcome]) -> str:
    """The level of a check, and the profiles other than the check's own."""
    words = dict.fromkeys(word for outcome in outcomes for word in outcome.profiles)
    foreign = [word for word in words if word != check.profile]
    return ", ".join([check.level, *foreign])


def _expected_saw(where: str, expected: str, saw: str) -> Iterator[str]:
    yield f"  - expected{where}: {mark_invisible(printable(expected, MAX_CHARACTERS))}"
    first, *more = saw[:MAX_CHARACTERS].splitlines() or [""]
    yield f"    saw: {mark_invisible(first)}"
    # Without the bar a CI system could take a line of a stranger's output for a command of its own.
    yield from (f"      | {mark_invisible(line)}" for line in more)


def _title(name: str, *revisions: str) -> str:
    parts = [name] if name else []
    known_revisions = [revision for revision in revisions if revision]
    if known_revisions:
        parts.append(f"[{', '.join(known_revisions)}]")
    return "".join(f" {part}" for part in parts)
