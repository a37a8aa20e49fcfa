"""Runs tests of generated projects in forks of a process that has loaded the common libraries.

pytest and the SDK take two seconds to load, a project's tests a tenth of two seconds. A fork runs
`python -m pytest` in the project's folder without modules of the project or of mcpgen loaded before. On
systems without fork, runs a separate process.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

SECONDS = 300
"""After which a run is broken off."""

_FORKS = Path(__file__).with_name("fork_worker.py")


def own_tests(
    folder: Path, *arguments: str, more: Mapping[str, str] | None = None, seconds: int = SECONDS
) -> subprocess.CompletedProcess[str]:
    """Runs pytest with arguments in a project's folder; `stdout` of the result has both streams. `more`
    is added to the environment, from which pytest's own variables are removed.

    Raises TimeoutError.
    """
    environment = {name: text for name, text in os.environ.items() if "PYTEST" not in name}
    environment |= more or {}
    if not hasattr(os, "fork"):
        return _run_without_fork(folder, arguments, environment, seconds)
    order = {
        "folder": str(folder),
        "arguments": arguments,
        "environment": environment,
        "seconds": seconds,
    }
    process = _process()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(order) + "\n")
    process.stdin.flush()
    answer = json.loads(process.stdout.readline())
    if answer["returncode"] is None:
        raise TimeoutError(f"pytest ran on after {seconds} s: {answer['output'][-2_000:]}")
    return subprocess.CompletedProcess(
        ["pytest", *arguments], answer["returncode"], answer["output"], ""
    )


@cache
def _process() -> subprocess.Popen[str]:
    """The process that forks, started on first use."""
    environment = {name: text for name, text in os.environ.items() if "PYTEST" not in name}
    process = subprocess.Popen(
        [sys.executable, str(_FORKS)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    atexit.register(_end, process)
    return process


def _end(process: subprocess.Popen[str]) -> None:
    """Ends the process and closes its pipes."""
    with process:
        process.kill()


def _run_without_fork(
    folder: Path, arguments: tuple[str, ...], environment: dict[str, str], seconds: int
) -> subprocess.CompletedProcess[str]:
    """Runs the tests in a process without fork."""
    command = [sys.executable, "-m", "pytest", *arguments]
    try:
        return subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired as error:
        raise TimeoutError(str(error)) from error
