"""The result of a check in each format, printed or written to a file."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from mcpgen import conformance
from mcpgen.cli import build_output
from mcpgen.cli.build_output import findings_as_json
from mcpgen.cli.console import paint, say
from mcpgen.cli.options import ReportFormat, count
from mcpgen.conformance import baseline
from mcpgen.conformance.checks.run_checks import STARTS
from mcpgen.conformance.model import CheckOutcome as Found
from mcpgen.conformance.model import CheckStatus as State
from mcpgen.conformance.model import Report
from mcpgen.conformance.report.as_text import Paint, strip_colors
from mcpgen.conformance.report.html.markup import Child
from mcpgen.diagnostics import Severity
from mcpgen.pipeline import BuildResult

__all__ = ["colorize", "findings_as_json", "format_report", "report_of", "write", "write_baseline"]

FORMS: dict[ReportFormat, Callable[[Report, str], str]] = {
    ReportFormat.JUNIT: lambda report, place: conformance.as_junit(report),
    ReportFormat.SARIF: lambda report, place: json.dumps(
        conformance.as_sarif(report, place), indent=2
    )
    + "\n",
    ReportFormat.MARKDOWN: lambda report, place: conformance.as_markdown(report),
}
"""How a report alone becomes the text of a format."""


COLOURS = {State.FAILED: "red", State.WARNING: "yellow", State.PASSED: "green"}


def format_report(
    outcome: BuildResult,
    kind: ReportFormat,
    place: str,
    code: int,
    *,
    paint: Paint = strip_colors,
    verbose: bool = False,
) -> str:
    """The outcome in this format, ending with a line break; `place` is the file it is about, if any,
    and `code` what the command ends with. `verbose` adds a line for each check that a server passed
    to the text."""
    # A server may announce halves of surrogate pairs, which no encoding can carry.
    if kind is ReportFormat.TEXT and outcome.report is not None and not outcome.tools:
        text = conformance.as_text(outcome.report, verbose=verbose, paint=paint)
    else:
        text = _text(outcome, kind, place, code)
    return text.encode("utf-8", "replace").decode("utf-8")


def _text(outcome: BuildResult, kind: ReportFormat, place: str, code: int) -> str:
    if kind is ReportFormat.JSON:
        return json.dumps(build_output.outcome_as_json(outcome, "check", code), indent=2) + "\n"
    if kind is ReportFormat.HTML:
        return conformance.as_html(report_of(outcome), _others(outcome))
    if kind in FORMS:
        return FORMS[kind](report_of(outcome), place)
    return build_output.of_check(outcome) + "\n"


def _others(outcome: BuildResult) -> Mapping[str, Child]:
    """The parts of the page that are not about the checks."""
    if outcome.scenarios is None:
        return {}
    from mcpgen.openspec.report.render_html import scenarios_table

    return {"scenarios": scenarios_table(outcome.scenarios)}


def colorize(text: str, status: State) -> str:
    """The text in the colour of a status, if standard output takes colours."""
    return paint(text, COLOURS[status]) if status in COLOURS else text


def write(outcome: BuildResult, kind: ReportFormat, path: str, place: str, code: int) -> None:
    """Writes the outcome to a file, whose folder is made if need be. Raises OSError."""
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(format_report(outcome, kind, place, code).encode())


def write_baseline(outcome: BuildResult, path: str) -> int:
    """Writes the violations as known, and gives the code to end with: 0, for from now on they are;
    1 where nothing was checked, which is no finding to be lived with."""
    report = outcome.report
    unanswered = report is None or any(
        found.status is State.FAILED and found.check.id in ("speaks-mcp", STARTS.id)
        for found in report.outcomes
    )
    if report is None or unanswered:
        say(f"{path}: not written, because nothing could be checked")
        return 1
    known = baseline.of(report)
    Path(path).write_text(baseline.format_baseline(known), encoding="utf-8")
    say(f"{path}: {count(len(known), 'known finding')} written")
    return 0


def report_of(outcome: BuildResult) -> Report:
    """The report of an outcome; of a project that could not be tried, one that says so."""
    if outcome.report is not None:
        return outcome.report
    errors = count(outcome.count(Severity.ERROR), "error")
    saw = f"{errors} in its description or configuration; nothing was started"
    found = Found(STARTS, State.FAILED, "a project that can be built", saw)
    return Report(outcome.folder, (found,))
