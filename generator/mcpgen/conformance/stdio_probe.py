"""Exchanges with a server over stdio, as values: one process for each session.

An exchange has the status that an answer over HTTP would have, so that checks of messages hold for
both: 200 for a result, 404 for the error -32601, 400 for other errors, 202 for no answer, and 0 for
a server that ended or did not answer in time.
https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
"""

from __future__ import annotations

import contextlib
import itertools
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import inf

from mcpgen.conformance import strict_json
from mcpgen.conformance.exchange import Fault, FaultKind, HttpExchange, printable
from mcpgen.conformance.model import BUDGET, DEADLINE, NotApplicable
from mcpgen.conformance.probe import TOTAL_BYTES, Probe, ProbeRequest
from mcpgen.conformance.read_response import MAX_PROGRESS_SECONDS, ProgressWait
from mcpgen.conformance.revisions import METHOD_NOT_FOUND
from mcpgen.conformance.strict_json import Json, dumps
from mcpgen.conformance.targets.command import command_words
from mcpgen.conformance.targets.supervised_child import POSIX, signal_group

PREFIX = "stdio:"
"""The beginning of a target that is a command: `stdio:npx -y server`."""

START_SECONDS = 30.0
"""Seconds for the first answer of a process, which include its start."""

SETTLE_SECONDS = 1.0
"""Seconds to wait for an answer to a message that need not be answered."""

BATCH_SECONDS = 5.0
"""Seconds to wait for the answer to a batch with requests, and for the answer to a `ping`."""

MORE_SECONDS = 0.2
"""Seconds to wait for further messages after an answer."""

EXIT_SECONDS = 5.0
"""Seconds for a process to end. The official Python client waits 2 s after closing the input, and 2 s
after SIGTERM; the rest is for a loaded machine."""

CLOSING_SECONDS = 1.0
"""Seconds to wait until standard input is closed."""

LAST_BYTES = 2000
_ping_numbers = itertools.count()
TOTAL_IS_READ = f"the server had sent {TOTAL_BYTES:,} bytes in all, and no more are read"
NO_HTTP = "HTTP, which stdio does not have"


def is_stdio(target: str) -> bool:
    """True for a target such as `stdio:python -m server`."""
    return target.startswith(PREFIX)


def stdio_words(target: str) -> tuple[str, ...]:
    """The words of a target's command. Raises UnusableTarget for a command that cannot be started."""
    return command_words(target.removeprefix(PREFIX))


@dataclass
class StdioRun:
    """The limits of a run, and the probes of all sessions."""

    words: tuple[str, ...]
    timeout: float
    ends: float
    max_bytes: int
    bytes_left: int = TOTAL_BYTES
    answers_pings: bool = True
    unasked: list[str] = field(default_factory=list)
    probes: list[StdioProbe] = field(default_factory=list)


class StdioProbe(Probe):
    """A probe of one session, whose process starts with the first message.

    `odd_lines` are the lines of standard output that are no JSON-RPC message. A process that ended
    is replaced at the next message, and the handshake is repeated.
    """

    is_stdio = True

    def __init__(self, run: StdioRun) -> None:
        super().__init__("http://localhost/", timeout=run.timeout, deadline=inf, max_bytes=1)
        self.ends, self.unasked = run.ends, run.unasked
        self.odd_lines: list[bytes] = []
        self._run = run
        self._process: StdioProcess | None = None
        self._handshake: list[bytes] = []
        run.probes.append(self)

    def for_session(self) -> StdioProbe:
        """A probe with a process of its own."""
        return StdioProbe(self._run)

    def close(self) -> None:
        """Ends the process; the next message starts a new one."""
        if self._process:
            self._process.stop()
            self._process = None

    def close_all(self) -> None:
        """Ends the processes of all sessions."""
        processes = [probe._process for probe in self._run.probes if probe._process]
        for process in processes:
            process.close_input()
        for process in processes:
            process.stop()

    @property
    def bytes_left(self) -> int:
        """The number of bytes that the run still reads."""
        return self._run.bytes_left

    @property
    def process(self) -> StdioProcess:
        """The running process. Raises OSError if the process cannot be started."""
        if self._process is None or self._process.has_ended:
            self.close()
            self._process = StdioProcess(self._run, self.odd_lines)
            for line in self._handshake:
                self._process.write(line)
                self._process.wait_for_response(line)
            self._process.drop_messages()
        return self._process

    def send(self, sending: ProbeRequest) -> HttpExchange:
        """Writes a message and reads the answer. Raises NotApplicable for a request that only HTTP
        has.
        """
        if sending.method != "POST" or sending.target or sending.hang_up:
            raise NotApplicable(NO_HTTP)
        started = time.monotonic()
        if started >= self.ends:
            self.unasked.append(DEADLINE)
            text = "not asked: the time allowed for all checks was over"
            return HttpExchange(fault=Fault(FaultKind.DEADLINE, text))
        if self._run.bytes_left <= 0:
            self.unasked.append(BUDGET)
            text = f"not asked: {TOTAL_IS_READ}"
            return HttpExchange(fault=Fault(FaultKind.TOO_LARGE, text))
        message = _parsed(sending.body)
        method = message.get("method") if isinstance(message, dict) else None
        if method == "initialize" and self._handshake:
            # A connection has one handshake, so another `initialize` gets another process.
            probe = self.for_session()
            try:
                return probe.send(sending)
            finally:
                probe.close()
        seconds = sending.timeout or self._run.timeout
        if not self._process or self._process.has_ended or not self._process.has_answered:
            seconds = max(seconds, START_SECONDS)
        ends = min(started + seconds, self.ends)
        line = sending.body.replace(b"\n", b" ")
        try:
            exchange = self.process.exchange(line, message, sending, ends)
        except OSError as error:
            return _broken(f"the command cannot be started: {error.strerror or error}")
        if method in ("initialize", "notifications/initialized") and exchange.status in (200, 202):
            self._handshake.append(line)
        if exchange.fault and exchange.fault.kind is FaultKind.TIMEOUT and ends == self.ends:
            self.unasked.append(DEADLINE)
        return exchange


