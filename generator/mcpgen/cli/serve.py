"""`mcpgen serve`: runs the server of a description without a project."""

from __future__ import annotations

import gc
import json
import logging
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mcpgen.cli.build import require_hosts, stdin_of
from mcpgen.cli.console import echo, progress, say, shows_color
from mcpgen.cli.options import ALLOW_REMOTE, CAPABILITY, CHANGE, OVERLAY, ROOT, VERBOSE, count

if TYPE_CHECKING:
    from mcpgen.pipeline.runnable_server import RunnableServer, ServerModules

MAX_ROWS = 40
"""Rows of the table of tools without `--verbose`."""

COLUMNS = 100
"""Columns of a row."""


def serve(
    spec: Annotated[
        str,
        typer.Argument(
            metavar="[SPEC]",
            help="The API description or requirements, as for mcpgen build, or a project's folder. "
            "Without it, the project in the current folder.",
            show_default=False,
        ),
    ] = "",
    upstream: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="The base URL of the API, in place of the description's.",
            show_default=False,
        ),
    ] = "",
    host: Annotated[
        str, typer.Option(metavar="HOST", help="Listen at this address.", show_default=False)
    ] = "",
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, help="Listen at this port; 0 for a free one.", show_default=False
        ),
    ] = None,
    stdio: Annotated[
        bool,
        typer.Option(
            "--stdio",
            help="Serve the program that starts this one, over standard input and output.",
        ),
    ] = False,
    mock: Annotated[
        bool,
        typer.Option(
            "--mock", help="Answer from the description's examples and schemas, without the API."
        ),
    ] = False,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch", help="Serve changes of the description and of mcpgen.toml at once."
        ),
    ] = False,
    allow_breaking: Annotated[
        bool,
        typer.Option(
            "--allow-breaking", help="With --watch, serve also changes that break callers."
        ),
    ] = False,
    keep_going: Annotated[
        bool,
        typer.Option(
            "--keep-going", help="Serve the other tools when an operation cannot be a tool."
        ),
    ] = False,
    root: Annotated[str, ROOT] = "",
    overlay: Annotated[list[str] | None, OVERLAY] = None,
    allow_remote: Annotated[list[str] | None, ALLOW_REMOTE] = None,
    capability: Annotated[str, CAPABILITY] = "",
    change: Annotated[str, CHANGE] = "",
    config: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="Read this file instead of mcpgen.toml.", show_default=False
        ),
    ] = "",
    verbose: Annotated[bool, VERBOSE] = False,
) -> None:
    """Serve an API as MCP at once, without a project.

    The server is the one that mcpgen build makes. The mcpgen.toml beside the description applies; credentials come from the environment.
    """
    from mcpgen.cli.serve_changes import FileWatcher
    from mcpgen.pipeline import BuildOptions
    from mcpgen.pipeline.runnable_server import (
        choose_port,
        load_runnable_server,
        run_mock_api,
        write_package,
    )

    require_hosts(allow_remote)
    if mock and upstream:
        raise typer.BadParameter("--mock answers in place of the API; leave --upstream out.")
    if stdio and (host or port is not None or spec == "-"):
        odd = "--host" if host else "--port" if port is not None else "a description from there"
        raise typer.BadParameter(f"--stdio uses standard input, and cannot go with {odd}.")
    options = BuildOptions(
        keep_going=keep_going,
        config=config,
        root=root,
        overlays=tuple(overlay or ()),
        allow_remote=tuple(allow_remote or ()),
        capability=capability,
        change=change,
        verbose=verbose,
    )
    if watch and (stdio or spec == "-" or "://" in spec):
        raise typer.BadParameter("--watch is for the files of a server at an address.")
    load = partial(load_runnable_server, spec, options, scenarios=mock)
    with progress() as tell:
        runnable = load(generation=int(watch), stdin=stdin_of(spec), tell=tell)
    say_findings(runnable, verbose=verbose)
    if runnable.server is None:
        say("nothing is served")
        raise typer.Exit(1)
    arguments = [
        *(("--host", host) if host else ()),
        *(("--upstream", upstream) if upstream else ()),
    ]
    arguments += ("--port", str(port or choose_port())) if port is not None else ()
    arguments += ("--stdio",) if stdio else ("--workers=1",)
    run = partial(_run, runnable, arguments=arguments, mock=mock, verbose=verbose)
    with write_package(runnable) as folder, ExitStack() as stack:
        prepare = stack.enter_context(run_mock_api()).answer if mock else _prepare_nothing
        prepare(runnable, folder)
        if not watch:
            raise typer.Exit(run(folder, lambda app, modules: app))
        watcher = FileWatcher(load, prepare, runnable, stack, allow_breaking=allow_breaking)
        raise typer.Exit(run(folder, watcher.start))


