"""Exit codes and terminal output of commands that raise."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from mcpgen.cli.app import Commands, main

ROW = re.compile(r"\x1b\[[0-9;]*m")
"""An ANSI color."""


def _ends(error: BaseException) -> tuple[int, str]:
    """Returns the exit code and the last line of a command that raises."""
    app = typer.Typer(cls=Commands, pretty_exceptions_enable=False)

    @app.callback()
    def make_group() -> None:
        """Makes the command part of a group, as mcpgen's commands are."""

    @app.command()
    def fail() -> None:
        raise error

    result = CliRunner().invoke(app, ["fail"])
    lines = result.stderr.splitlines()
    return result.exit_code, lines[-1] if lines else ""


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (typer.Exit(1), 1, ""),
        (KeyboardInterrupt(), 2, "interrupted: unfinished changes are undone"),
        (PermissionError(13, "Permission denied", "out"), 2, "error: out: Permission denied"),
        (OSError("the disk is gone"), 2, "error: the disk is gone"),
        (ValueError("x"), 3, "Please report it with the command you ran; it is a bug in mcpgen."),
    ],
)
def test_what_is_raised_decides_the_exit_code(error: BaseException, code: int, line: str) -> None:
    assert _ends(error) == (code, line)


def test_being_told_to_end_is_an_interruption_that_no_second_signal_disturbs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr("mcpgen.cli.app.app", lambda: signal.raise_signal(signal.SIGTERM))

    try:
        with pytest.raises(KeyboardInterrupt):
            main()
        signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)


def _on_a_terminal(folder: Path, **environment: str) -> str:
    """Returns the terminal output of a failed build."""
    command = [sys.executable, "-m", "mcpgen", "build", "none.yaml"]
    surroundings = {**os.environ, "TERM": "xterm", **environment}
    leader, follower = pty.openpty()
    with subprocess.Popen(
        command, cwd=folder, env=surroundings, stdin=follower, stdout=follower, stderr=follower
    ) as process:
        os.close(follower)
        output = b""
        while chunk := _read(leader):
            output += chunk
    os.close(leader)
    assert process.returncode == 1
    return output.decode()


def _read(terminal: int) -> bytes:
    """Returns the next bytes; empty at the end, where Linux raises `EIO`."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


def test_a_terminal_shows_colors(tmp_path: Path) -> None:
    output = _on_a_terminal(tmp_path, NO_COLOR="")

    assert "MG101" in output
    assert ROW.search(output)


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb", "NO_COLOR": ""}])
def test_a_terminal_that_wants_no_colors_gets_none(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    output = _on_a_terminal(tmp_path, **environment)

    assert "MG101" in output
    assert not ROW.search(output)
