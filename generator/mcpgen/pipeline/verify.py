"""The end of a build: the new server is started and checked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mcpgen.diagnostics import Diagnostics, Location, Severity
from mcpgen.diagnostics.codes import config as config_codes
from mcpgen.diagnostics.codes import extras
from mcpgen.diagnostics.codes import smoke_test as codes
from mcpgen.emit.runtime import runtime_environment
from mcpgen.ir.server import Server
from mcpgen.pipeline.project_checks import missing_extras
from mcpgen.pipeline.result import PhaseTimer

if TYPE_CHECKING:
    from mcpgen.conformance.model import Report
    from mcpgen.conformance.options import CheckOptions as Checks
    from mcpgen.conformance.run_config import PassCriteria

EVERYWHERE = "universal-tool-name"
"""The check of names, which knows the narrowest rule of all hosts."""

REPORTED = {config_codes.MANY_TOOLS: "universal-tool-count"}
"""Codes of a build, each with the id of the check that finds the same in the running server."""


def _as_declared(report: Report) -> Report:
    """The report with a warning, and no failure, for a name that no host we know of refuses: every
    tool is called by ours but one that its author has declared otherwise."""
    from mcpgen.conformance.model import CheckStatus
    from mcpgen.lower.names import legal

    outcomes = tuple(
        (
            replace(outcome, status=CheckStatus.WARNING)
            if outcome.check.id == EVERYWHERE
            and outcome.status is CheckStatus.FAILED
            and not legal(outcome.tool)
            else outcome
        )
        for outcome in report.outcomes
    )
    return replace(report, outcomes=outcomes)


def can_start(
    folder: Path, name: str, diagnostics: Diagnostics, severity: Severity | None = None
) -> bool:
    """Whether the packages that the project in a folder requires are installed, as far as extras of
    mcpgen install them. Adds PACKAGES_MISSING, with `severity` if it is given."""
    missing = missing_extras(folder)
    if missing:
        diagnostics.add(
            extras.PACKAGES_MISSING,
            Location(name),
            severity=severity,
            packages=", ".join(f"`{distribution}`" for distribution in missing),
            extras=",".join(sorted(set(missing.values()))),
        )
    return not missing


def verify_project(
    server: Server,
    folder: Path,
    name: str,
    clock: PhaseTimer,
    diagnostics: Diagnostics,
    checks: Checks | None = None,
    terms: PassCriteria | None = None,
) -> Report:
    """The report of a trial of the project in a folder that messages call `name`, with these options
    and judged on these terms.

    Adds DID_NOT_START, CHECK_FAILED and CHECK_WARNED, at the operation of the tool they are about.
    """
    with clock.phase("trial"):
        from mcpgen.conformance.run_config import apply_criteria
        from mcpgen.smoke_test.runner import trial

        report = _as_declared(trial(server, folder, checks, environment=runtime_environment()))
        report = apply_criteria(report, terms) if terms else report
    report_outcomes(report, server, name, diagnostics)
    return report


def report_outcomes(report: Report, server: Server, name: str, diagnostics: Diagnostics) -> None:
    """Adds DID_NOT_START, CHECK_FAILED and CHECK_WARNED for the outcomes of a trial, except for a
    check whose subject the build has already reported."""
    from mcpgen.conformance import CheckStatus
    from mcpgen.conformance.checks.run_checks import STARTS

    known = {REPORTED[found.code] for found in diagnostics if found.code in REPORTED}
    places = {tool.name: tool.at for tool in server.tools}
    kinds = {CheckStatus.FAILED: codes.CHECK_FAILED, CheckStatus.WARNING: codes.CHECK_WARNED}
    for outcome in report.outcomes:
        at = places.get(outcome.tool, Location(name))
        if outcome.check is STARTS and outcome.status is CheckStatus.FAILED:
            # A message is one line.
            reason = ": ".join(outcome.saw.splitlines())
            diagnostics.add(codes.DID_NOT_START, at, reason=reason, package=server.package)
        elif (code := kinds.get(outcome.status)) and outcome.check.id not in known:
            subject = f"the tool `{outcome.tool}`" if outcome.tool else "the built server"
            facts = {"check": outcome.check.id, "expected": outcome.expected, "saw": outcome.saw}
            diagnostics.add(code, at, severity=None, subject=subject, **facts)
