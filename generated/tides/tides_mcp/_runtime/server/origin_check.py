# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Host and Origin checks against DNS rebinding."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from ..settings import ServerSettings

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""Names of the loopback host."""

_EVERYWHERE = frozenset({"0.0.0.0", "::", ""})


class OriginCheck:
    """Checks the headers of one server by the settings; loopback names are always allowed."""

    def __init__(self, settings: ServerSettings) -> None:
        self._any_host = "*" in settings.allowed_hosts
        self._hosts = LOOPBACK | {name.lower() for name in settings.allowed_hosts}
        self._origins = frozenset(name.lower().rstrip("/") for name in settings.allowed_origins)
        self._numbers = settings.host in _EVERYWHERE
        if not self._numbers:
            self._hosts |= {settings.host.lower()}
        self.allows_host = lru_cache(maxsize=256)(self._allows_host)

    def _allows_host(self, header: str) -> bool:
        """True if the `Host` header names this server; cached as `allows_host`."""
        host = header.lower()
        name = _name(host)
        if not name:
            return False
        if self._any_host or host in self._hosts or name in self._hosts:
            return True
        return self._numbers and _is_number(name)

    def allows_origin(self, origin: str, host: str) -> bool:
        """True if a page of the origin may call; the server's own host is allowed."""
        origin = origin.lower()
        if origin in self._origins or "*" in self._origins:
            return True
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        if parts.scheme not in ("http", "https"):
            return False
        return parts.netloc == host.lower() or _name(parts.netloc) in LOOPBACK


def _name(authority: str) -> str:
    """The host of `host:port`, without brackets; `""` if malformed."""
    if any(mark in authority for mark in "@/\\?# \t"):
        return ""
    try:
        parts = urlsplit(f"//{authority}")
        _ = parts.port
    except ValueError:
        return ""
    return parts.hostname or ""


def _is_number(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