class StdioProcess:
    """A server process in a process group of its own, with a thread that reads standard output."""

    def __init__(self, run: StdioRun, odd_lines: list[bytes]) -> None:
        self._run = run
        self._odd_lines = odd_lines
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `stop`
        self._process = subprocess.Popen(
            run.words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=POSIX,
        )
        self._changed = threading.Condition()
        self._inbox: list[tuple[bytes, Json]] = []
        self._pending: dict[tuple[type, Json], list[Json]] = {}
        self._late: dict[tuple[type, Json], Json] = {}
        self._has_ended = self._has_answered = False
        self._excess = ""
        self._may_read = threading.Event()
        self._may_read.set()
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def has_answered(self) -> bool:
        """True after the first message of the server."""
        return self._has_answered

    @property
    def has_ended(self) -> bool:
        """True if standard output has ended, or is not read any further."""
        return self._has_ended

    def write(self, line: bytes) -> None:
        """Writes a line; a server that has ended takes none."""
        assert self._process.stdin
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(line + b"\n")
            self._process.stdin.flush()

    def wait_for_response(self, line: bytes) -> None:
        """Waits for the response to a written line, unless the line is a notification."""
        message = _parsed(line)
        if not isinstance(message, dict) or "id" not in message:
            return
        key = _request_key(message["id"])
        with self._changed:
            self._changed.wait_for(
                lambda: self._has_ended or self._has_response(key), START_SECONDS
            )

    def _has_response(self, key: tuple[type, Json]) -> bool:
        return any(_is_response_to(message, key) for _, message in self._inbox)

    def drop_messages(self) -> None:
        """Forgets the messages received so far."""
        with self._changed:
            self._inbox.clear()

    def exchange(
        self, line: bytes, message: Json, sending: ProbeRequest, ends: float
    ) -> HttpExchange:
        """Writes a line and reads the answer until `ends`, in monotonic seconds.

        A message that need not be answered is followed by a `ping` if no answer comes: the answer to the
        `ping` tells a busy server from one that answers nothing.
        """
        started = time.monotonic()
        key = _request_key(sending.awaits)
        if sending.awaits is None and _is_one_way(message):
            self.write(line)
            return HttpExchange(202, is_stdio=True)
        limit, ping_key = ends, None
        if sending.awaits is None:
            is_batch = isinstance(message, list) and any("id" in part for part in message)
            ends = min(ends, started + (BATCH_SECONDS if is_batch else SETTLE_SECONDS))
        else:
            with self._changed:
                self._pending.setdefault(key, []).append(sending.progress_token)
        # A server that reads nothing must not stop the check.
        threading.Thread(target=self.write, args=(line,), daemon=True).start()
        latest = min(max(ends, started + MAX_PROGRESS_SECONDS), self._run.ends)
        progress = ProgressWait(sending.progress_token, latest)
        lines: list[tuple[bytes, Json]] = []
        answer: bytes | None = None
        ping_is_answered = False
        with self._changed:
            while True:
                for raw, received in self._take(key):
                    if ping_key and _is_response_to(received, ping_key):
                        ends = min(ends, time.monotonic() + MORE_SECONDS)
                        ping_is_answered = True
                        continue
                    lines.append((raw, received))
                    ends = progress.extended(ends, [received])
                    if answer is None and _answers(received, sending):
                        answer = raw
                        more = 0.0 if sending.awaits is not None else MORE_SECONDS
                        ends = min(ends, time.monotonic() + more)
                if answer is not None and (sending.awaits is not None or sending.first):
                    break
                remaining = ends - time.monotonic()
                pings = answer is None and sending.awaits is None and self._run.answers_pings
                if remaining <= 0 and pings and not ping_key and not self._has_ended:
                    ping_key = self._ping()
                    ends = min(limit, time.monotonic() + BATCH_SECONDS)
                    continue
                if remaining <= 0 or (self._has_ended and not self._inbox):
                    break
                self._changed.wait(min(remaining, 0.5))
            if sending.awaits is not None:
                if answer is None:
                    # Progress and the response may still come, and belong to no later request.
                    self._late[key] = sending.progress_token
                self._pending[key].pop()
                if not self._pending[key]:
                    del self._pending[key]
            if ping_key and not ping_is_answered:
                self._late[ping_key] = None
                self._run.answers_pings = False
        messages = tuple(received for _, received in lines)
        seconds = time.monotonic() - started
        if answer is not None:
            status = _batch_status(messages)
            return HttpExchange(
                status,
                {"content-type": "application/json"},
                answer,
                messages,
                seconds=seconds,
                is_stdio=True,
            )
        if self._excess:
            if self._run.bytes_left <= 0:
                self._run.unasked.append(BUDGET)
            return HttpExchange(
                messages=messages, fault=Fault(FaultKind.TOO_LARGE, self._excess), is_stdio=True
            )
        if self._has_ended:
            return _broken(self.ending(), messages)
        if sending.awaits is None:
            return HttpExchange(202, messages=messages, seconds=seconds, is_stdio=True)
        fault = Fault(FaultKind.TIMEOUT, "no answer within the time allowed")
        return HttpExchange(messages=messages, fault=fault, seconds=seconds, is_stdio=True)

    def _ping(self) -> tuple[type, Json]:
        """Sends a `ping`; returns the key of the response."""
        identifier = f"ping-{next(_ping_numbers)}"
        line = dumps({"jsonrpc": "2.0", "id": identifier, "method": "ping"})
        threading.Thread(target=self.write, args=(line,), daemon=True).start()
        return _request_key(identifier)

    def burst(self, messages: Iterable[Json], pause: float, patience: float) -> int:
        """Writes requests, reads nothing for `pause` seconds, and then counts the responses until
        none arrives for `patience` seconds.
        """
        lines = [dumps(message) for message in messages]
        self.drop_messages()
        self._may_read.clear()
        writer = threading.Thread(target=lambda: [*map(self.write, lines)], daemon=True)
        writer.start()
        time.sleep(pause)
        self._may_read.set()
        count, ends = 0, time.monotonic() + patience
        with self._changed:
            while count < len(lines) and time.monotonic() < min(ends, self._run.ends):
                if self._inbox:
                    ends = time.monotonic() + patience
                count += sum(_is_response(received) for _, received in self._inbox)
                self._inbox.clear()
                if self._has_ended:
                    break
                self._changed.wait(0.5)
        if count < len(lines) and time.monotonic() >= self._run.ends:
            self._run.unasked.append(DEADLINE)
        return count

    def close_input(self) -> None:
        """Closes standard input."""
        # A write to a server that reads nothing holds the lock of the stream until the process ends.
        closing = threading.Thread(target=self._close_input, daemon=True)
        closing.start()
        closing.join(CLOSING_SECONDS)

    def _close_input(self) -> None:
        assert self._process.stdin
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.close()

    def terminate(self) -> None:
        """Sends SIGTERM to the process alone, as clients do first."""
        self._process.terminate()

    def ends_within(self, seconds: float) -> bool:
        """Waits for the end of the process."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def stop(self) -> None:
        """Ends the process and its children, by force if needed."""
        self._may_read.set()
        self.close_input()
        if not self.ends_within(EXIT_SECONDS / 5):
            signal_group(self._process, "SIGTERM")
            self.ends_within(EXIT_SECONDS / 5)
        signal_group(self._process, "SIGKILL")
        self._process.wait()
        with self._changed:
            # A child outside of the process group can hold the pipe open for longer.
            self._changed.wait_for(lambda: self._has_ended, EXIT_SECONDS)
        self._errors.close()

    def ending(self) -> str:
        """Describes the end of the process, with the end of standard error."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        code = self._process.poll()
        state = "closed its output" if code is None else f"ended with code {code}"
        errors = printable(self.errors()[-LAST_BYTES:])
        return f"the server {state}{f': {errors}' if errors else ''}"

    def errors(self) -> bytes:
        """Standard error so far."""
        if not POSIX:
            # Windows has no `os.pread`. The server writes at the position that reading moves; the
            # position is at the end again afterwards.
            self._errors.seek(0)
            return self._errors.read()
        size = os.fstat(self._errors.fileno()).st_size
        return os.pread(self._errors.fileno(), size, 0)

    def _read(self) -> None:
        assert self._process.stdout
        with contextlib.suppress(OSError, ValueError), self._process.stdout:
            while self._may_read.wait() and (
                line := self._process.stdout.readline(self._run.max_bytes + 1)
            ):
                self._run.bytes_left -= len(line)
                self._excess = self._find_excess(line)
                if self._excess:
                    break
                self._receive(line)
        with self._changed:
            self._has_ended = True
            self._changed.notify_all()

    def _find_excess(self, line: bytes) -> str:
        """The limit that a line exceeds, `""` for none."""
        if len(line) > self._run.max_bytes:
            return f"the answer is larger than {self._run.max_bytes:,} bytes"
        return TOTAL_IS_READ if self._run.bytes_left <= 0 else ""

    def _receive(self, line: bytes) -> None:
        message = _parsed(line)
        with self._changed:
            self._has_answered = True
            if is_message(message):
                self._inbox.append((line.rstrip(b"\r\n"), message))
                self._changed.notify_all()
            elif len(self._odd_lines) < 1000:
                self._odd_lines.append(line)

    def _take(self, key: tuple[type, Json]) -> list[tuple[bytes, Json]]:
        """Removes the received messages, except those that belong to other requests under way."""
        other_keys = {pending for pending in self._pending if pending != key}
        tokens = [
            token for pending in other_keys for token in self._pending[pending] if token is not None
        ]
        # Of two requests with the same id, each takes one response.
        limit = 1 if len(self._pending.get(key, ())) > 1 else len(self._inbox)
        own: list[tuple[bytes, Json]] = []
        remaining: list[tuple[bytes, Json]] = []
        for raw, message in self._inbox:
            if _is_response(message) and _request_key(message.get("id")) in self._late.keys() - {
                key
            }:
                del self._late[_request_key(message.get("id"))]
                continue
            token = _progress_token(message) if isinstance(message, dict) else None
            is_late = token is not None and token in self._late.values()
            if is_late and token not in (*tokens, *self._pending.get(key, ())):
                continue
            belongs = isinstance(message, dict) and (
                _request_key(message.get("id")) in other_keys
                if "method" not in message
                else _progress_token(message) in tokens
            )
            (remaining if belongs or len(own) >= limit else own).append((raw, message))
        self._inbox[:] = remaining
        return own


