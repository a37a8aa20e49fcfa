"""`mcpgen build --all` and `mcpgen check --all`: every project below a folder, and one table."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

import typer

from mcpgen.cli.console import echo, echo_json, paint, progress, say
from mcpgen.cli.options import command_line, count, given_parameters
from mcpgen.diagnostics import Severity
from mcpgen.diagnostics.codes.config import CHANGED_SOURCE
from mcpgen.diagnostics.codes.write import OLDER_GENERATOR, OLDER_RUNTIME
from mcpgen.diagnostics.render import escape_invisible
from mcpgen.pipeline.all_projects import ProjectRun, find_projects, has_source, run_project_commands
from mcpgen.pipeline.result import BuildStatus

ONE_PROJECT = {
    "build": ("output", "overlay", "root", "config", "capability", "change", "openapi"),
    "check": (
        "run",
        "stdio",
        "header",
        "bearer_env",
        "oauth_token_url",
        "oauth_client_id",
        "oauth_secret_env",
        "oauth_scope",
        "oauth_resource",
        "refused_token",
        "call",
        "baseline",
        "write_baseline",
        "compare",
        "badge",
        "sarif_artifact",
        "report",
    ),
}
"""Parameters of each command that are about one project or one server."""

HANDLED_HERE = frozenset({"spec", "target", "all_projects", "jobs", "format", "verbose", "refresh"})
"""Parameters that are not passed on as they are: the folder (`spec`, `target`), `--all`, `--jobs`, and
the options about the output. `--refresh` is passed on to projects with a `source` only."""

MAX_LISTED = 5
"""Findings shown per project; the JSON output has all findings."""

RESULTS = {
    BuildStatus.BUILT: "built",
    BuildStatus.UNCHANGED: "unchanged",
    BuildStatus.CURRENT: "up to date",
    BuildStatus.DRIFTED: "differs",
    BuildStatus.FIT: "passed",
    BuildStatus.UNFIT: "did not pass",
    BuildStatus.FAILED: "errors, nothing written",
}
"""The words for how a run ended."""

HEAD = ("project", "result", "tools", "findings", "seconds")


def run_projects(
    context: typer.Context, name: str, folder: str, jobs: int, *, as_json: bool, verbose: bool
) -> int:
    """Runs the command `name` on every project below a folder and prints the results; the exit code
    is the highest of all runs. Passes the options of the command line on.

    Raises BadParameter for options of a single project, and for a folder without projects.
    """
    given_keys = given_parameters(context)
    if refused_keys := [key for key in ONE_PROJECT[name] if key in given_keys]:
        options = ", ".join(f"--{key.replace('_', '-')}" for key in refused_keys)
        raise typer.BadParameter(f"{options} cannot go with --all, which takes several projects.")
    folder = folder or "."
    if not os.path.isdir(folder):
        raise typer.BadParameter(f"--all takes a folder, and {folder} is none.")
    folders = find_projects(folder)
    if not folders:
        raise typer.BadParameter(
            f"no project below {folder}: a project's folder holds mcpgen.toml and mcpgen.lock."
        )
    passed = list(_passed_options(context, given_keys - HANDLED_HERE))
    commands = []
    for project in folders:
        target = ("-o", project) if name == "build" else (project,)
        refresh = ("--refresh",) if "refresh" in given_keys and has_source(project) else ()
        commands.append((project, (name, *target, *passed, *refresh, "--format", "json")))
    with progress() as tell:
        runs = run_project_commands(commands, jobs or os.cpu_count() or 1, tell)
    code = max(run.exit_code for run in runs)
    if as_json:
        echo_json(_runs_as_json(name, code, runs))
    else:
        for run in runs:
            if lines := list(_project_findings(run, verbose)):
                say("\n".join(lines) + "\n")
        echo("\n".join(_project_table(runs)))
        echo(_runs_summary(name, folder, runs))
    return code


def _passed_options(context: typer.Context, keys: frozenset[str]) -> Iterator[str]:
    """Yields the options to pass on, in the order of the help."""
    for parameter in context.command.params:
        if parameter.name not in keys:
            continue
        value = context.params[parameter.name]
        option = max(parameter.opts, key=len)
        if value is True:
            yield option
            continue
        for item in value if isinstance(value, (list, tuple)) else (value,):
            yield from (option, str(item.value if isinstance(item, Enum) else item))


def _runs_as_json(name: str, code: int, runs: Sequence[ProjectRun]) -> dict[str, Any]:
    """Returns the results as JSON; docs/json.md describes the members."""
    projects = [
        {
            "folder": run.folder,
            "exit_code": run.exit_code,
            "seconds": round(run.seconds, 3),
            "result": run.result,
            "error": run.error,
        }
        for run in runs
    ]
    return {"version": 1, "command": name, "all": True, "exit_code": code, "projects": projects}


def _project_findings(run: ProjectRun, verbose: bool) -> Iterator[str]:
    """Yields the lines with the findings of a project, errors first: with `verbose` all findings of
    every project, otherwise the first `MAX_LISTED` errors and warnings of a failed project."""
    diagnostics = run.result.get("diagnostics", []) if run.result else []
    weights = [severity.value for severity in Severity]
    findings = sorted(diagnostics, key=lambda finding: weights.index(finding["severity"]))
    if not verbose:
        if not run.exit_code:
            return
        findings = [finding for finding in findings if finding["severity"] != Severity.NOTE][
            :MAX_LISTED
        ]
    error = run.error or (run.result or {}).get("error", "")
    if error:
        yield f"{escape_invisible(run.folder)}: {escape_invisible(error)}"
    for finding in findings:
        line = f":{finding['line']}:{finding['column']}" if finding["line"] else ""
        place = f"{finding['file']}{line}"
        yield escape_invisible(
            f"{place}: {finding['severity']} {finding['code']} {finding['name']}"
        )
        yield f"  {escape_invisible(finding['message'])}"
        if finding["hint"]:
            yield f"  hint: {escape_invisible(finding['hint'])}"
    hidden = sum(finding["severity"] != Severity.NOTE for finding in diagnostics) - len(findings)
    if hidden > 0:
        yield f"{escape_invisible(run.folder)}: and {count(hidden, 'more finding')} (-v shows them all)"


def _project_table(runs: Sequence[ProjectRun]) -> Iterator[str]:
    """Yields the head and a row per project, in columns; the result is red for a failed project, green
    for any other."""
    rows = [_project_row(run) for run in runs]
    widths = [max(map(len, column)) for column in zip(HEAD, *rows, strict=True)]
    for row, code in zip((HEAD, *rows), (None, *(run.exit_code for run in runs)), strict=True):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        if code is not None:
            cells[1] = paint(cells[1], "red" if code else "green")
        yield "  ".join(cells).rstrip()


def _project_row(run: ProjectRun) -> tuple[str, ...]:
    result: Mapping[str, Any] = run.result or {}
    tools = str(len(result["tools"])) if result.get("tools") else ""
    counts = Counter(finding["severity"] for finding in result.get("diagnostics", ()))
    findings = ", ".join(
        count(counts[severity], severity.value) for severity in Severity if counts[severity]
    )
    return escape_invisible(run.folder), _describe_run(run), tools, findings, f"{run.seconds:.1f}"


def _describe_run(run: ProjectRun) -> str:
    """Describes the result of a project in a few words."""
    status = str(run.result.get("status")) if run.result else ""
    if status not in [*BuildStatus]:
        return f"not finished (exit code {run.exit_code})"
    return RESULTS[BuildStatus(status)]


def _runs_summary(name: str, folder: str, runs: Sequence[ProjectRun]) -> str:
    """Returns the last lines: the number of all projects, the number of failed projects, and the next
    command for the failed projects."""
    failed_runs = [run for run in runs if run.exit_code]
    total = count(len(runs), "project")
    if not failed_runs:
        return f"{total}: all good"
    refresh = ("--refresh",) if any(map(_has_changed_source, failed_runs)) else ()
    refusals = [_refusal(run) for run in failed_runs]
    if all(run.result and run.result.get("status") == BuildStatus.DRIFTED for run in failed_runs):
        next_command = command_line("mcpgen", "build", "--all", *refresh, folder)
    elif all(refusals):
        # No build by this mcpgen can help.
        next_command = command_line("mcpgen", "explain", refusals[0])
    elif name == "build":
        # Without --all the output has every finding of the project.
        next_command = command_line("mcpgen", "build", "-o", failed_runs[refusals.index("")].folder)
    else:
        next_command = command_line("mcpgen", "check", failed_runs[0].folder)
    return f"{total}: {len(failed_runs)} not good\n  next: {next_command}"


def _refusal(run: ProjectRun) -> str:
    """Returns the code of the finding with which every build of this mcpgen refuses the project, `""`
    for a project that can be built."""
    diagnostics = run.result.get("diagnostics", []) if run.result else []
    codes = (str(finding["code"]) for finding in diagnostics)
    return next((code for code in codes if code in (OLDER_GENERATOR.id, OLDER_RUNTIME.id)), "")


def _has_changed_source(run: ProjectRun) -> bool:
    diagnostics = run.result.get("diagnostics", []) if run.result else []
    return any(finding["code"] == CHANGED_SOURCE.id for finding in diagnostics)
