"""Whose credentials the API gets, and where a URL leads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class PassthroughSpec:
    """The caller's, as they came. `trusted` are the hosts that may see them: `example.com` only
    itself, `*.example.com` the domain and every one below it."""

    trusted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TokenExchange:
    """A token that an issuer gives for the caller's; https://www.rfc-editor.org/rfc/rfc8693."""

    token_url: str
    audience: tuple[str, ...] = ()
    resource: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()


Outward: TypeAlias = PassthroughSpec | TokenExchange
"""How a caller's credential becomes one for the API."""


def origin(url: str) -> tuple[str, str | None, int | None]:
    """Scheme, host and port of a URL, the port also where it is the usual one. An address that is no
    URL, such as `https://[::1`, is an origin of its own."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return url, None, None
    return parts.scheme, parts.hostname, port
