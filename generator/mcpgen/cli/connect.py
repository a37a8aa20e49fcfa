"""`mcpgen connect`: writes the entry of a server into the configuration of a client."""

from __future__ import annotations

import difflib
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mcpgen.cli.console import echo, paint, say
from mcpgen.cli.options import did_you_mean

if TYPE_CHECKING:
    from mcpgen.clients import Client, ServerEntry
    from mcpgen.pipeline.connect import ConfigChange

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SECRETS = (
    re.compile(
        r"""(["']?[\w-]*(?:key|token|secret|passw|auth|cred|cookie)[\w-]*["']?\s*[:=]\s*["'])"""
        r"""(?!(?:Bearer )?\$)[^"']+""",
        re.IGNORECASE,
    ),
    re.compile(r"(Bearer )[^$\s\"']+"),
)
"""A member whose name sounds secret, with a quoted value that is no reference; and a token."""

_MAX_CHARACTERS = 200
"""Characters of a line of the diff; a file on a single line can be megabytes long."""


def connect(
    client: Annotated[
        str,
        typer.Argument(
            metavar="CLIENT",
            help="claude-code, claude-desktop, cursor, vscode, codex, gemini-cli, goose, windsurf, "
            "zed or lm-studio.",
            show_default=False,
        ),
    ],
    target: Annotated[
        str,
        typer.Argument(
            metavar="[TARGET]",
            help="A project's folder, the URL of a server, stdio:COMMAND, or an API description, "
            "which mcpgen serve then serves. Without it, the project in the current folder.",
            show_default=False,
        ),
    ] = "",
    name: Annotated[
        str,
        typer.Option(metavar="NAME", help="The name of the entry.", show_default=False),
    ] = "",
    http: Annotated[
        bool, typer.Option("--http", help="Connect a project by its URL, in place of stdio.")
    ] = False,
    project: Annotated[
        bool,
        typer.Option("--project", help="Write the client's file of the project in this folder."),
    ] = False,
    file: Annotated[
        str, typer.Option(metavar="FILE", help="Write this file instead.", show_default=False)
    ] = "",
    env: Annotated[
        list[str] | None,
        typer.Option(
            metavar="VAR", help="Hand this environment variable to the server; may be repeated."
        ),
    ] = None,
    bearer_env: Annotated[
        str,
        typer.Option(
            metavar="VAR", help="Send the token in this variable to a URL.", show_default=False
        ),
    ] = "",
    remove: Annotated[
        str, typer.Option(metavar="NAME", help="Remove this entry.", show_default=False)
    ] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Write without a question.")] = False,
    print_only: Annotated[
        bool, typer.Option("--print", help="Print the entry, and write nothing.")
    ] = False,
) -> None:
    """Add a server to a client on this machine, or remove it again.

    Shows the difference and asks. Every other byte of the file stays; values of variables are never written.

    Exit codes: 0 done, 1 declined, 2 nothing could be written, 3 a bug in mcpgen.
    """
    from mcpgen.clients import CLIENTS, find_client
    from mcpgen.pipeline.connect import plan_entry, plan_removal, resolve_inside, user_file
    from mcpgen.pipeline.connect.errors import ConfigUnusable

    configured_client = find_client(client)
    if configured_client is None:
        ids = [other.id for other in CLIENTS]
        raise typer.BadParameter(f"there is no client `{client}`.{did_you_mean(client, ids)}")
    if project and not configured_client.project_file:
        raise typer.BadParameter(
            f"{configured_client.title} has no file of a project; leave --project out."
        )
    if remove and (target or name):
        raise typer.BadParameter("--remove takes the name of the entry alone.")
    for variable in (*(env or ()), *([bearer_env] if bearer_env else ())):
        if not _VARIABLE.fullmatch(variable):
            raise typer.BadParameter(f"`{variable}` is not the name of a variable.")
    folder = Path.cwd() if project else Path.home()
    path = Path(file) if file else user_file(configured_client, folder)
    if project and not file:
        path = folder / configured_client.project_file
    try:
        server = None if remove else _server_entry(target, name, http, env or [], bearer_env)
        if server:
            _require_name(configured_client, server.name)
        if server and print_only:
            say(f"for {path}:")
            echo(configured_client.snippet(server).rstrip("\n"))
            return
        path = path.resolve() if file else resolve_inside(path, folder)
        change = (
            plan_entry(configured_client, path, server)
            if server
            else plan_removal(configured_client, path, remove)
        )
        if change.is_empty:
            say(f"{path} has the entry already")
            return
        _show_and_write(change, yes=yes, print_only=print_only)
    except ConfigUnusable as error:
        place = f"{path}, {error.where}" if error.where else f"{path}"
        say(f"error: {place}: {error.reason}")
        raise typer.Exit(2) from None
    if print_only:
        return
    say(
        f"{'removed from' if remove else 'written to'} {path}; restart {configured_client.title} if it runs"
    )
    if (
        server
        and configured_client.advice
        and (missing := (*server.variables, *_bearer_variable(server)))
    ):
        say(f"{', '.join(missing)}: {configured_client.advice}")


