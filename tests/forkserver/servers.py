"""Starts servers of projects in forks of a process that has loaded the common libraries.

The SDK takes a second to load, a project a tenth of a second. A fork runs `python -m PACKAGE` in the
project's folder without modules of the project loaded before. Needs a system with fork.
`fork_worker.py` cannot serve here: that process loads nothing of mcpgen, and waits for the end of each
run.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import sys
from collections.abc import Mapping
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import IO

from tests.forkserver.fork_worker import OF_SERVERS


def start_server(
    folder: Path, package: str, *arguments: str, environment: Mapping[str, str]
) -> tuple[BaseProcess, IO[str], IO[str]]:
    """Process, output and log of a started server."""
    context = _forkserver()
    output, to_output = context.Pipe(duplex=False)
    log, to_log = context.Pipe(duplex=False)
    given = (folder, [package, *arguments], dict(environment), to_output, to_log)
    process = context.Process(target=_serve, args=given)
    process.start()
    for writer in (to_output, to_log):
        writer.close()
    return process, _text(output), _text(log)


@cache
def _forkserver() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*OF_SERVERS])
    return context


def _text(reader: Connection) -> IO[str]:
    """A binary pipe as a text stream."""
    with reader:
        return os.fdopen(os.dup(reader.fileno()), encoding="utf-8")


def _serve(
    folder: Path, words: list[str], environment: dict[str, str], output: Connection, log: Connection
) -> None:
    """Runs the package as `__main__`, with its own streams, folder and environment."""
    for connection, number in ((output, 1), (log, 2)):
        os.dup2(connection.fileno(), number)
        connection.close()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = words
    sys.path.insert(0, str(folder))
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)
