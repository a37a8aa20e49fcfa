"""Runs a script in a Deno process without permissions and within limits."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shutil
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, SubprocessStreamProtocol
from asyncio.subprocess import Process as Subprocess
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from math import isinf
from pathlib import Path
from secrets import token_hex
from typing import Annotated, Any

from pydantic import Field

from ..tool import Json
from ..validation.nesting import loads
from .documentation import DocsSettings


class ScriptSettings(DocsSettings):
    """Settings of scripts: limits and the path of Deno."""

    script_deno: str = ""
    """The path of Deno; by default Deno of the package `deno`, else from `PATH`."""
    script_warm: Annotated[int, Field(ge=0, le=64)] = 1
    """Number of idle processes started in advance, used for one script each."""
    scripts_at_once: Annotated[int, Field(gt=0)] = 4
    """Maximum concurrent scripts per server process; a further script is refused."""
    script_seconds: Annotated[float, Field(gt=0)] = 30
    """Maximum duration of a script in seconds, including calls."""
    script_cpu_seconds: Annotated[int, Field(gt=0)] = 10
    """Maximum CPU seconds of the process of a script; Linux only."""
    script_megabytes: Annotated[int, Field(ge=16, le=4096)] = 128
    """Maximum memory of a script in MB (1024 * 1024 bytes), without Deno's own memory. Outside of
    Linux only the JavaScript heap is limited."""
    script_calls: Annotated[int, Field(ge=0)] = 100
    """Maximum number of calls of a script; further calls fail."""
    script_calls_at_once: Annotated[int, Field(gt=0)] = 8
    """Maximum concurrent calls of a script; further calls wait."""
    script_bytes: Annotated[int, Field(gt=0)] = 64 * 1024
    """Maximum bytes of the script text."""
    script_result_bytes: Annotated[int, Field(gt=0)] = 100_000
    """Maximum bytes of the script's value, as compact JSON."""
    script_log_characters: Annotated[int, Field(ge=0)] = 10_000
    """Maximum characters of log output shown."""


_BRIDGE = Path(__file__).with_name("sandbox.js")
"""The program that Deno runs: receives a script, runs the script, and sends messages."""

_MAX_LINE_BYTES = 4 * 1024 * 1024
"""Maximum bytes of a message of a process; a message is one line."""

_MAX_OUTPUT_BYTES = 16 * 1024 * 1024
"""Maximum bytes of all messages of a process."""

_START_SECONDS = 20
"""Maximum seconds for a process to start."""

_END_SECONDS = 5
"""Maximum seconds for a killed process to exit."""

_POLL_SECONDS = 0.005
"""Polling interval for the exit of a killed process, in seconds."""

logger = logging.getLogger(__name__)

_FLAGS = (
    *("--quiet", "--no-prompt", "--no-remote", "--no-npm", "--no-config", "--no-lock"),
    *("--cached-only", "--no-code-cache", "--node-modules-dir=none", "--deny-import"),
)
"""Flags of `deno run`. Without `--allow-…` a script has no permission. These flags also rule out
questions for permissions, downloads, configuration files and caches."""

_WORKING_DIRECTORY = os.sep
"""The working directory of processes. The root folder always exists, so a killed server leaves no
folder behind. Deno reads nothing from the folder, and scripts have no read permission."""

_ENVIRONMENT = {"DENO_DIR": f"{os.devnull}/none", "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1"}
"""The whole environment of Deno. `DENO_DIR` is a cache folder that cannot exist, so processes share
no cache."""
if "SYSTEMROOT" in os.environ:
    # Windows loads the libraries of sockets and random numbers from there:
    # https://docs.python.org/3/library/subprocess.html#subprocess.Popen
    _ENVIRONMENT["SYSTEMROOT"] = os.environ["SYSTEMROOT"]

Message = dict[str, Any]
"""A message of a process. The first member names the kind: `{"log": "text"}`, or `{"call":
"get_order", "id": 1, "arguments": {}}`."""


class DenoMissing(ValueError):
    """Deno was not found, so that no script can run."""


class ProtocolViolation(Exception):
    """The output of a process is not a message, or too large. The text completes a sentence that
    begins with "the script"."""


