"""What is written in one turn of the event loop travels together."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest
from templates.project.package.runtime.joined import LARGEST, Joined

pytestmark = pytest.mark.anyio


class Wire(asyncio.Transport):
    """A transport that keeps what it is given, each write by itself."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 9)})
        self.written: list[bytes] = []
        self.closed = False

    def writelines(self, pieces: Iterable[Any]) -> None:
        """Keeps pieces that are written together."""
        self.written.append(b"".join(pieces))

    def is_closing(self) -> bool:
        """Whether nothing can be written any more."""
        return self.closed

    def close(self) -> None:
        """Ends."""
        self.closed = True


async def test_the_pieces_of_one_turn_are_written_once() -> None:
    wire = Wire()
    joined = Joined(wire)

    joined.write(b"head ")
    joined.write(b"body")
    before = [*wire.written]
    await asyncio.sleep(0)
    joined.write(b"next")
    await asyncio.sleep(0)

    assert (before, wire.written) == ([], [b"head body", b"next"])


async def test_what_is_large_waits_for_nothing() -> None:
    wire = Wire()
    joined = Joined(wire)

    joined.write(b"head ")
    joined.write(b"x" * LARGEST)

    assert wire.written == [b"head " + b"x" * LARGEST]


async def test_a_connection_is_closed_after_what_was_written() -> None:
    wire = Wire()
    joined = Joined(wire)

    joined.write(b"head")
    joined.close()
    written = [*wire.written]
    await asyncio.sleep(0)

    assert wire.closed
    assert wire.written == written == [b"head"]


async def test_nothing_is_written_to_a_connection_that_is_gone() -> None:
    wire = Wire()
    joined = Joined(wire)

    joined.write(b"head")
    wire.close()
    await asyncio.sleep(0)

    assert wire.written == []


async def test_all_else_is_the_transport_s() -> None:
    assert Joined(Wire()).get_extra_info("peername") == ("127.0.0.1", 9)
