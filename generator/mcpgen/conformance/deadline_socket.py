"""A socket that gives up at a fixed moment, however slowly its peer drips bytes."""

from __future__ import annotations

import io
import socket
import time
from typing import Any


class TimedSocket:
    """The three methods http.client uses of a socket, each bounded by `ends` (monotonic seconds).

    A plain socket timeout starts anew with every byte, so a peer that sends one now and then
    would be waited for without end.
    """

    def __init__(self, raw: socket.socket, ends: float) -> None:
        self.raw = raw
        self.ends = ends
        self._readers = 0
        self._closing = False

    def arm(self) -> None:
        """Sets the socket's timeout to the time left; raises TimeoutError when there is none."""
        left = self.ends - time.monotonic()
        if left <= 0:
            raise TimeoutError("deadline")
        self.raw.settimeout(left)

    def sendall(self, data: Any) -> None:
        """Sends all of `data`."""
        self.arm()
        self.raw.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        """A buffered reader over the socket; closing it leaves the socket open."""
        assert mode == "rb"
        self._readers += 1
        return io.BufferedReader(_SocketReader(self), 65_536)

    def close(self) -> None:
        """Closes the socket once its last reader is closed: http.client lets go of the socket
        before it has read an answer that ends the connection."""
        self._closing = True
        if self._readers == 0:
            self.raw.close()

    def release(self) -> None:
        """Takes note that a reader was closed."""
        self._readers -= 1
        if self._closing and self._readers == 0:
            self.raw.close()


class _SocketReader(io.RawIOBase):
    """The reading half of a TimedSocket."""

    def __init__(self, owner: TimedSocket) -> None:
        self._owner = owner

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._owner.arm()
        return self._owner.raw.recv_into(buffer)

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._owner.release()
