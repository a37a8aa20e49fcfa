"""Prints the result of a build or a check as text or JSON."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from mcpgen.cli.console import paint, shows_color
from mcpgen.cli.options import command_line, count
from mcpgen.diagnostics import Code, Diagnostic, Severity
from mcpgen.diagnostics.codes import config as config_codes
from mcpgen.diagnostics.codes import lower as lower_codes
from mcpgen.diagnostics.codes import read as read_codes
from mcpgen.diagnostics.render import diagnostic_as_json, escape_invisible, show
from mcpgen.pipeline import BuildResult, BuildStatus, SourceMap, is_server_target

if TYPE_CHECKING:
    from mcpgen.conformance import Report

VERSION = 1
"""Version of the JSON documents; incremented if a member changes meaning or is removed."""

DONE = {"create": "created", "replace": "changed", "delete": "deleted"}

HEADLINES = {
    BuildStatus.BUILT: ("built", "green"),
    BuildStatus.UNCHANGED: ("unchanged", "green"),
    BuildStatus.CURRENT: ("up to date", "green"),
    BuildStatus.DRIFTED: ("differs from what a build would make", "red"),
    BuildStatus.FIT: ("the server passed", "green"),
    BuildStatus.UNFIT: ("the server did not pass its checks", "red"),
    BuildStatus.FAILED: ("nothing was written", "red"),
}

FINDINGS_HEADLINE = "some findings count as errors"
"""In place of the headline of `UNFIT` if the server passed its checks or was not checked."""


SHOWN = {Severity.ERROR: 100, Severity.WARNING: 3, Severity.NOTE: 0}
"""Findings of one code shown in full, by severity; further findings are counted."""

NEVER_FOLDED = frozenset(
    {
        lower_codes.NO_UPSTREAM,
        lower_codes.ISSUER_ALONE,
        read_codes.REDIRECTED_DOCUMENT,
        config_codes.UNWRITTEN_CREDENTIALS,
    }
)
"""Codes shown in full for every severity: the user's next step fails without the fix, or another
host decided the content of the build."""


def findings_as_text(outcome: BuildResult, *, verbose: bool = False) -> str:
    """Returns the findings with place, excerpt and hint, and the number of hidden findings; `""`
    for none. `verbose` shows every finding."""
    max_shown = None if verbose else SHOWN
    return format_findings(
        outcome.diagnostics, outcome.places, max_shown, color=shows_color(sys.stderr)
    )


def format_findings(
    findings: Iterable[Diagnostic],
    places: SourceMap,
    max_shown: Mapping[Severity, int] | None,
    *,
    color: bool = False,
) -> str:
    """Formats findings with place, excerpt and hint. `max_shown`: findings shown per code, by severity;
    None shows all findings. Hidden findings are counted. `""` for no findings."""
    shown: list[Diagnostic] = []
    more: Counter[Code] = Counter()
    counts: Counter[tuple[Code, Severity]] = Counter()
    for finding in findings:
        kind = (finding.code, finding.severity)
        counts[kind] += 1
        if (
            max_shown is None
            or finding.code in NEVER_FOLDED
            or counts[kind] <= max_shown[finding.severity]
        ):
            shown.append(finding)
        else:
            more[finding.code] += 1
    text = show(shown, places.position, places.line, color=color)
    kinds = ", ".join(f"{number} {code.id} {code.name}" for code, number in more.most_common())
    also = "and " if shown else ""
    total = count(sum(more.values()), "more finding" if shown else "finding")
    rest = f"{also}{total} (-v shows them all): {kinds}" if more else ""
    return "\n\n".join(part for part in (text, rest) if part)


def of_build(outcome: BuildResult, spec: str) -> str:
    """Returns the summary of a build: changed files, findings and the next command, one per
    line."""
    return "\n".join([outcome.diff.rstrip("\n"), *_summary_lines(outcome, spec)]).lstrip("\n")


def of_check(outcome: BuildResult) -> str:
    """Returns the summary of a project's check, one fact per line."""
    unmade = "nothing was checked" if outcome.status is BuildStatus.FAILED else ""
    lines = [*_summary_lines(outcome, "", unmade)]
    if outcome.report is not None and outcome.report.comparison is not None:
        from mcpgen.conformance.report.as_text import comparison_lines

        lines += comparison_lines(outcome.report.comparison)
    return "\n".join(lines)


