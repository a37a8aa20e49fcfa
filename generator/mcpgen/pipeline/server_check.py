"""Checks a server, without the stages of a build."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mcpgen.pipeline.result import BuildResult, BuildStatus, PhaseTimer, ProgressCallback

if TYPE_CHECKING:
    from mcpgen.conformance.options import CheckOptions
    from mcpgen.conformance.run_config import RunConfig


STDIO = "stdio:"
"""The beginning of a target that is a command, whose server is reached over stdio."""


def is_stdio_target(target: str) -> bool:
    """True for a command after `stdio:`, such as `stdio:python -m tides_mcp --stdio`."""
    return target.startswith(STDIO)


def is_server_target(target: str) -> bool:
    """True for the URL of a server, and for a command after `stdio:`; False for a folder.

    Example: `is_server_target("stdio:python server.py")` gives `True`.
    """
    return target.lower().startswith(("http://", "https://")) or is_stdio_target(target)


def check_server(run: RunConfig, *, tell: ProgressCallback | None = None) -> BuildResult:
    """Checks a server at a URL, a server started by a command, or a saved list of tools.

    Raises the errors of `run_checks`, and SuiteUnavailable before the start of any process.
    """
    from mcpgen.conformance.run_config import run_checks

    clock = PhaseTimer(tell)
    load_suite(run.options, clock)
    with clock.phase("check"):
        report = run_checks(run)
    status = BuildStatus.UNFIT if report.failed else BuildStatus.FIT
    return BuildResult(status, report.target, report=report, seconds=clock.seconds)


def load_suite(checks: CheckOptions | None, clock: PhaseTimer) -> None:
    """Downloads the official suite if selected. Raises SuiteUnavailable."""
    if checks is None or checks.official is None:
        return
    with clock.phase("official"):
        from mcpgen.conformance.official import install_suite

        install_suite(checks.official)


def has_project(folder: str) -> bool:
    """True if a folder has a lock of mcpgen."""
    from mcpgen.write import NAME

    return (Path(folder) / NAME).is_file()
