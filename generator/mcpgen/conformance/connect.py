"""A connection to a server, made within a moment fixed beforehand."""

from __future__ import annotations

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
    raw = _connected(_addresses(host, port, ends), ends)
    raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if not tls:
        return raw
    try:
        raw.settimeout(_left(ends))
        return ssl.create_default_context().wrap_socket(raw, server_hostname=host)
    except (OSError, ValueError):
        raw.close()
        raise


def _addresses(host: str, port: int, ends: float) -> list[Address]:
    """What the name stands for. The lookup of the system knows no timeout: when it is late it is
    left behind in its thread."""
    if _is_number(host):
        return list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    found: list[list[Address] | Exception] = []

    def look_up() -> None:
        try:
            found.append(list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)))
        except (OSError, UnicodeError) as error:
            found.append(error)

    thread = threading.Thread(target=look_up, daemon=True)
    thread.start()
    thread.join(_left(ends))
    if not found:
        raise TimeoutError("the name was not looked up in time")
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]


def _is_number(host: str) -> bool:
    """Whether the host is an address, which needs no looking up."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _connected(addresses: list[Address], ends: float) -> socket.socket:
    """The first address that answers; raises the last one's error."""
    problem: OSError = OSError("the name has no address")
    for family, kind, protocol, _, address in addresses:
        raw = socket.socket(family, kind, protocol)
        try:
            raw.settimeout(_left(ends))
            raw.connect(address)
            return raw
        except OSError as error:
            raw.close()
            problem = error
    raise problem


def _left(ends: float) -> float:
    return max(0.01, ends - time.monotonic())
