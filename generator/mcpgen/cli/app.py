"""The commands, assembled, and the one place where an exception becomes an exit code."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from types import FrameType
from typing import Annotated

import typer
from typer.core import TyperGroup

from mcpgen import __version__
from mcpgen.cli import build, check, eject, explain, new
from mcpgen.cli.console import say

ISSUES = "Please report it with the command you ran; it is a bug in mcpgen."


class Commands(TyperGroup):
    """All commands; what they raise is told in one line, unless the fault is ours."""

    def invoke(self, ctx: typer.Context) -> object:  # type: ignore[override]
        """Runs the command. Exit codes: 0 fine, 1 findings, 2 usage or environment, 3 a bug."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            say("interrupted: nothing was changed")
            raise typer.Exit(2) from None
        except BrokenPipeError:
            # Whoever read our output has stopped; Python would complain once more at its exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(2) from None
        except OSError as error:
            say(f"error: {_told(error)}")
            raise typer.Exit(2) from None
        except Exception as error:
            if hasattr(error, "exit_code") or isinstance(error, typer.Abort):
                raise  # The parser's own errors; typer does not export their base class.
            traceback.print_exc()
            say(ISSUES)
            raise typer.Exit(3) from None


app = typer.Typer(
    cls=Commands,
    name="mcpgen",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
"""The command line."""

for command in (build.build, check.check, new.new, explain.explain, eject.eject):
    app.command()(command)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"mcpgen {__version__}")
        raise typer.Exit(0)


@app.callback()
def mcpgen(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Turns an OpenAPI description into a finished MCP server, and checks any MCP server.

    Exit codes: 0 fine, 1 findings, 2 wrong usage or environment, 3 a bug in mcpgen.
    """


def main() -> None:
    """Runs the command line and exits. SIGTERM, of a cancelled job or a stopped container, is taken
    for Ctrl-C: changes are undone and processes stopped."""
    signal.signal(signal.SIGTERM, _interrupt)
    app()


def _interrupt(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)  # A second one must not stop the undoing.
    raise KeyboardInterrupt


def _told(error: OSError) -> str:
    """What the machine said, with the file it is about."""
    reason = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {reason}" if error.filename is not None else reason
