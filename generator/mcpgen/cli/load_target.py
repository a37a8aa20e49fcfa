"""Loads the tools of the target of a command; errors end the command."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn

import typer

from mcpgen.cli.auth_options import resolve_header_options
from mcpgen.cli.build import stdin_of
from mcpgen.cli.build_output import finding_as_json
from mcpgen.cli.console import echo_json, progress, say, shows_color
from mcpgen.diagnostics import Severity
from mcpgen.diagnostics.render import show
from mcpgen.pipeline import BuildOptions
from mcpgen.pipeline.load_tools import LoadedTools, TargetKind, TargetUnreadable, load_tools
from mcpgen.pipeline.result import ProgressCallback

if TYPE_CHECKING:
    from mcpgen.analysis import ToolListing


def load_listing(
    target: str,
    options: BuildOptions,
    headers: tuple[str, ...] = (),
    bearer_env: str = "",
    *,
    command: str = "",
) -> ToolListing:
    """Returns the tools of a target.

    Raises BadParameter as `load_target`. Errors in the description or the configuration end the
    command with exit code 1: as JSON with the name `command`, or as text if `command` is `""`.
    """
    loaded_tools = load_target(target, options, headers, bearer_env)
    if loaded_tools.listing is None:
        exit_with_errors(loaded_tools, command)
    return loaded_tools.listing


def load_target(
    target: str, options: BuildOptions, headers: tuple[str, ...] = (), bearer_env: str = ""
) -> LoadedTools:
    """Loads a target. Raises BadParameter for an unreadable or unreachable target, and for options
    that do not fit the kind of target."""
    credentials = resolve_header_options(headers, bearer_env)
    loaded_tools = load_with_progress(
        lambda stdin, tell: load_tools(
            target, options, credentials.headers, credentials.secrets, stdin=stdin, tell=tell
        ),
        target,
    )
    if options.config and loaded_tools.kind is not TargetKind.SPEC:
        raise typer.BadParameter(f"--config is for {TargetKind.SPEC}, not for {loaded_tools.kind}.")
    if (headers or bearer_env) and loaded_tools.kind is not TargetKind.SERVER:
        raise typer.BadParameter(
            f"--header and --bearer-env are for {TargetKind.SERVER}, not for {loaded_tools.kind}."
        )
    return loaded_tools


def load_with_progress(
    load: Callable[[bytes | None, ProgressCallback], LoadedTools], target: str
) -> LoadedTools:
    """Calls `load` with the content of standard input, None unless the target is `-`, and with the
    function that shows the current phase. Raises BadParameter for an unreadable or unreachable
    target."""
    try:
        with progress() as tell_phase:
            return load(stdin_of(target), tell_phase)
    except TargetUnreadable as error:
        reason = str(error)
        # Some reasons end with `did you mean …?`.
        raise typer.BadParameter(reason if reason.endswith("?") else f"{reason}.") from error


def exit_with_errors(loaded_tools: LoadedTools, command: str = "") -> NoReturn:
    """Prints the errors and ends the command with exit code 1. The errors are printed as JSON on
    standard output with the name `command`, or as text on standard error if `command` is `""`."""
    errors = [finding for finding in loaded_tools.diagnostics if finding.severity is Severity.ERROR]
    places = loaded_tools.places
    if command:
        diagnostics = [finding_as_json(error, places) for error in errors]
        tree = {"version": 1, "command": command, "exit_code": 1, "diagnostics": diagnostics}
        echo_json(tree)
    else:
        say(show(errors, places.position, places.line, color=shows_color(sys.stderr)))
    raise typer.Exit(1)
