"""Builds or checks all projects below a folder, one process per project."""

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
"""Names of folders with third-party code."""

BUG = 3
"""The exit code of a process without a result."""


@dataclass(frozen=True, slots=True)
class ProjectRun:
    """One run of `mcpgen` on a project. `folder` is relative to the current folder if below the
    current folder. `result` is the printed JSON document, or None; `error` is then the last line on
    standard error."""

    folder: str
    exit_code: int
    seconds: float
    result: dict[str, Any] | None
    error: str = ""


def find_projects(folder: str) -> list[str]:
    """Returns the sorted folders of all projects at or below a folder: folders with `mcpgen.toml`
    and `mcpgen.lock`. Skips hidden folders, virtual environments and `node_modules`; does not
    follow links."""
    projects = []
    for place, folders, names in os.walk(folder):
        folders[:] = [
            name
            for name in folders
            if not name.startswith(".")
            and name not in SKIPPED
            and not os.path.exists(os.path.join(place, name, "pyvenv.cfg"))
        ]
        if CONFIG_NAME in names and write.NAME in names:
            projects.append(Path(place).as_posix())
    return sorted(projects)


def has_source(folder: str) -> bool:
    """True if the `mcpgen.toml` of a project has `source`, the URL of the document."""
    try:
        return "source" in tomllib.loads((Path(folder) / CONFIG_NAME).read_text("utf-8"))
    except ValueError:
        return False


def run_project_commands(
    commands: Sequence[tuple[str, Sequence[str]]], jobs: int, tell: Callable[[str], None]
) -> list[ProjectRun]:
    """Runs `mcpgen` for every row of project folder and arguments, at most `jobs` processes at a
    time. The results are in the order of the rows.

    A crashed process ends the run of one project only. KeyboardInterrupt ends all processes.
    """
    results: dict[int, ProjectRun] = {}
    # `_processes` exits first: the pool waits for its threads, and a thread for its process.
    with ThreadPoolExecutor(jobs) as pool, _processes() as run:
        futures = {
            pool.submit(_run_project, run, folder, words): index
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
"""Runs a command; returns exit code, standard output and standard error."""


@contextmanager
def _processes() -> Iterator[Run]:
    """Yields a thread-safe function to run commands; terminates the remaining processes at the end."""
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


def _run_project(run: Run, folder: str, words: Sequence[str]) -> ProjectRun:
    """Runs `mcpgen` once. `-P` prevents the import of a folder `mcpgen` in the current folder."""
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
    document = result if isinstance(result, dict) else None
    # Exit code 0 without a result is a bug.
    good = code >= 0 and (code > 0 or document is not None)
    return ProjectRun(
        folder=folder,
        exit_code=code if good else BUG,
        seconds=seconds,
        result=document,
        error=error,
    )
