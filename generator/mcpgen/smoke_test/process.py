"""The built project as a subprocess, always stopped at the end."""

from __future__ import annotations

import http.client
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import IO

from mcpgen.conformance.targets import supervised_child

LAST_LINES = 15
FRAME = re.compile(r'^  File "([^"\n]+)", line (\d+)', re.MULTILINE)
"""A frame of a traceback: the file and the line."""


@dataclass(frozen=True, slots=True)
class StartedProcess:
    """A started process. `ready`: the process has answered; `output`: the last lines of a process
    that has not; `seconds`: the start-up time."""

    ready: bool
    output: str
    seconds: float


@contextmanager
def run_project_server(
    package: str, folder: Path, environment: Mapping[str, str], port: int, timeout: float
) -> Iterator[StartedProcess]:
    """Runs `python -m package` in `folder`, from the first answer on `/healthz` to the end of the
    block.

    The process and its children are stopped however the block ends, and if this process is killed.
    """
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [sys.executable, "-I", supervised_child.__file__, sys.executable, "-m", package],
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            yield _await_health(process, port, timeout, output)
        finally:
            _stop_process(process)


def _await_health(
    process: subprocess.Popen[bytes], port: int, timeout: float, output: IO[bytes]
) -> StartedProcess:
    started = time.monotonic()
    while process.poll() is None and time.monotonic() - started < timeout:
        if _healthy(port):
            return StartedProcess(True, "", time.monotonic() - started)
        time.sleep(0.02)
    seconds = time.monotonic() - started
    code = process.poll()
    end = f"no answer within {timeout:.0f} s" if code is None else f"it ended with code {code}"
    return StartedProcess(False, f"{end}\n{_last_output(output)}".strip(), seconds)


def _healthy(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _last_output(output: IO[bytes]) -> str:
    """The last lines of output; of a traceback, the last frame and the exception."""
    output.seek(0)
    text = output.read().decode("utf-8", "replace")
    frames = FRAME.findall(text)
    lines = text.splitlines()
    if not frames or not lines:
        return "\n".join(lines[-LAST_LINES:])
    file, line = frames[-1]
    return f"{lines[-1]} ({PurePath(file).name}, line {line})"


def _stop_process(process: subprocess.Popen[bytes]) -> None:
    # The supervisor stops the server when the pipe closes, and kills what outlives its `PATIENCE`.
    if process.stdin:
        process.stdin.close()
    try:
        process.wait(3 * supervised_child.PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