class ScriptProcess:
    """A Deno process that waits for a script or runs a script."""

    def __init__(self, process: Subprocess, transport: asyncio.SubprocessTransport) -> None:
        self._process = process
        self._transport = transport
        self._received_bytes = 0
        self._key = b""

    @property
    def code(self) -> int | None:
        """The exit code, a negative number for a signal; None while running."""
        return self._process.returncode

    @property
    def is_over(self) -> bool:
        """True if the process has ended or closed its output."""
        return (
            self.code is not None or self._process.stdout is None or self._process.stdout.at_eof()
        )

    async def start(self, order: Mapping[str, Json]) -> None:
        """Sends the order to run a script. The bridge begins every later message with a random key
        unknown to the script, so that a script that can write to the output cannot forge
        messages."""
        key = token_hex(16)
        await self.send({**order, "key": key})
        self._key = key.encode("ascii")

    async def send(self, message: Mapping[str, Json]) -> None:
        """Sends a message; nothing happens if the process has ended."""
        if self._process.stdin is None:
            return
        # UTF-8 cannot encode an unpaired surrogate; ASCII JSON writes surrogates as escapes.
        self._process.stdin.write(json.dumps(message, allow_nan=False).encode("ascii") + b"\n")
        with suppress(ConnectionError):
            await self._process.stdin.drain()

    async def receive(self) -> Message | None:
        """The next message without the key, None at the end of output. Raises
        `ProtocolViolation`."""
        if self._process.stdout is None:
            return None
        try:
            line = await self._process.stdout.readline()
            self._received_bytes += len(line)
            if line and not line.startswith(self._key):
                raise ProtocolViolation("wrote what is no message")
            line = line[len(self._key) :]
            message = (
                loads(line.decode(), parse_constant=_reject_constant, parse_float=_read_finite)
                if line
                else None
            )
        except ValueError:
            raise ProtocolViolation("wrote a line that is too long, or no message") from None
        except RecursionError:
            raise ProtocolViolation("gave a value that is nested too deeply") from None
        if self._received_bytes > _MAX_OUTPUT_BYTES:
            raise ProtocolViolation(f"wrote more than {_MAX_OUTPUT_BYTES} bytes")
        if message is not None and not isinstance(message, dict):
            raise ProtocolViolation("wrote what is no message")
        return message

    async def end(self) -> None:
        """Kills the process group and waits for the exit, at most `_END_SECONDS`.

        The exit code is polled: `wait` returns only after the pipes are closed, and a full pipe
        without a reader is never closed: https://github.com/python/cpython/issues/119710. The
        transport is closed last: `close` asks the operating system for the exit code, which the
        system gives only once, and then the event loop would not get the exit code.
        """
        # macOS reports a group with only zombies as PermissionError.
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                # Windows has no process groups; a script cannot start processes.
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)
        try:
            async with asyncio.timeout(_END_SECONDS):
                while self.code is None:
                    await asyncio.sleep(_POLL_SECONDS)
        except TimeoutError:
            logger.error("The process %d of a script does not end", self._process.pid)
        finally:
            self._transport.close()
            await self._close_input()

    async def _close_input(self) -> None:
        """Waits until the input is closed, and ignores a broken pipe. Without the wait, Python
        3.11.2 logs the error as never retrieved."""
        if self._process.stdin is not None:
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(_END_SECONDS):
                    await self._process.stdin.wait_closed()

    def limit_resources(self, settings: ScriptSettings) -> None:
        """Limits memory and CPU time, and forbids files with content and core dumps; Linux only."""
        if sys.platform != "linux":
            return
        import resource

        memory = _data_bytes(self._process.pid) + settings.script_megabytes * 1024 * 1024
        seconds = settings.script_cpu_seconds
        # Beyond the first limit of CPU time SIGXCPU ends the process, beyond the second SIGKILL.
        limits = (
            (resource.RLIMIT_DATA, memory, memory),
            (resource.RLIMIT_CPU, seconds, seconds + 1),
            (resource.RLIMIT_FSIZE, 0, 0),
            (resource.RLIMIT_CORE, 0, 0),
        )
        for kind, soft, hard in limits:
            resource.prlimit(self._process.pid, kind, (soft, hard))


