"""Log lines are written in a thread, so a blocked standard error blocks no request."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from mcpgen_runtime.observability.logs import (
    QUEUED_LINES,
    WRITERS,
    LogHandler,
    TextFormatter,
    announce,
)

FULL = Path("/dev/full")


def record(message: str, *arguments: object) -> logging.LogRecord:
    """Returns a record of a library."""
    return logging.LogRecord("library", logging.INFO, "", 0, message, arguments, None)


@contextmanager
def handler(descriptor: int) -> Iterator[LogHandler]:
    """Yields a handler of a descriptor, closed after the test."""
    log_handler = LogHandler(descriptor)
    log_handler.setFormatter(logging.Formatter("%(message)s"))
    try:
        yield log_handler
    finally:
        log_handler.close()


@contextmanager
def pipe() -> Iterator[tuple[int, int]]:
    """Pipe, closed after the test."""
    reads, writes = os.pipe()
    try:
        yield reads, writes
    finally:
        os.close(reads)
        os.close(writes)


def read_until(descriptor: int, end: bytes) -> bytes:
    """Reads until the end."""
    read = bytearray()
    while not read.endswith(end):
        read += os.read(descriptor, 65536)
    return bytes(read)


def test_lines_are_written_in_their_order() -> None:
    with pipe() as (reads, writes), handler(writes) as log:
        for number in range(1000):
            log.handle(record(f"{number}"))
        log.flush()

        lines = read_until(reads, b"999\n").split()

    assert lines == [b"%d" % number for number in range(1000)]


def test_a_pipe_that_nobody_reads_delays_nobody_and_its_lines_are_counted() -> None:
    line = "x" * 999
    with pipe() as (reads, writes), handler(writes) as log:
        for _ in range(2 * QUEUED_LINES):
            log.handle(record(line))
        read: list[bytes] = []
        reader = threading.Thread(target=lambda: read.append(read_until(reads, b"last\n")))
        reader.start()
        log.flush(60)
        log.handle(record("last"))
        reader.join()

    counts = [
        int(read_line.split()[0])
        for read_line in read[0].splitlines()
        if b"were dropped" in read_line
    ]
    assert read[0].count(line.encode()) + sum(counts) == 2 * QUEUED_LINES
    assert sum(counts) >= QUEUED_LINES / 2  # An unread pipe takes a few of these lines
    assert b"records of the log were dropped: the lines before are not written yet\n" in read[0]


@pytest.mark.skipif(not FULL.exists(), reason="needs Linux's device without room")
def test_lines_that_a_full_disk_refuses_are_counted_and_told_when_there_is_room() -> None:
    with pipe() as (reads, writes):
        disk = os.open(FULL, os.O_WRONLY)
        with handler(disk) as log:
            for message in ("first", "second"):
                log.handle(record(message))
            log.flush()
            os.dup2(writes, disk)
            log.handle(record("third"))
            log.handle(record("fourth"))
            log.flush()
        os.close(disk)
        lines = read_until(reads, b"fourth\n").decode().split("\n")

    drop_notice = "2 records of the log were dropped: No space left on device"
    assert lines == [drop_notice, "third", "fourth", ""]


def test_a_line_that_was_cut_off_is_ended_before_the_next() -> None:
    with pipe() as (reads, writes):
        os.set_blocking(writes, False)
        while True:
            try:
                os.write(writes, b"." * 4096)
            except BlockingIOError:
                break
        os.set_blocking(writes, True)
        sink = os.dup(writes)
        with handler(sink) as log:
            log.handle(record("x" * 200_000))
            os.read(reads, 65536)
            log.flush(0.1)
            other_reads, other_writes = os.pipe()
            # The pipe breaks in the middle of the line.
            os.dup2(other_writes, writes)
            os.close(reads)
            log.flush()
            os.dup2(other_writes, sink)
            log.handle(record("next"))
            log.flush()
            read = read_until(other_reads, b"next\n")
            for number in (other_reads, other_writes, sink):
                os.close(number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), reads)

    assert read == b"\n1 records of the log were dropped: Broken pipe\nnext\n"


def test_a_pipe_whose_reader_has_gone_delays_nobody() -> None:
    reads, writes = os.pipe()
    os.close(reads)
    with handler(writes) as log:
        log.handle(record("line"))
        log.flush()
        count, notice = log.dropped()
    os.close(writes)

    assert count == 1
    assert notice == b"1 records of the log were dropped: Broken pipe\n"


def test_a_descriptor_that_must_not_block_is_waited_for_in_the_thread() -> None:
    with pipe() as (reads, writes), handler(writes) as log:
        os.set_blocking(writes, False)
        for _ in range(500):
            log.handle(record("x" * 999))
        log.handle(record("last"))

        read = read_until(reads, b"last\n")

    assert len(read) == 500_005


def test_a_record_that_cannot_be_formatted_is_a_line() -> None:
    with pipe() as (reads, writes), handler(writes) as log:
        log.handle(record("%d\n", "no number"))

        line = read_until(reads, b"\n")

    assert line == b"INFO library: '%d\\n'\n"


def test_a_closed_handler_writes_its_lines_and_ends_its_thread() -> None:
    before = threading.active_count()
    with pipe() as (reads, writes):
        log = LogHandler(writes)
        log.setFormatter(TextFormatter())
        log.handle(record("line"))
        log.close()

        line = read_until(reads, b"line\n")
        log.flush()

    assert line.endswith(b"INFO library: line\n")
    assert threading.active_count() <= before + 1


def test_an_announcement_to_a_pipe_without_a_reader_ends() -> None:
    reads, writes = os.pipe()
    os.close(reads)

    announce("line", writes)

    with pytest.raises(BrokenPipeError):
        os.write(writes, b"line")
    os.close(writes)


def test_an_announcement_that_nobody_reads_does_not_wait_again_at_the_end_of_the_process() -> None:
    with pipe() as (reads, writes):
        os.set_blocking(writes, False)
        with suppress(BlockingIOError):
            while True:
                os.write(writes, b"." * 4096)
        waiting = {*WRITERS}

        announce("line", writes)

        assert {*WRITERS} == waiting
        read_until(reads, b"line\n")
