"""A server started by a command: awaited, observed, and always stopped."""

from __future__ import annotations

import contextlib
import errno
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import SystemRandom
from typing import IO
from urllib.parse import urlsplit

from mcpgen.conformance.exchange import printable
from mcpgen.conformance.targets import supervised_child

PORT = "{port}"
"""Placeholder for a free port in the command and the URL."""

FREE_PORTS = range(20_000, 32_768)
"""Ports to choose from. Systems give higher ports to outgoing connections and to servers that ask for any
port (Linux from 32768, macOS and Windows from 49152), so that no other process gets the chosen port by chance
before the server listens there."""

LAST_LINES = 15
LAST_BYTES = 64 * 1024
LINE_MAX = 400


class UnusableTarget(ValueError):
    """A command or URL that cannot be used; the text states the reason."""


@dataclass(frozen=True, slots=True)
class Command:
    """The words of a command, and the URL and port of the started server."""

    words: tuple[str, ...]
    url: str
    port: int


@dataclass(frozen=True, slots=True)
class StartedServer:
    """A started command. `problem`: the reason why the server cannot be checked, or `""`. `ended`:
    describes the end of the command with the last lines of output, `""` while running."""

    problem: str
    ended: Callable[[], str]


def command_words(line: str) -> tuple[str, ...]:
    """The words of a command line. Raises UnusableTarget for a command that cannot be started."""
    try:
        words = split_words(line)
    except ValueError as error:
        raise UnusableTarget(f"`{line}` cannot be split into words: {error}") from error
    if not words:
        raise UnusableTarget("the command is empty")
    program = shutil.which(words[0])
    if program is None:
        raise UnusableTarget(f"there is no command `{words[0]}`")
    # Windows starts `npx` only by the path of `npx.cmd`:
    # https://docs.python.org/3/library/subprocess.html#subprocess.Popen
    return (program if os.name == "nt" else words[0], *words[1:])


def split_words(line: str) -> list[str]:
    r"""Splits a line like a shell. On Windows a backslash separates folders and escapes nothing:
    `C:\server\run.exe --fast` has two words. Raises ValueError for an open quotation."""
    lexer = shlex.shlex(line, posix=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    if os.name == "nt":
        lexer.escape = ""
    return list(lexer)


def split_command(line: str, url: str) -> Command:
    """Splits a command line like a shell, without expansions.

    `{port}` in `line` and `url` becomes a free port. The default URL is
    `http://127.0.0.1:{port}/mcp`. Raises UnusableTarget. Example: `split_command("node server.js
    {port}", "")`.
    """
    words = command_words(line)
    port = free_port() if PORT in line + url or not url else 0
    url = (url or f"http://127.0.0.1:{PORT}/mcp").replace(PORT, str(port))
    try:
        parts = urlsplit(url)
        default_port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError as error:
        raise UnusableTarget(f"`{url}` is not a URL: {error}") from error
    return Command(
        tuple(word.replace(PORT, str(port)) for word in words), url, port or default_port
    )


@contextmanager
def run_server(command: Command, patience: float) -> Iterator[StartedServer]:
    """Starts the command; yields when the server accepts connections, and stops the command at the
    end.

    The environment variable `PORT` holds the port. The command and all children are stopped even if
    this process is killed. Raises OSError if the command cannot be started.
    """
    if _listens(command.url):
        problem = f"something answers at {command.url} before the command was started"
        yield StartedServer(problem, lambda: "")
        return
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [sys.executable, "-I", supervised_child.__file__, *command.words],
            env={**os.environ, "PORT": str(command.port), "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            problem = _await(process, command.url, patience, output)
            yield StartedServer(problem, lambda: _stop_reason(process, command.url, output))
        finally:
            _stop(process)


def _await(process: subprocess.Popen[bytes], url: str, patience: float, output: IO[bytes]) -> str:
    """Waits until something listens; why nothing does, or `""`."""
    ends = time.monotonic() + patience
    while time.monotonic() < ends:
        if ending := _exit_reason(process, output):
            return ending
        if _listens(url):
            return ""
        time.sleep(0.03)
    return f"nothing listens at {url} after {patience:.0f} s{_last_lines(output)}"


def _exit_reason(process: subprocess.Popen[bytes], output: IO[bytes]) -> str:
    code = process.poll()
    return "" if code is None else f"the command ended with code {code}{_last_lines(output)}"


def _stop_reason(process: subprocess.Popen[bytes], url: str, output: IO[bytes]) -> str:
    """Describes the end of the command, `""` while running. If the server stopped listening, waits
    for the end."""
    if not _listens(url):
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(2 * supervised_child.PATIENCE)
    return _exit_reason(process, output)


def _last_lines(output: IO[bytes]) -> str:
    """The last lines of the command's output."""
    size = output.seek(0, os.SEEK_END)
    output.seek(max(0, size - LAST_BYTES))
    lines = output.read().decode("utf-8", "replace").splitlines()[-LAST_LINES:]
    return "".join(f"\n{_indentation(line)}{printable(line, LINE_MAX)}" for line in lines)


def _indentation(line: str) -> str:
    return " " * (len(line) - len(line.lstrip(" ")))


def _listens(url: str) -> bool:
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        with socket.create_connection((parts.hostname or "", port), timeout=1):
            return True
    except OSError:
        return False


def free_port() -> int:
    """A free port of the loopback, chosen at random. Raises OSError if 100 chosen ports are in use."""
    choose = SystemRandom().choice
    for _ in range(100):
        port = choose(FREE_PORTS)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise OSError(errno.EADDRINUSE, "no free port was found")


def _stop(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(2 * supervised_child.PATIENCE)
    finally:
        process.kill()
        process.wait()
