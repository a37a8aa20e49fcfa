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
    """A connected socket, with TLS if `tls`; `ends` is in monotonic seconds.

    Raises OSError: unknown host, refused, TLS; TimeoutError at `ends`.
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
    """Addresses of a host name. `getaddrinfo` has no timeout, so a late lookup is left in its
    thread.
    """
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
    """True for an IP address, which needs no lookup."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _connect_first(addresses: list[Address], ends: float) -> socket.socket:
    """A socket connected to the first address that accepts. Raises the error of the last address."""
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
    """The three socket methods used by http.client, bounded by `ends` (monotonic seconds).

    A plain socket timeout restarts with every byte: a peer with single bytes at intervals would
    never time out.
    """

    def __init__(self, raw: socket.socket, ends: float) -> None:
        self.raw = raw
        self.ends = ends
        self._readers = 0
        self._closing = False

    def arm(self) -> None:
        """Sets the socket's timeout to the remaining time. Raises TimeoutError if no time remains."""
        remaining = self.ends - time.monotonic()
        if remaining <= 0:
            raise TimeoutError("deadline")
        self.raw.settimeout(remaining)

    def sendall(self, data: Any) -> None:
        """Sends all of `data`."""
        self.arm()
        self.raw.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        """A buffered reader over the socket. Closing the reader leaves the socket open."""
        assert mode == "rb"
        self._readers += 1
        return io.BufferedReader(_SocketReader(self), 65_536)

    def close(self) -> None:
        """Closes the socket after the last reader. http.client closes the socket before reading the
        last answer of a connection.
        """
        self._closing = True
        if self._readers == 0:
            self.raw.close()

    def release(self) -> None:
        """Counts a closed reader."""
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
