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
    """The limits of one script, of all at once, and where Deno is."""

    script_deno: str = ""
    """The path of Deno; the one that the package `deno` brings if empty, else that of `PATH`."""
    script_warm: Annotated[int, Field(ge=0, le=64)] = 1
    """How many processes wait, started, for a script each."""
    scripts_at_once: Annotated[int, Field(gt=0)] = 4
    """How many scripts a process of the server runs at a time."""
    script_seconds: Annotated[float, Field(gt=0)] = 30
    """How long a script may take, with its calls."""
    script_cpu_seconds: Annotated[int, Field(gt=0)] = 10
    """How long it may occupy a processor."""
    script_megabytes: Annotated[int, Field(ge=16, le=4096)] = 128
    """How much memory it may take beside what Deno itself needs."""
    script_calls: Annotated[int, Field(ge=0)] = 100
    """How many calls it may make."""
    script_calls_at_once: Annotated[int, Field(gt=0)] = 8
    """How many of them are under way at a time; others wait."""
    script_bytes: Annotated[int, Field(gt=0)] = 64 * 1024
    """How long its text may be."""
    script_result_bytes: Annotated[int, Field(gt=0)] = 100_000
    """How large its value may be, as compact JSON."""
    script_log_characters: Annotated[int, Field(ge=0)] = 10_000
    """How much of what it logs is shown."""


BRIDGE = Path(__file__).with_name("sandbox.js")
"""What runs on the inside."""

MESSAGE_BYTES = 4 * 1024 * 1024
"""How long a line may be that a process writes."""

ALL_BYTES = 16 * 1024 * 1024
"""How much a process may write in all."""

_START_SECONDS = 20
"""How long a process may take to be ready."""

_END_SECONDS = 5
"""How long a process that was killed may take to be gone."""

_POLL_SECONDS = 0.005
"""How long the server waits between two looks at a process that was killed."""

logger = logging.getLogger(__name__)

_FLAGS = (
    *("--quiet", "--no-prompt", "--no-remote", "--no-npm", "--no-config", "--no-lock"),
    *("--cached-only", "--no-code-cache", "--node-modules-dir=none", "--deny-import"),
)

_PLACE = os.sep
"""The folder that processes stand in: it is always there, and nothing is left of it when a server is
killed. Deno looks for nothing in it, and a script may not."""

_ENVIRONMENT = {"DENO_DIR": f"{os.devnull}/none", "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1"}
"""All that Deno itself finds in its environment; a script may read none of it."""

Message = dict[str, Any]
"""A line of a process: one member that says what it is, and what stands beside it."""


class DenoMissing(ValueError):
    """Why scripts cannot be run at all."""


class ProtocolViolation(Exception):
    """What is wrong with what a process wrote: it is no message, or more than it may write."""


class ScriptProcess:
    """A process that waits for its script, or runs it."""

    def __init__(self, process: Subprocess, transport: asyncio.SubprocessTransport) -> None:
        self._process = process
        self._transport = transport
        self._written = 0
        self._key = b""

    @property
    def code(self) -> int | None:
        """How it ended: an exit code, or a signal as a negative number; None while it runs."""
        return self._process.returncode

    @property
    def is_over(self) -> bool:
        """Whether it has ended, by itself or not."""
        return (
            self.code is not None or self._process.stdout is None or self._process.stdout.at_eof()
        )

    async def start(self, order: Mapping[str, Json]) -> None:
        """Hands it its script. What it writes from now on begins with a key that only the bridge knows,
        so that a script that reaches the pipe can write no message."""
        key = token_hex(16)
        await self.send({**order, "key": key})
        self._key = key.encode("ascii")

    async def send(self, message: Mapping[str, Json]) -> None:
        """Hands it a message; one that has ended takes none."""
        if self._process.stdin is None:
            return
        # Half of a surrogate pair, which no pipe can carry, stays an escape of JSON.
        self._process.stdin.write(json.dumps(message, allow_nan=False).encode("ascii") + b"\n")
        with suppress(ConnectionError):
            await self._process.stdin.drain()

    async def receive(self) -> Message | None:
        """Its next message, None at its end. Raises `ProtocolViolation`."""
        if self._process.stdout is None:
            return None
        try:
            line = await self._process.stdout.readline()
            self._written += len(line)
            if line and not line.startswith(self._key):
                raise ProtocolViolation("wrote what is no message")
            line = line[len(self._key) :]
            message = (
                loads(line.decode(), parse_constant=_refused, parse_float=_finite) if line else None
            )
        except ValueError:
            raise ProtocolViolation("wrote a line that is too long, or no message") from None
        except RecursionError:
            raise ProtocolViolation("gave a value that is nested too deeply") from None
        if self._written > ALL_BYTES:
            raise ProtocolViolation(f"wrote more than {ALL_BYTES} bytes")
        if message is not None and not isinstance(message, dict):
            raise ProtocolViolation("wrote what is no message")
        return message

    async def end(self) -> None:
        """Ends it and what it may have started, and waits until it is gone, for a bounded time.

        The code of the exit is polled: `wait` returns only when the pipes are closed, too, and a pipe
        that is full and not read any more is never closed:
        https://github.com/python/cpython/issues/119710. The pipes are closed last, because a transport
        that is closed earlier may take the code of the exit from the loop.
        """
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        try:
            async with asyncio.timeout(_END_SECONDS):
                while self.code is None:
                    await asyncio.sleep(_POLL_SECONDS)
        except TimeoutError:
            logger.error("The process %d of a script does not end", self._process.pid)
        finally:
            self._transport.close()

    def bound(self, settings: ScriptSettings) -> None:
        """Limits what it may take from now on, as far as the system can."""
        if sys.platform != "linux":
            return
        import resource

        memory = _data_bytes(self._process.pid) + settings.script_megabytes * 1024 * 1024
        seconds = settings.script_cpu_seconds
        limits = (
            (resource.RLIMIT_DATA, memory, memory),
            (resource.RLIMIT_CPU, seconds, seconds + 1),
            (resource.RLIMIT_FSIZE, 0, 0),
            (resource.RLIMIT_CORE, 0, 0),
        )
        for kind, soft, hard in limits:
            resource.prlimit(self._process.pid, kind, (soft, hard))


