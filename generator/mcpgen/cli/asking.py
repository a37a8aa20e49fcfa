"""The tools of a target of the command line, or the words and the code that tell why there are none."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import typer

from mcpgen.cli.build import stdin_of
from mcpgen.cli.console import coloured, echo_json, progress, say
from mcpgen.cli.login import Login, login
from mcpgen.cli.summary import finding
from mcpgen.diagnostics import Diagnostic, Severity
from mcpgen.diagnostics.show import show
from mcpgen.pipeline import Kind, Options, Seen, Unreadable, seen

if TYPE_CHECKING:
    from mcpgen.survey import Surface


def asked(
    target: str,
    options: Options,
    headers: tuple[str, ...] = (),
    bearer_env: str = "",
    *,
    command: str = "",
) -> Surface:
    """The tools of a target. `command` is the one whose JSON a program reads, or `""` for people.

    Raises BadParameter for what cannot be read or asked, and ends the command with 1 where the
    description or the configuration has errors.
    """
    found = looked(target, options, headers, bearer_env)
    if found.surface is not None:
        return found.surface
    errors = [one for one in found.diagnostics if one.severity is Severity.ERROR]
    tell(found, errors, command)
    raise typer.Exit(1)


def looked(
    target: str, options: Options, headers: tuple[str, ...] = (), bearer_env: str = ""
) -> Seen:
    """What was found of a target. Raises BadParameter for what cannot be read or asked."""
    problems: list[str] = []
    credentials = login(Login(headers, bearer_env, ("", "", ""), (), target), problems)
    if problems:
        raise typer.BadParameter("\n".join(problems))
    found = read(
        lambda stdin, tell: seen(
            target, options, credentials.headers, credentials.secrets, stdin=stdin, tell=tell
        ),
        target,
    )
    if options.config and found.kind is not Kind.SPEC:
        raise typer.BadParameter(f"--config is for {Kind.SPEC}, not for {found.kind}.")
    if (headers or bearer_env) and found.kind is not Kind.SERVER:
        raise typer.BadParameter(
            f"--header and --bearer-env are for {Kind.SERVER}, not for {found.kind}."
        )
    return found


def read(look: Callable[[bytes | None, Callable[[str], None]], Seen], target: str) -> Seen:
    """What is found by a look at a target, which gets standard input (if that is meant) and whom to
    tell of its phases. Raises BadParameter for what cannot be read or asked."""
    try:
        with progress() as tell_phase:
            return look(stdin_of(target), tell_phase)
    except Unreadable as error:
        reason = str(error)
        raise typer.BadParameter(reason if reason.endswith("?") else f"{reason}.") from error


def tell(found: Seen, findings: list[Diagnostic], command: str) -> None:
    """Tells findings that stop a command: on standard error, and as JSON for programs."""
    places = found.places
    if command:
        diagnostics = [finding(one, places) for one in findings]
        tree = {"version": 1, "command": command, "exit_code": 1, "diagnostics": diagnostics}
        echo_json(tree)
    else:
        say(show(findings, places.position, places.line, colour=coloured(sys.stderr)))
