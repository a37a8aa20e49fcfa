"""One document from a host that the user allows.

What is spent is bounded: bytes, seconds and redirects, which may only lead to allowed hosts.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from mcpgen.read import limits

PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Fetched:
    """The bytes of a document, and the URL it was found at after redirects."""

    content: bytes
    url: str


class HostNotAllowed:
    """A URL on a host that the user does not allow."""


@dataclass(frozen=True, slots=True)
class FetchError:
    """Why a document that may be fetched could not be."""

    reason: str


class AllowedHosts:
    """The hosts that documents may be fetched from, each with the port where it is not the usual
    one."""

    def __init__(self, hosts: Sequence[str]) -> None:
        self._hosts = {_host_and_port(f"//{host}") for host in hosts}

    def allows(self, url: str) -> bool:
        """Whether a URL lies on one of the hosts."""
        scheme = urlsplit(url).scheme
        host, port = _host_and_port(url)
        asked = port or PORTS[scheme]
        return (host, asked) in self._hosts or (
            asked == PORTS[scheme] and (host, None) in self._hosts
        )

    def fetch(self, url: str) -> Fetched | HostNotAllowed | FetchError:
        """The document at a URL, which is one that `remote_key` gives."""
        until = time.monotonic() + limits.REMOTE_SECONDS
        for _ in range(limits.REDIRECTS + 1):
            if not self.allows(url):
                return HostNotAllowed()
            if "@" in urlsplit(url).netloc:
                return FetchError("the URL holds a user name")
            # Loaded here: most descriptions refer to no other host.
            from mcpgen.read.http_client import FAULTS, got

            try:
                found = got(url, PORTS, until)
            except FAULTS as error:
                late = time.monotonic() >= until
                slow = f"it took longer than {limits.REMOTE_SECONDS} seconds"
                return FetchError(slow if late else reason_of(error))
            if isinstance(found, bytes):
                return Fetched(found, url)
            if found.startswith("http:") and url.startswith("https:"):
                return FetchError("it redirects from https to http")
            url = found
        return FetchError(f"it redirects more than {limits.REDIRECTS} times")


def _host_and_port(url: str) -> tuple[str, int | None]:
    parts = urlsplit(url)
    return (parts.hostname or "").lower(), parts.port


def reason_of(error: Exception) -> str:
    """The message of a failed request, in one line."""
    told = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(str(told).split())
