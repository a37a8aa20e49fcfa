"""Loads the tools of a target of the command line; ends the command on errors."""

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
    """Returns the tools of a target. `command`: the command with JSON output, or `""` for text.

    Raises BadParameter for an unreadable or unreachable target; exits with 1 for errors in the
    description or the configuration.
    """
    loaded_tools = load_target(target, options, headers, bearer_env)
    if loaded_tools.listing is None:
        exit_with_errors(loaded_tools, command)
    return loaded_tools.listing


def load_target(
    target: str, options: BuildOptions, headers: tuple[str, ...] = (), bearer_env: str = ""
) -> LoadedTools:
    """Loads a target. Raises BadParameter for an unreadable or unreachable target."""
    credentials = resolve_header_options(target, headers, bearer_env)
    loaded_tools = load_silently(
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


def load_silently(
    look: Callable[[bytes | None, Callable[[str], None]], LoadedTools], target: str
) -> LoadedTools:
    """Calls `look` with standard input (for the target `-`) and the progress callback. Raises
    BadParameter for an unreadable or unreachable target."""
    try:
        with progress() as tell_phase:
            return look(stdin_of(target), tell_phase)
    except TargetUnreadable as error:
        reason = str(error)
        raise typer.BadParameter(reason if reason.endswith("?") else f"{reason}.") from error


def exit_with_errors(loaded_tools: LoadedTools, command: str = "") -> NoReturn:
    """Ends a command with exit code 1 and prints the errors: on standard error, or as JSON for
    programs if `command` is named."""
    errors = [finding for finding in loaded_tools.diagnostics if finding.severity is Severity.ERROR]
    places = loaded_tools.places
    if command:
        diagnostics = [finding_as_json(error, places) for error in errors]
        tree = {"version": 1, "command": command, "exit_code": 1, "diagnostics": diagnostics}
        echo_json(tree)
    else:
        say(show(errors, places.position, places.line, color=shows_color(sys.stderr)))
    raise typer.Exit(1)
