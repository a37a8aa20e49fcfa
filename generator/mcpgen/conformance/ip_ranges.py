"""Where an address lies: on this machine, in a private network, or out in the world."""

from __future__ import annotations

import ipaddress

PRIVATE_SUFFIXES = (".localhost", ".local", ".internal", ".test", ".home.arpa")
"""Ends of names that the public name system never answers."""


def private(hostname: str) -> bool:
    """Whether a host name or IP address can only be reached from nearby, as in development."""
    name = hostname.lower().rstrip(".")
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return "." not in name or name.endswith(PRIVATE_SUFFIXES)
    return address.is_private or address.is_loopback or address.is_link_local


def covers_host(hostname: str, domains: tuple[str, ...]) -> bool:
    """Whether one of the domains covers the name: `*.example.com` is the domain and everything
    below it, `example.com` itself alone; case does not matter."""
    name = hostname.lower()
    for domain in (known.lower() for known in domains):
        bare = domain.removeprefix("*.")
        if name == bare or (bare != domain and name.endswith(f".{bare}")):
            return True
    return False
