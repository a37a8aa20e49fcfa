"""Writes the lines of the audit in a thread, with the outcome of each line, so that a blocked pipe or a
full disk neither delays nor fails a call."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol

from .logs import FLUSH_SECONDS, WRITERS, write_some

QUEUE_BYTES = 4 * 1024 * 1024
"""Size of the lines that wait to be written; further lines are dropped and counted."""

BATCH_SECONDS = 0.01
"""Time in seconds for which the thread collects lines: waking a thread per line costs more than the
line."""

IDLE_SECONDS = 5.0  # Seconds without a line after which the thread ends

PIECE_BYTES = 4096
"""Size of one write of several lines. Linux writes up to 4096 bytes to a pipe in one piece, so that
lines of several processes do not mix."""

Notice = Callable[[int, str], bytes]
"""Makes the line about the number of dropped lines and the reason."""

OnWritten = Callable[[str], None]
"""Called in the thread when a line was written (`""`) or dropped (the reason)."""


class Destination(Protocol):
    """Takes the bytes of lines."""

    def resume(self, is_cut: bool) -> bytes:
        """The bytes to write before the next line, at the start and after a failure; `is_cut` is
        true if the last write ended inside a line. Raises `OSError`."""

    def write(self, data: bytes) -> int:
        """Writes the beginning of `data`; returns the number of bytes. Raises `OSError`."""


class Descriptor:
    """An open file descriptor, such as 1 or 2."""

    def __init__(self, number: int) -> None:
        self._number = number

    def resume(self, is_cut: bool) -> bytes:
        """A newline after a line that was cut off."""
        return b"\n" if is_cut else b""

    def write(self, data: bytes) -> int:
        """Writes to the descriptor. Waits for a reader if the descriptor is set to non-blocking."""
        return len(data) - len(write_some(self._number, data))


class LineWriter:
    """Writes lines to a destination in a thread, which starts with the first line. `notice` makes
    the first line after lines were dropped. `dropped` is called with each dropped line and the
    reason, in the caller's thread or in the writing one."""

    def __init__(
        self,
        destination: Destination,
        notice: Notice,
        dropped: Callable[[bytes, str], None] = lambda line, reason: None,
    ) -> None:
        self._destination = destination
        self._notice = notice
        self._on_dropped = dropped
        self._changed = threading.Condition()
        self._queue: deque[tuple[bytes, OnWritten | None]] = deque()
        self._bytes = 0
        self._dropped_count = 0
        self._reason = ""
        self._is_urgent = False
        self._is_cut = False
        self._must_resume = True
        self._thread: threading.Thread | None = None
        WRITERS.add(self)

    @property
    def failure(self) -> str:
        """The reason why the last lines were dropped, `""` if lines can be written."""
        return self._reason

    def put(self, line: bytes, on_written: OnWritten | None = None) -> None:
        """Queues a line that ends with a newline. Never blocks and never raises; a line with
        `on_written` is written at once."""
        reason = ""
        with self._changed:
            if self._bytes + len(line) > QUEUE_BYTES:
                reason = "the lines before are not written yet"
            elif not self._has_thread():
                reason = "no thread can be started"
            else:
                self._queue.append((line, on_written))
                self._bytes += len(line)
                if on_written:
                    self._is_urgent = True
                if on_written or len(self._queue) == 1:
                    self._changed.notify_all()
                return
            self._dropped_count += 1
            self._reason = reason
        self._drop(line, on_written, reason)

    def flush(self, seconds: float = FLUSH_SECONDS) -> bool:
        """Waits until every line is written or dropped, at most `seconds`; returns False on
        timeout."""
        with self._changed:
            self._is_urgent = True
            self._changed.notify_all()
            return self._changed.wait_for(lambda: not self._bytes, seconds)

    def _has_thread(self) -> bool:
        if self._thread is None:
            thread = threading.Thread(target=self._run, name="line writer", daemon=True)
            try:
                thread.start()
            except RuntimeError:
                return False
            self._thread = thread
        return True

    def _run(self) -> None:
        while lines := self._take_lines():
            piece: list[tuple[bytes, OnWritten | None]] = []
            size = 0
            for line, on_written in lines:
                if piece and size + len(line) > PIECE_BYTES:
                    self._write(piece)
                    piece, size = [], 0
                piece.append((line, on_written))
                size += len(line)
            self._write(piece)

    def _take_lines(self) -> list[tuple[bytes, OnWritten | None]]:
        """All queued lines, after waiting for the first. Empty after `IDLE_SECONDS` without lines,
        which ends the thread."""
        with self._changed:
            self._changed.wait_for(lambda: self._queue, IDLE_SECONDS)
            if not self._queue:
                self._thread = None
                return []
            if not self._is_urgent:
                self._changed.wait_for(lambda: self._is_urgent, BATCH_SECONDS)
            self._is_urgent = False
            lines = [*self._queue]
            self._queue.clear()
            return lines

    def _write(self, piece: Sequence[tuple[bytes, OnWritten | None]]) -> None:
        """Writes lines in one piece, after a notice about dropped lines."""
        with self._changed:
            dropped_count, reason = self._dropped_count, self._reason
        written_bytes, failure, head = 0, "", b""
        try:
            head = self._destination.resume(self._is_cut) if self._must_resume else b""
            head += self._notice(dropped_count, reason) if dropped_count else b""
            data = head + b"".join(line for line, _ in piece)
            while written_bytes < len(data):
                written_bytes += self._destination.write(data[written_bytes:])
                self._is_cut = data[written_bytes - 1 : written_bytes] != b"\n"
        except OSError as fault:
            failure = fault.strerror or type(fault).__name__
        self._must_resume = bool(failure)
        ends, end = [], len(head)
        for line, _ in piece:
            end += len(line)
            ends.append(end)
        count = sum(end > written_bytes for end in ends) if failure else 0
        for (line, on_written), end in zip(piece, ends, strict=True):
            if failure and end > written_bytes:
                self._drop(line, on_written, failure)
            elif on_written:
                on_written("")
        with self._changed:
            # The notice does not cover lines dropped while this piece was written.
            self._dropped_count += count - (
                dropped_count if written_bytes and written_bytes >= len(head) else 0
            )
            self._reason = failure or (self._reason if self._dropped_count else "")
            self._bytes -= sum(len(line) for line, _ in piece)
            self._changed.notify_all()

    def _drop(self, line: bytes, on_written: OnWritten | None, reason: str) -> None:
        if on_written:
            on_written(reason)
        self._on_dropped(line, reason)