def outcome_as_json(outcome: BuildResult, name: str, code: int) -> dict[str, Any]:
    """Returns the result of the command `name` for programs; docs/json.md describes every member."""
    from mcpgen.conformance import as_json as report_as_json

    return {
        "version": VERSION,
        "command": name,
        "exit_code": code,
        "status": outcome.status.value,
        "folder": outcome.folder,
        "package": outcome.package,
        "tools": [{"operation": key, "name": tool} for key, tool in outcome.tools.items()],
        "missing": [
            {"operation": missing.operation, "reason": missing.reason}
            for missing in outcome.missing
        ],
        "changes": [
            {"action": change.action.value, "path": change.path} for change in outcome.changes
        ],
        "diff": outcome.diff,
        "validation": outcome.validation,
        "required": [
            {"variable": variable.name, "meaning": variable.meaning}
            for variable in outcome.required
        ],
        "seconds": {phase: round(spent, 3) for phase, spent in outcome.seconds.items()},
        "diagnostics": [
            finding_as_json(finding, outcome.places) for finding in outcome.diagnostics
        ],
        "report": report_as_json(outcome.report) if outcome.report else None,
    }


def _summary_lines(outcome: BuildResult, spec: str, instead: str = "") -> Iterator[str]:
    """Returns the summary: headline (or `instead`), one line per fact, next command."""
    words, color = HEADLINES[outcome.status]
    if outcome.status is BuildStatus.UNFIT and (
        outcome.report is None or not outcome.report.failed
    ):
        words = FINDINGS_HEADLINE
    facts = [count(len(outcome.tools), "tool")] if outcome.tools else []
    facts.append(f"{sum(outcome.seconds.values()):.1f} s")
    name = f"{outcome.folder}: " if outcome.folder else ""
    yield paint(f"{name}{instead or words}", color) + f" ({', '.join(facts)})"
    if counts := _counts(outcome):
        yield f"  findings: {counts}"
    if outcome.validation:
        yield f"  specification: {outcome.validation}"
    if outcome.changes:
        yield f"  files: {_count_changes(outcome)}"
    if outcome.report:
        yield f"  server: {_count_checks(outcome.report)}"
        yield from (f"  note: {escape_invisible(note)}" for note in outcome.report.notes)
    for missing in outcome.missing:
        yield f"  missing: {escape_invisible(missing.operation)}: {escape_invisible(missing.reason)}"
    if following := _next_command(outcome, spec):
        yield f"  next: {following}"


def _counts(outcome: BuildResult) -> str:
    counts = [(severity, outcome.count(severity)) for severity in Severity]
    return ", ".join(count(number, severity.value) for severity, number in counts if number)


def _count_changes(outcome: BuildResult) -> str:
    """Counts created, changed and deleted files."""
    counts = Counter(change.action.value for change in outcome.changes)
    would = "to be " if outcome.status in (BuildStatus.DRIFTED, BuildStatus.FAILED) else ""
    return ", ".join(
        f"{counts[action]} {would}{done}" for action, done in DONE.items() if counts[action]
    )


def _count_checks(report: Report) -> str:
    """Counts the checks per status."""
    from mcpgen.conformance.report.grouping import totals

    counts = totals(report)
    parts = [f"{number} {status.value}" for status, number in counts.items() if number]
    return f"{count(sum(counts.values()), 'check')}: {', '.join(parts)}"


def _next_command(outcome: BuildResult, spec: str) -> str:
    """Returns the next command, or `""`."""
    if outcome.status is BuildStatus.BUILT and outcome.package:
        enter = "" if outcome.folder == "." else f"{command_line('cd', outcome.folder)} && "
        start = f"{enter}python -m {outcome.package}"
        return f"set {_format_variables(outcome)}, then: {start}" if outcome.required else start
    if outcome.status is BuildStatus.DRIFTED and not outcome.count(Severity.ERROR):
        place = "" if outcome.folder == "." else outcome.folder
        changed = any(
            finding.code is config_codes.CHANGED_SOURCE for finding in outcome.diagnostics
        )
        # A URL may hold credentials: not printed.
        target = () if is_server_target(spec) else (spec,)
        refresh = ("--refresh",) if changed else ()
        return command_line("mcpgen", "build", *target, *refresh, *(("-o", place) if place else ()))
    weights = list(Severity)
    heaviest = min(
        outcome.diagnostics, key=lambda finding: weights.index(finding.severity), default=None
    )
    if heaviest is None or heaviest.severity is Severity.NOTE or outcome.status.good:
        return ""
    return f"mcpgen explain {heaviest.code.id}"


def _format_variables(outcome: BuildResult) -> str:
    """Returns the environment variables necessary for a start, with descriptions."""
    return ", ".join(f"{variable.name} ({variable.meaning})" for variable in outcome.required)


def finding_as_json(finding: Diagnostic, places: SourceMap) -> dict[str, Any]:
    """Returns a finding for programs; the id is called `code`, as on the command line."""
    members = diagnostic_as_json(finding, places.position)
    return {"code": members.pop("id"), **members}
