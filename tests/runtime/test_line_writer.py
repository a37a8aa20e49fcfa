"""Lines are written in a thread, so a blocked destination blocks no request."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENOSPC

from mcpgen_runtime.observability.line_writer import QUEUE_BYTES, Descriptor, LineWriter


class Disk:
    """Destination with room for a number of bytes."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.data = b""

    def resume(self, is_cut: bool) -> bytes:
        """Returns a newline after a cut line."""
        return b"\n" if is_cut else b""

    def write(self, data: bytes) -> int:
        """Writes as many bytes as fit; raises when full."""
        if not self.room:
            raise OSError(ENOSPC, os.strerror(ENOSPC))
        piece = data[: self.room]
        self.data += piece
        self.room -= len(piece)
        return len(piece)


def notice(count: int, reason: str) -> bytes:
    """Returns the line about dropped lines."""
    return f"{count} dropped: {reason}\n".encode()


@contextmanager
def pipe() -> Iterator[tuple[int, int]]:
    """Pipe, closed after the test."""
    reads, writes = os.pipe()
    try:
        yield reads, writes
    finally:
        os.close(reads)
        os.close(writes)


def test_lines_are_written_in_their_order() -> None:
    disk = Disk(room=10_000)
    writer = LineWriter(disk, notice)

    for number in range(1000):
        writer.put(b"%d\n" % number)
    writer.flush()

    assert disk.data.split() == [b"%d" % number for number in range(1000)]


def test_lines_that_a_full_disk_refuses_are_counted_and_told_when_there_is_room() -> None:
    disk = Disk(room=9)
    drops: list[tuple[bytes, str]] = []
    writer = LineWriter(disk, notice, lambda line, reason: drops.append((line, reason)))

    for line in (b"first\n", b"second\n", b"third\n"):
        writer.put(line)
        writer.flush()
    disk.room = 1000
    writer.put(b"fourth\n")
    writer.flush()

    full_error = "No space left on device"
    assert disk.data.decode() == f"first\nsec\n2 dropped: {full_error}\nfourth\n"
    assert drops == [(b"second\n", full_error), (b"third\n", full_error)]
    assert writer.failure == ""


def test_lines_of_a_piece_that_are_written_whole_are_not_dropped() -> None:
    disk = Disk(room=14)
    outcomes: list[str] = []
    writer = LineWriter(disk, notice)

    for line in (b"first\n", b"second\n", b"third\n"):
        writer.put(line, outcomes.append if line == b"third\n" else None)
    writer.flush()
    disk.room = 1000
    writer.put(b"fourth\n")
    writer.flush()

    assert outcomes == ["No space left on device"]
    assert disk.data.startswith(b"first\nsecond\nt\n1 dropped")


def test_a_pipe_that_nobody_reads_delays_nobody_and_its_lines_are_counted() -> None:
    line = b"x" * 1023 + b"\n"
    with pipe() as (reads, writes):
        writer = LineWriter(Descriptor(writes), notice)

        for _ in range(QUEUE_BYTES // 1024 + 500):
            writer.put(line)
        is_flushed = writer.flush(0.01)
        read_bytes = bytearray()
        reader = threading.Thread(target=lambda: _read_until(reads, read_bytes, b"last\n"))
        reader.start()
        writer.flush(60)
        writer.put(b"last\n")
        reader.join()

    assert is_flushed is False
    notices = [
        read_line.split() for read_line in read_bytes.splitlines() if b"dropped" in read_line
    ]
    count = sum(int(words[0]) for words in notices)
    assert count >= 400
    assert read_bytes.count(line) + count == QUEUE_BYTES // 1024 + 500


def test_a_pipe_whose_reader_has_gone_delays_nobody() -> None:
    reads, writes = os.pipe()
    os.close(reads)
    writer = LineWriter(Descriptor(writes), notice)

    writer.put(b"line\n")
    is_flushed = writer.flush()
    os.close(writes)

    assert is_flushed
    assert writer.failure == "Broken pipe"


def test_a_descriptor_that_must_not_block_is_waited_for_in_the_thread() -> None:
    with pipe() as (reads, writes):
        os.set_blocking(writes, False)
        writer = LineWriter(Descriptor(writes), notice)
        read = bytearray()
        for _ in range(500):
            writer.put(b"x" * 999 + b"\n")
        writer.put(b"last\n")

        _read_until(reads, read, b"last\n")

    assert len(read) == 500_005


def _read_until(descriptor: int, read: bytearray, end: bytes) -> None:
    while not read.endswith(end):
        read += os.read(descriptor, 65536)
