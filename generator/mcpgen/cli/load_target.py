"""The tools of a target of the command line, or the words and the code that tell why there are none."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import typer

from mcpgen.cli.auth_options import AuthOptions, login
from mcpgen.cli.build import stdin_of
from mcpgen.cli.build_output import finding_as_json
from mcpgen.cli.console import coloured, echo_json, progress, say
from mcpgen.diagnostics import Diagnostic, Severity
from mcpgen.diagnostics.render import show
from mcpgen.pipeline import BuildOptions, LoadedTools, TargetKind, TargetUnreadable, load_tools

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
    """The tools of a target. `command` is the one whose JSON a program reads, or `""` for people.

    Raises BadParameter for what cannot be read or asked, and ends the command with 1 where the
    description or the configuration has errors.
    """
    found = load_target(target, options, headers, bearer_env)
    if found.surface is not None:
        return found.surface
    errors = [one for one in found.diagnostics if one.severity is Severity.ERROR]
    tell(found, errors, command)
    raise typer.Exit(1)


def load_target(
    target: str, options: BuildOptions, headers: tuple[str, ...] = (), bearer_env: str = ""
) -> LoadedTools:
    """What was found of a target. Raises BadParameter for what cannot be read or asked."""
    problems: list[str] = []
    credentials = login(
        AuthOptions(
            headers=headers, bearer_env=bearer_env, oauth=("", "", ""), scopes=(), resource=target
        ),
        problems,
    )
    if problems:
        raise typer.BadParameter("\n".join(problems))
    found = load_silently(
        lambda stdin, tell: load_tools(
            target, options, credentials.headers, credentials.secrets, stdin=stdin, tell=tell
        ),
        target,
    )
    if options.config and found.kind is not TargetKind.SPEC:
        raise typer.BadParameter(f"--config is for {TargetKind.SPEC}, not for {found.kind}.")
    if (headers or bearer_env) and found.kind is not TargetKind.SERVER:
        raise typer.BadParameter(
            f"--header and --bearer-env are for {TargetKind.SERVER}, not for {found.kind}."
        )
    return found


def load_silently(
    look: Callable[[bytes | None, Callable[[str], None]], LoadedTools], target: str
) -> LoadedTools:
    """What is found by a look at a target, which gets standard input (if that is meant) and whom to
    tell of its phases. Raises BadParameter for what cannot be read or asked."""
    try:
        with progress() as tell_phase:
            return look(stdin_of(target), tell_phase)
    except TargetUnreadable as error:
        reason = str(error)
        raise typer.BadParameter(reason if reason.endswith("?") else f"{reason}.") from error


def tell(found: LoadedTools, findings: list[Diagnostic], command: str) -> None:
    """Tells findings that stop a command: on standard error, and as JSON for programs."""
    places = found.places
    if command:
        diagnostics = [finding_as_json(one, places) for one in findings]
        tree = {"version": 1, "command": command, "exit_code": 1, "diagnostics": diagnostics}
        echo_json(tree)
    else:
        say(show(findings, places.position, places.line, colour=coloured(sys.stderr)))