def is_message(value: Json) -> bool:
    """True for a JSON-RPC message or a batch.

    Example: `is_message({"jsonrpc": "2.0", "method": "ping"})` gives `True`.
    """
    if isinstance(value, list):
        return bool(value) and all(isinstance(part, dict) and is_message(part) for part in value)
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        return False
    return isinstance(value.get("method"), str) or "result" in value or "error" in value


def _is_response(message: Json) -> bool:
    return isinstance(message, dict) and "method" not in message


def _is_response_to(message: Json, key: tuple[type, Json]) -> bool:
    """True for the response to the request with this key."""
    return _is_response(message) and _request_key(message.get("id")) == key


def _is_one_way(message: Json) -> bool:
    """True for a notification or a response, which get no answer."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return False
    is_notification = isinstance(message.get("method"), str) and "id" not in message
    return is_notification or ("method" not in message and bool({"result", "error"} & {*message}))


def _answers(message: Json, sending: ProbeRequest) -> bool:
    """True for the awaited message; for a message without an awaited id, the first response."""
    if sending.first:
        return True
    if sending.awaits is None:
        return isinstance(message, list) or _is_response(message)
    if isinstance(message, list):
        return any(_answers(part, sending) for part in message)
    return _is_response_to(message, _request_key(sending.awaits))


def _request_key(identifier: Json) -> tuple[type, Json]:
    hashable = isinstance(identifier, str | int | float | bool | None)
    return type(identifier), identifier if hashable else printable(identifier)


def _progress_token(message: Mapping[str, Json]) -> Json:
    params = message.get("params")
    return params.get("progressToken") if isinstance(params, dict) else None


def _batch_status(messages: tuple[Json, ...]) -> int:
    error = HttpExchange(messages=messages).error
    if error is None:
        return 200
    return 404 if error.get("code") == METHOD_NOT_FOUND else 400


def _broken(text: str, messages: tuple[Json, ...] = ()) -> HttpExchange:
    return HttpExchange(messages=messages, fault=Fault(FaultKind.DISCONNECTED, text), is_stdio=True)


def _parsed(raw: bytes) -> Json:
    try:
        return strict_json.loads(raw)
    except ValueError:
        return None