def _prepare_nothing(runnable: RunnableServer, folder: Path) -> None:
    """Leaves the environment as it is: requests go to the API."""


def say_findings(runnable: RunnableServer, *, verbose: bool = False) -> None:
    """Prints the findings of reading and lowering."""
    from mcpgen.cli.build_output import SHOWN, format_findings

    shown = format_findings(
        runnable.diagnostics,
        runnable.places,
        None if verbose else SHOWN,
        color=shows_color(sys.stderr),
    )
    if shown:
        say(shown)


def _run(
    runnable: RunnableServer,
    folder: Path,
    wrap: Callable[[Any, ServerModules], Any],
    *,
    arguments: list[str],
    mock: bool,
    verbose: bool,
) -> int:
    """Serves until a signal; returns the exit code. `wrap` wraps the application of the package."""
    from mcpgen.pipeline.runnable_server import import_server

    server = runnable.server
    if server is None:
        raise ValueError("a server with errors cannot run")
    try:
        modules = import_server(runnable, folder)
    except Exception:
        if runnable.package_on_disk is None:
            raise
        say(traceback.format_exc())
        say(f"error: {runnable.package_on_disk / 'hooks.py'} cannot be imported")
        return 2

    def create(settings: Any) -> Any:
        log_calls(modules, settings)
        app = wrap(modules.server.create(settings), modules)
        # `main` of mcpgen collects rarely, for a build; a server runs long and collects as usual.
        # The build's objects stay and need no visit.
        gc.freeze()
        gc.set_threshold(700, 10, 10)
        source = "the description's examples" if mock else settings.upstream
        lines = [*_announcement(runnable, source, verbose)]
        if not mock:
            lines += _missing_credentials(settings)
        if "--stdio" in arguments:
            # The client reads the protocol from standard output.
            say("\n".join(lines).rstrip())
        else:
            url = f"http://{settings.host}:{settings.port}{app.address()}"
            echo("\n".join([*lines, *_client_entries(server.slug, url)]))
        return app

    settings = modules.settings.Settings
    return int(modules.cli.main(server.package, settings, create, arguments))


def _announcement(runnable: RunnableServer, source: str, verbose: bool) -> Iterator[str]:
    """Yields the table of tools, answered from `source`."""
    tools = runnable.tools
    title = runnable.server.title if runnable.server else ""
    yield f"{title}: {count(len(tools), 'tool')}, answered by {source or 'the server itself'}"
    yield ""
    shown = tools if verbose else tools[:MAX_ROWS]
    names = max((len(tool.name) for tool in shown), default=0)
    requests = max((len(tool.request) for tool in shown), default=0)
    for tool in shown:
        row = f"  {tool.name:{names}}  {tool.request:{requests}}  {tool.effect:7}  {tool.text}"
        yield row if len(row) <= COLUMNS else f"{row[: COLUMNS - 1]}…"
    if len(shown) < len(tools):
        yield f"  and {len(tools) - len(shown):,} more (-v shows all)"
    yield ""


def _client_entries(name: str, url: str) -> Iterator[str]:
    """Yields the command for Claude Code, and the entry for other clients."""
    yield "Add the server to Claude Code:"
    yield f"  claude mcp add --transport http {name} {url}"
    yield "or to the configuration of another client:"
    yield f"  {json.dumps({'mcpServers': {name: {'url': url}}})}"
    yield ""


def _missing_credentials(settings: Any) -> Iterator[str]:
    """Yields a line per credential of the API without a value."""
    own = type(settings).__annotations__
    for name in own:
        if "SecretStr" in str(own[name]) and getattr(settings, name) is None:
            variable = settings.variable(name)
            yield f"{variable} is not set: calls of tools that need the credential fail"


def log_calls(modules: ServerModules, settings: Any) -> None:
    """Logs every call: as a line of the log if the log is JSON, else as a short line."""
    package = modules.cli.__name__.removesuffix(".cli")
    calls = logging.getLogger(f"{package}.calls")
    calls.setLevel(logging.DEBUG)
    # The address is announced on standard output.
    logging.getLogger(f"{package}.cli").setLevel(logging.WARNING)
    if settings.log_format == "text":
        calls.propagate = False
        calls.handlers = [CallLineHandler()]


class CallLineHandler(logging.Handler):
    """Prints the record of a call: `12:30:01 list_pets: done 200 31.5 ms`."""

    def emit(self, record: logging.LogRecord) -> None:
        """Prints time, message, status of the API and milliseconds, and the traceback if any."""
        members = getattr(record, "members", {})
        parts = [time.strftime("%H:%M:%S", time.localtime(record.created)), record.getMessage()]
        if status := members.get("upstreamStatus"):
            parts.append(str(status))
        if "durationMs" in members:
            parts.append(f"{members['durationMs']} ms")
        say("  ".join(parts) + (f"\n{record.exc_text}" if record.exc_text else ""))
