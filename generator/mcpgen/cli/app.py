"""Assembles the commands and maps exceptions to exit codes."""

from __future__ import annotations

import errno
import gc
import io
import os
import signal
import sys
import traceback
from itertools import pairwise
from types import FrameType
from typing import Annotated

import typer
from typer.core import TyperGroup

from mcpgen import __version__
from mcpgen.cli import (
    bind,
    build,
    bundle,
    check,
    connect,
    diff,
    eject,
    explain,
    init,
    lint,
    new,
    registry,
    runtime,
    scenarios,
    schema,
    serve,
    tools,
)
from mcpgen.cli.console import echo_json, say

WANTS_JSON = "mcpgen.wants_json"
"""Key in `Context.meta`: true if the command line has `--format json`."""

INTERRUPTED = "interrupted: unfinished changes are undone"
BUG_MESSAGE = "Please report it with the command you ran; it is a bug in mcpgen."


class Commands(TyperGroup):
    """All commands. Faults of the environment are printed in one line, bugs with a traceback."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Records `--format json` before parsing, so parser errors are printed as JSON, too."""
        ctx.meta[WANTS_JSON] = "--format=json" in args or ("--format", "json") in pairwise(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: typer.Context) -> object:  # type: ignore[override]
        """Runs the command. Exit codes: 0 fine, 1 findings, 2 usage or environment, 3 a bug."""
        report_error = _print_json if ctx.meta.get(WANTS_JSON) else _print_nothing
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            report_error(INTERRUPTED, 2)
            say(INTERRUPTED)
            raise typer.Exit(2) from None
        except OSError as error:
            if _is_closed_pipe(error):
                # Without the redirect Python reports the error again at exit.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                raise typer.Exit(2) from None
            report_error(_describe_os_error(error), 2)
            say(f"error: {_describe_os_error(error)}")
            raise typer.Exit(2) from None
        except Exception as error:
            if hasattr(error, "exit_code") or isinstance(error, typer.Abort):
                # `typer.Exit`, and errors of the parser, whose base class typer does not export.
                if hasattr(error, "format_message"):
                    report_error(error.format_message(), 2)
                raise
            report_error(f"{type(error).__name__}: {error}", 3)
            traceback.print_exc()
            say(BUG_MESSAGE)
            raise typer.Exit(3) from None


app = typer.Typer(
    cls=Commands,
    name="mcpgen",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
"""The command line."""

COMMANDS = (
    serve.serve,
    build.build,
    check.check,
    init.init,
    connect.connect,
    bundle.bundle,
    new.new,
    tools.tools,
    lint.lint,
    bind.bind,
    diff.diff,
    scenarios.scenarios,
    registry.card,
    registry.register,
    explain.explain,
    schema.schema,
    eject.eject,
    runtime.outdated,
)
"""Every command except the group `runtime`, in the order of the help."""

for command in COMMANDS:
    app.command()(command)
app.add_typer(runtime.runtime)


def _print_version(requested: bool) -> None:
    if requested:
        typer.echo(f"mcpgen {__version__}")
        raise typer.Exit(0)


@app.callback()
def mcpgen(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Turns an OpenAPI description into a finished MCP server, and checks any MCP server.

    Start with: mcpgen build openapi.yaml -o weather

    Exit codes: 0 fine, 1 findings, 2 wrong usage or environment, 3 a bug in mcpgen.
    """


def main() -> None:
    """Runs the command line and exits. SIGTERM, sent to a cancelled job or a stopped container, is
    handled as Ctrl-C: changes are undone and processes stopped. Output is UTF-8 in every locale,
    unless `PYTHONIOENCODING` names another encoding."""
    _write_utf8(sys.stdout, sys.stderr)
    signal.signal(signal.SIGTERM, _interrupt)
    # Objects of a run live until the end and hardly any are cyclic garbage: collection at Python's
    # default thresholds costs a tenth of the time.
    gc.set_threshold(500_000, 20, 20)
    try:
        app()
    finally:
        # Skips the collection at exit: the system frees the memory of the process.
        gc.freeze()


def _write_utf8(*streams: object) -> None:
    """Sets UTF-8 for output. Python writes to a pipe on Windows in the code page, such as cp1252, in
    which `≈` of `mcpgen tools` is a UnicodeEncodeError."""
    if os.environ.get("PYTHONIOENCODING"):
        return
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")


def _is_closed_pipe(error: OSError) -> bool:
    """True if the reader of the output has closed the pipe. Windows reports EINVAL without a file
    name: https://github.com/python/cpython/issues/79935"""
    is_closed_on_windows = (
        os.name == "nt" and error.errno == errno.EINVAL and error.filename is None
    )
    return is_closed_on_windows or isinstance(error, BrokenPipeError)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Handles a signal as Ctrl-C."""
    signal.signal(number, signal.SIG_IGN)  # A second signal must not stop the clean-up.
    raise KeyboardInterrupt


def _print_nothing(message: str, exit_code: int) -> None:
    """Prints nothing: without `--format json` the message on standard error is enough."""


def _print_json(message: str, exit_code: int) -> None:
    """Prints an error as JSON for programs; docs/json.md describes the members."""
    echo_json(
        {"version": 1, "exit_code": exit_code, "status": "error", "error": message}, indent=None
    )


def _describe_os_error(error: OSError) -> str:
    """Returns the message of an OSError with the file name."""
    reason = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {reason}" if error.filename is not None else reason
