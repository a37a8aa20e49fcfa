"""A socket connected within a deadline, with reads and writes bounded by the deadline."""

from __future__ import annotations

import io
import socket
import ssl
import threading
import time
from ipaddress import ip_address
from typing import Any

Address = tuple[Any, ...]


def open_socket(host: str, port: int, ends: float, *, tls: bool) -> socket.socket:
    """A connected socket, with TLS if asked for; `ends` is in monotonic seconds.

    Raises OSError: no such host, refused, TLS, or TimeoutError at the latest at `ends`.
    """
    raw = _connect_first(_resolve(host, port, ends), ends)
    raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if not tls:
        return raw
    try:
        raw.settimeout(_seconds_left(ends))
        return ssl.create_default_context().wrap_socket(raw, server_hostname=host)
    except (OSError, ValueError):
        raw.close()
        raise


def _resolve(host: str, port: int, ends: float) -> list[Address]:
    """What the name stands for. The lookup of the system knows no timeout: when it is late it is
    left behind in its thread."""
    if _is_ip_address(host):
        return list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    results: list[list[Address] | Exception] = []

    def look_up() -> None:
        try:
            results.append(list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)))
        except (OSError, UnicodeError) as error:
            results.append(error)

    thread = threading.Thread(target=look_up, daemon=True)
    thread.start()
    thread.join(_seconds_left(ends))
    if not results:
        raise TimeoutError("the name was not looked up in time")
    if isinstance(results[0], Exception):
        raise results[0]
    return results[0]


def _is_ip_address(host: str) -> bool:
    """Whether the host is an address, which needs no looking up."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _connect_first(addresses: list[Address], ends: float) -> socket.socket:
    """The first address that answers; raises the last one's error."""
    problem: OSError = OSError("the name has no address")
    for family, kind, protocol, _, address in addresses:
        raw = socket.socket(family, kind, protocol)
        try:
            raw.settimeout(_seconds_left(ends))
            raw.connect(address)
            return raw
        except OSError as error:
            raw.close()
            problem = error
    raise problem


def _seconds_left(ends: float) -> float:
    return max(0.01, ends - time.monotonic())


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
        remaining = self.ends - time.monotonic()
        if remaining <= 0:
            raise TimeoutError("deadline")
        self.raw.settimeout(remaining)

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
