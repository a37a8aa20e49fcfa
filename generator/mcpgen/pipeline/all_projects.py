"""Every project below a folder, each built or checked by a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcpgen import write
from mcpgen.config import NAME as CONFIG_NAME

SKIPPED = frozenset({"node_modules", "__pycache__", "site-packages"})
"""Names of folders that hold code of others."""

BUG = 3
"""The exit code of a process that ended without its own result."""


@dataclass(frozen=True, slots=True)
class ProjectRun:
    """One run of `mcpgen` on a project. `folder` is relative to the current one where it lies below it.
    `result` is the JSON document that the run printed, None if it printed none; `error` is then the
    last line on standard error."""

    folder: str
    exit_code: int
    seconds: float
    result: dict[str, Any] | None
    error: str = ""


def find_projects(folder: str) -> list[str]:
    """The folders of all projects at or below a folder, sorted: those with `mcpgen.toml` and
    `mcpgen.lock`. Hidden folders, virtual environments and `node_modules` are skipped, links not
    followed."""
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = [
            name
            for name in folders
            if not name.startswith(".")
            and name not in SKIPPED
            and not os.path.exists(os.path.join(place, name, "pyvenv.cfg"))
        ]
        if CONFIG_NAME in names and write.NAME in names:
            found.append(Path(place).as_posix())
    return sorted(found)


def has_source(folder: str) -> bool:
    """Whether the `mcpgen.toml` of a project names the URL that its document was fetched from."""
    try:
        return "source" in tomllib.loads((Path(folder) / CONFIG_NAME).read_text("utf-8"))
    except ValueError:
        return False


def run_all(
    commands: Sequence[tuple[str, Sequence[str]]], jobs: int, tell: Callable[[str], None]
) -> list[ProjectRun]:
    """Runs `mcpgen` with each row of words, at most `jobs` processes at a time; the rows begin with
    the folder of the project. The results are in the order of the rows.

    A process that crashes ends the run of its project alone. KeyboardInterrupt ends all processes.
    """
    results: dict[int, ProjectRun] = {}
    # The processes end before the pool, which waits for its threads, and these for their processes.
    with ThreadPoolExecutor(jobs) as pool, _processes() as run:
        futures = {
            pool.submit(_run, run, folder, words): index
            for index, (folder, words) in enumerate(commands)
        }
        try:
            for future in as_completed(futures):
                results[futures[future]] = future.result()
                tell(f"{len(results)} of {len(commands)} projects")
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [results[index] for index in range(len(commands))]


Run = Callable[[Sequence[str]], tuple[int, bytes, bytes]]
"""Runs a command; gives its exit code, standard output and standard error."""


@contextmanager
def _processes() -> Iterator[Run]:
    """A function that runs commands from several threads; processes that still run at the end of the
    body are terminated."""
    running: set[subprocess.Popen[bytes]] = set()
    lock = threading.Lock()
    stopped = False

    def run(command: Sequence[str]) -> tuple[int, bytes, bytes]:
        with lock:
            if stopped:
                return BUG, b"", b""
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            running.add(process)
        try:
            output, errors = process.communicate()
        finally:
            with lock:
                running.discard(process)
        return process.returncode, output, errors

    try:
        yield run
    finally:
        with lock:
            stopped = True
            for process in running:
                process.terminate()


def _run(run: Run, folder: str, words: Sequence[str]) -> ProjectRun:
    """One run. `-P` keeps a folder `mcpgen` of the current folder from being imported."""
    started = time.monotonic()
    code, output, errors = run([sys.executable, "-P", "-m", "mcpgen", *words])
    seconds = time.monotonic() - started
    try:
        result = json.loads(output)
    except ValueError:
        result = None
    lines = errors.decode("utf-8", "replace").strip().splitlines()
    ended = f"the process was ended by signal {-code}" if code < 0 else "it printed no result"
    error = "" if isinstance(result, dict) else lines[-1] if lines else ended
    known = result if isinstance(result, dict) else None
    # Without a result there is nothing that 0 could stand for.
    good = code >= 0 and (code > 0 or known is not None)
    return ProjectRun(
        folder=folder, exit_code=code if good else BUG, seconds=seconds, result=known, error=error
    )