class Sandbox:
    """Where scripts run. `open` it before the first of them; a process serves one script, some wait."""

    def __init__(self, settings: ScriptSettings) -> None:
        self._settings = settings
        self._deno = _deno(settings)
        self._is_open = False
        self._waiting: list[asyncio.Task[ScriptProcess]] = []

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """The time in which scripts can be run."""
        self._is_open = True
        self._refill()
        try:
            yield
        finally:
            self._is_open = False
            for task in self._waiting:
                task.cancel()
            ended = await asyncio.gather(*self._waiting, return_exceptions=True)
            self._waiting.clear()
            for each in ended:
                if isinstance(each, ScriptProcess):
                    await each.end()

    @asynccontextmanager
    async def process(self) -> AsyncIterator[ScriptProcess]:
        """A fresh process for one script; it is gone afterwards, whatever happened."""
        process = await self._taken()
        self._refill()
        try:
            yield process
        finally:
            await asyncio.shield(process.end())

    async def _taken(self) -> ScriptProcess:
        """A process that waits, or a new one."""
        while self._waiting:
            task = self._waiting.pop(0)
            try:
                process = await asyncio.shield(task)
            except asyncio.CancelledError:
                self._waiting.append(task)
                raise
            except OSError:
                continue
            if not process.is_over:
                return process
            await process.end()
        return await self._started()

    def _refill(self) -> None:
        """Starts processes for the next scripts."""
        while self._is_open and len(self._waiting) < self._settings.script_warm:
            self._waiting.append(asyncio.create_task(self._started()))

    async def _started(self) -> ScriptProcess:
        """A process that is ready for its script. Raises `OSError` if there is none to be had."""
        settings = self._settings
        heap = f"--v8-flags=--jitless,--single-threaded,--max-old-space-size={settings.script_megabytes}"
        loop = asyncio.get_running_loop()
        # As `create_subprocess_exec` does it, which keeps the transport to itself.
        transport, protocol = await loop.subprocess_exec(
            lambda: SubprocessStreamProtocol(limit=MESSAGE_BYTES, loop=loop),
            *(self._deno, "run", *_FLAGS, heap, str(BRIDGE)),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            cwd=_PLACE,
            env=_ENVIRONMENT,
            start_new_session=True,
        )
        process = ScriptProcess(Subprocess(transport, protocol, loop), transport)
        try:
            async with asyncio.timeout(_START_SECONDS):
                if await process.receive() != {"ready": True}:
                    raise ChildProcessError("Deno does not start")
            process.bound(settings)
        except BaseException:
            await process.end()
            raise
        return process


def _refused(constant: str) -> Json:
    raise ValueError(f"{constant} is no number of JSON")


def _finite(text: str) -> float:
    number = float(text)
    if isinf(number):
        raise ProtocolViolation("gave a number that is too large")
    return number


def _deno(settings: ScriptSettings) -> str:
    """The path of Deno. Raises `DenoMissing`."""
    variable = settings.variable("script_deno")
    if settings.script_deno:
        if found := shutil.which(settings.script_deno):
            return found
        raise DenoMissing(f"{variable}: there is no program `{settings.script_deno}`")
    try:
        return os.fsdecode(import_module("deno").find_deno_bin())
    except (ImportError, FileNotFoundError):
        pass
    if found := shutil.which("deno"):
        return found
    raise DenoMissing(
        f"scripts need Deno: install the package `deno`, or set {variable} to its path"
    )


def _data_bytes(pid: int) -> int:
    """The memory that a process may write and has to itself, as its limit counts it."""
    pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[5])
    return pages * os.sysconf("SC_PAGE_SIZE")