class Sandbox:
    """Starts processes, one per script. While the sandbox is `open`, some processes are started in
    advance, because a start takes some 40 ms. Raises `DenoMissing`."""

    def __init__(self, settings: ScriptSettings) -> None:
        self._settings = settings
        self._deno = _find_deno(settings)
        self._is_open = False
        self._idle_tasks: list[asyncio.Task[ScriptProcess]] = []

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Starts idle processes, and kills the idle processes at the end."""
        self._is_open = True
        self._refill()
        try:
            yield
        finally:
            self._is_open = False
            for task in self._idle_tasks:
                task.cancel()
            outcomes = await asyncio.gather(*self._idle_tasks, return_exceptions=True)
            self._idle_tasks.clear()
            for outcome in outcomes:
                if isinstance(outcome, ScriptProcess):
                    await outcome.end()

    @asynccontextmanager
    async def process(self) -> AsyncIterator[ScriptProcess]:
        """A process that has run no script yet; killed at the end, also if the task is
        cancelled."""
        process = await self._take_process()
        self._refill()
        try:
            yield process
        finally:
            await asyncio.shield(process.end())

    async def _take_process(self) -> ScriptProcess:
        """An idle process, or a new process."""
        while self._idle_tasks:
            task = self._idle_tasks.pop(0)
            try:
                process = await asyncio.shield(task)
            except asyncio.CancelledError:
                self._idle_tasks.append(task)
                raise
            except OSError:
                # This process did not start; another one may.
                continue
            if not process.is_over:
                return process
            await process.end()
        return await self._start_process()

    def _refill(self) -> None:
        """Starts idle processes for the next scripts."""
        while self._is_open and len(self._idle_tasks) < self._settings.script_warm:
            self._idle_tasks.append(asyncio.create_task(self._start_process()))

    async def _start_process(self) -> ScriptProcess:
        """Starts a process and waits for the first message. Raises `OSError` on failure."""
        settings = self._settings
        # Most V8 vulnerabilities are in the compilers; `--jitless` turns the compilers off.
        # `--single-threaded` saves two threads and 17 MB of reserved memory (Deno 2.9).
        v8_flags = f"--jitless,--single-threaded,--max-old-space-size={settings.script_megabytes}"
        loop = asyncio.get_running_loop()
        # `create_subprocess_exec` does the same, but gives no access to the transport.
        transport, protocol = await loop.subprocess_exec(
            lambda: SubprocessStreamProtocol(limit=_MAX_LINE_BYTES, loop=loop),
            *(self._deno, "run", *_FLAGS, f"--v8-flags={v8_flags}", str(_BRIDGE)),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            cwd=_WORKING_DIRECTORY,
            env=_ENVIRONMENT,
            start_new_session=True,  # A process group of its own, which `end` kills.
        )
        process = ScriptProcess(Subprocess(transport, protocol, loop), transport)
        try:
            async with asyncio.timeout(_START_SECONDS):
                if await process.receive() != {"ready": True}:
                    raise ChildProcessError("Deno does not start")
            process.limit_resources(settings)
        except BaseException:
            await process.end()
            raise
        return process


def _reject_constant(constant: str) -> Json:
    raise ValueError(f"{constant} is no number of JSON")


def _read_finite(text: str) -> float:
    """The number of a JSON text. Raises `ProtocolViolation` for a number such as `1e999`, which
    becomes infinite and cannot be written as JSON again."""
    number = float(text)
    if isinf(number):
        raise ProtocolViolation("gave a number that is too large")
    return number


def _find_deno(settings: ScriptSettings) -> str:
    """The path of Deno: the setting, else Deno of the package `deno`, else from `PATH`. Raises
    `DenoMissing`."""
    variable = settings.variable("script_deno")
    if settings.script_deno:
        if path := shutil.which(settings.script_deno):
            return path
        raise DenoMissing(f"{variable}: there is no program `{settings.script_deno}`")
    try:
        return os.fsdecode(import_module("deno").find_deno_bin())
    except (ImportError, FileNotFoundError):
        pass
    if path := shutil.which("deno"):
        return path
    raise DenoMissing(
        f"scripts need Deno: install the package `deno`, or set {variable} to its path"
    )


def _data_bytes(pid: int) -> int:
    """The bytes of writable private memory of a process: memory counted by `RLIMIT_DATA`, and the
    stack. https://man7.org/linux/man-pages/man5/proc_pid_statm.5.html"""
    pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[5])
    return pages * os.sysconf("SC_PAGE_SIZE")
