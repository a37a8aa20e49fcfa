"""Which addresses a fetch may connect to."""

from __future__ import annotations

import ipaddress
import socket
from typing import Any

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_ASSIGNED = ipaddress.ip_network("2000::/3")
_LOOPBACK_NAME = "localhost"

SocketAddress = tuple[Any, ...]
"""What `connect` takes; its form depends on the family."""


class NoAllowedAddress(OSError):
    """A host that leads to no address that may be connected to, and why."""


def addresses_of(
    host: str, port: int, *, is_trusted: bool = False
) -> list[tuple[socket.AddressFamily, SocketAddress]]:
    """The socket addresses of a host that may be connected to.

    A name leads to public addresses only, so that whoever owns it cannot point a build into the
    network it runs in. An address that was written out, `localhost`, and a name that
    `is_trusted` because the user typed it lead where they say.
    Raises NoAddress, or OSError where the name cannot be looked up.
    """
    answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    found: list[tuple[socket.AddressFamily, SocketAddress]] = [
        (family, address) for family, _, _, _, address in answers
    ]
    if is_trusted or is_literal(host) or host == _LOOPBACK_NAME:
        return found
    public = [each for each in found if is_public_address(str(each[1][0]))]
    if not public:
        raise NoAllowedAddress(f"its name leads to the private address {found[0][1][0]}")
    return public


def is_literal(host: str) -> bool:
    """Whether a host is an address as it is usually written."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_public_address(address: str) -> bool:
    """Whether an address belongs to the public network, also the one inside an IPv6 address."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        if inner := found.ipv4_mapped or found.sixtofour:
            return is_public_address(str(inner))
        if found in _NAT64:
            return is_public_address(str(ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)))
        return found in _ASSIGNED and found.is_global and found.teredo is None
    return found.is_global and not found.is_multicast
