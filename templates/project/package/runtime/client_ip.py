"""From which address a request comes, behind proxies that are trusted to tell."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from .asgi import Scope

Networks = tuple[IPv4Network | IPv6Network, ...]
"""Addresses and networks."""

_IPV6_BITS = 64
"""How much of an IPv6 address is one subscriber's: the rest changes as often as its host likes."""


def address_of(scope: Scope, trusted: Networks) -> str:
    """The address of the client, the network of it for IPv6; `""` if there is none.

    What `X-Forwarded-For` says is believed only as far as trusted proxies have written it.
    """
    client = scope.get("client")
    hops = [client[0] if client else ""]
    hops += reversed([hop.strip() for hop in _forwarded(scope).split(",")])
    address = ""
    for hop in hops:
        try:
            found = ip_address(hop)
        except ValueError:
            break
        if isinstance(found, IPv6Address):
            found = found.ipv4_mapped or found
        address = _subscriber(str(found))
        if not _is_in(str(found), trusted):
            break
    return address


def _forwarded(scope: Scope) -> str:
    """What all headers say together, in order: some proxies add a header, others to the last one."""
    values = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return b",".join(values).decode("latin-1")


def _is_in(address: str, networks: Sequence[IPv4Network | IPv6Network]) -> bool:
    return any(ip_address(address) in network for network in networks)


def _subscriber(address: str) -> str:
    return str(ip_network(f"{address}/{_IPV6_BITS}", strict=False)) if ":" in address else address
