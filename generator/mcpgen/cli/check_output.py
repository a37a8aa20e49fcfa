"""Formats the result of a check and prints or writes the report."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from mcpgen import conformance
from mcpgen.cli import build_output
from mcpgen.cli.console import paint, say
from mcpgen.cli.options import ReportFormat, count
from mcpgen.conformance import baseline
from mcpgen.conformance.checks.run_checks import STARTS
from mcpgen.conformance.comparison import EarlierReport
from mcpgen.conformance.model import CheckOutcome, CheckStatus, Report
from mcpgen.conformance.report.as_text import Paint, strip_colors
from mcpgen.conformance.report.html.markup import Child
from mcpgen.diagnostics import Severity
from mcpgen.pipeline import BuildResult

REPORT_WRITERS: dict[ReportFormat, Callable[[Report, str], str]] = {
    ReportFormat.JUNIT: lambda report, place: conformance.as_junit(report),
    ReportFormat.SARIF: lambda report, place: json.dumps(
        conformance.as_sarif(report, place), indent=2
    )
    + "\n",
    ReportFormat.MARKDOWN: lambda report, place: conformance.as_markdown(report),
}
"""Functions that format a report, by format. TEXT, JSON and HTML need more than the report."""

COLORS = {CheckStatus.FAILED: "red", CheckStatus.WARNING: "yellow", CheckStatus.PASSED: "green"}


def format_report(
    outcome: BuildResult,
    kind: ReportFormat,
    place: str,
    code: int,
    *,
    paint: Paint = strip_colors,
    verbose: bool = False,
) -> str:
    """Formats the result; the text ends with a line break. `place`: the checked file, if any.
    `code`: the exit code. `verbose` adds a line per passed check to text output."""
    # A project has tools, and its text is the summary of `build`; a server alone has a report only.
    if kind is ReportFormat.TEXT and outcome.report is not None and not outcome.tools:
        text = conformance.as_text(outcome.report, verbose=verbose, paint=paint)
    else:
        text = _format_outcome(outcome, kind, place, code)
    # A server may send lone surrogates, which UTF-8 cannot encode; they become `?`.
    return text.encode("utf-8", "replace").decode("utf-8")


def _format_outcome(outcome: BuildResult, kind: ReportFormat, place: str, code: int) -> str:
    if kind is ReportFormat.JSON:
        return json.dumps(build_output.outcome_as_json(outcome, "check", code), indent=2) + "\n"
    if kind is ReportFormat.HTML:
        return conformance.as_html(report_of(outcome), _scenario_part(outcome))
    if kind in REPORT_WRITERS:
        return REPORT_WRITERS[kind](report_of(outcome), place)
    return build_output.of_check(outcome) + "\n"


def _scenario_part(outcome: BuildResult) -> Mapping[str, Child]:
    """Returns the table of scenarios for the HTML page by name, `{}` without scenarios."""
    if outcome.scenarios is None:
        return {}
    from mcpgen.openspec.report.render import scenarios_table

    return {"scenarios": scenarios_table(outcome.scenarios)}


def colorize(text: str, status: CheckStatus) -> str:
    """Colors a text by status with ANSI codes, if standard output takes colors."""
    return paint(text, COLORS[status]) if status in COLORS else text


def write_report(
    outcome: BuildResult, kind: ReportFormat, path: str, place: str, code: int
) -> None:
    """Writes the report to a file; makes the folder. Raises OSError."""
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(format_report(outcome, kind, place, code).encode())


def write_badge(outcome: BuildResult, path: str) -> None:
    """Writes the badge; makes the folder. Raises OSError."""
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(conformance.as_badge(report_of(outcome)).encode())


def compare_with(outcome: BuildResult, earlier: EarlierReport) -> tuple[BuildResult, int]:
    """Returns the result with the changes since an earlier report, and the exit code: 1 if a check
    became worse, or nothing could be checked."""
    report = report_of(outcome)
    comparison = conformance.compare_reports(report, earlier)
    compared = replace(outcome, report=replace(report, comparison=comparison))
    return compared, 1 if comparison.worse or not report.outcomes else 0


def write_baseline(outcome: BuildResult, path: str) -> int:
    """Writes the violations as a baseline. Returns the exit code: 0, or 1 (nothing written) if the
    server could not be checked."""
    report = outcome.report
    if report is None or _is_unreachable(report):
        say(f"{path}: not written, because nothing could be checked")
        return 1
    entries = baseline.of(report)
    Path(path).write_bytes(baseline.format_baseline(entries).encode())
    say(f"{path}: {count(len(entries), 'known finding')} written")
    return 0


def _is_unreachable(report: Report) -> bool:
    return any(
        outcome.status is CheckStatus.FAILED and outcome.check.id in ("speaks-mcp", STARTS.id)
        for outcome in report.outcomes
    )


def report_of(outcome: BuildResult) -> Report:
    """Returns the report of a result; for a project without a report, a report with the errors."""
    if outcome.report is not None:
        return outcome.report
    errors = count(outcome.count(Severity.ERROR), "error")
    saw = f"{errors} in its description or configuration; nothing was started"
    start = CheckOutcome(STARTS, CheckStatus.FAILED, "a project that can be built", saw)
    return Report(outcome.folder, (start,))