def _bearer_variable(server: ServerEntry) -> tuple[str, ...]:
    return (server.bearer,) if server.bearer else ()


def _server_entry(
    target: str, name: str, http: bool, variables: list[str], bearer: str
) -> ServerEntry:
    """The entry of a target. Raises BadParameter."""
    entry = _entry_of(target, name, http)
    if bearer and not entry.url:
        raise typer.BadParameter(
            "--bearer-env is for a server at a URL; name variables with --env."
        )
    if variables and entry.url:
        raise typer.BadParameter("--env is for a server that the client starts.")
    return replace(
        entry,
        name=name or entry.name,
        variables=tuple(dict.fromkeys((*entry.variables, *variables))),
        bearer=bearer,
    )


def _entry_of(target: str, name: str, http: bool) -> ServerEntry:
    from mcpgen.cli.load_target import exit_with_errors, load_target
    from mcpgen.clients import ServerEntry
    from mcpgen.conformance.targets.command import UnusableTarget, command_words
    from mcpgen.pipeline import BuildOptions
    from mcpgen.pipeline.connect.errors import TargetNotConnectable
    from mcpgen.pipeline.connect.server_entry import entry_of_project, entry_of_spec, entry_of_url
    from mcpgen.pipeline.load_tools import TargetKind
    from mcpgen.pipeline.server_check import STDIO, is_server_target, is_stdio_target

    if is_stdio_target(target):
        if not name:
            raise typer.BadParameter("a command has no name; add --name NAME.")
        try:
            return ServerEntry(name, command=command_words(target.removeprefix(STDIO)))
        except UnusableTarget as error:
            raise typer.BadParameter(f"{error}.") from error
    if is_server_target(target):
        return entry_of_url(target)
    loaded_tools = load_target(target or ".", BuildOptions(keep_going=True))
    if loaded_tools.kind is TargetKind.LISTING:
        raise typer.BadParameter(f"{target} is {loaded_tools.kind}, and no server.")
    if loaded_tools.server is None:
        exit_with_errors(loaded_tools)
    if loaded_tools.kind is TargetKind.PROJECT:
        try:
            return entry_of_project(Path(target or "."), loaded_tools.server, over_http=http)
        except TargetNotConnectable as error:
            raise typer.BadParameter(f"{error}.") from error
    if http:
        raise typer.BadParameter("--http is for a project; name the URL of the server instead.")
    return entry_of_spec(Path(target), loaded_tools.server)


def _require_name(client: Client, name: str) -> None:
    """Raises BadParameter for a name that the client cannot use."""
    if not _NAME.fullmatch(name):
        raise typer.BadParameter(
            f"`{name}` cannot be the name of an entry: up to 64 letters, digits, `-` and `_`."
        )
    if bad := set(name) & set(client.forbidden):
        raise typer.BadParameter(
            f"{client.title} takes no `{bad.pop()}` in names; add --name with another name."
        )


def _show_and_write(change: ConfigChange, *, yes: bool, print_only: bool) -> None:
    """Prints the difference, asks, and writes. Exits with 1 if the user declines."""
    for line in _diff(change):
        color = {"+": "green", "-": "red"}.get(line[:1], "")
        echo(paint(line, color) if color else line)
    if print_only:
        return
    if not yes:
        if not has_terminal():
            raise typer.BadParameter("nobody can be asked here; add --yes to write the file.")
        if not typer.confirm(f"Write {change.path}?", err=True):
            say("nothing was changed")
            raise typer.Exit(1)
    change.write()


def _diff(change: ConfigChange) -> list[str]:
    """The unified diff of a change. Values of members with secret names are hidden, also of other
    servers, and long lines are shortened around the change."""
    old, new = ((side or b"").decode() for side in (change.before, change.after))
    lines = difflib.unified_diff(
        old.splitlines(),
        new.splitlines(),
        str(change.path) if change.before is not None else "/dev/null",
        str(change.path),
        lineterm="",
    )
    return [_shorten_line(line) for line in lines]


def _shorten_line(line: str) -> str:
    for secret in _SECRETS:
        line = secret.sub(r"\1…", line)
    return (
        line
        if len(line) <= _MAX_CHARACTERS
        else f"{line[:_MAX_CHARACTERS]} … {len(line):,} characters"
    )


def has_terminal() -> bool:
    """True if a person can answer questions on standard input."""
    return sys.stdin.isatty()
