"""Upstream credentials and origins of URLs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class PassthroughSpec:
    """The caller's own credential. `trusted` hosts: `example.com` exactly, `*.example.com` with
    all subdomains."""

    trusted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TokenExchange:
    """A token from an issuer for the caller's token; https://www.rfc-editor.org/rfc/rfc8693."""

    token_url: str
    audience: tuple[str, ...] = ()
    resource: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()


Outward: TypeAlias = PassthroughSpec | TokenExchange
"""How a caller's credential becomes an upstream credential."""


def origin(url: str) -> tuple[str, str | None, int | None]:
    """Returns scheme, host and port of a URL, default ports filled in.

    `https://example.com/a` gives `("https", "example.com", 443)`. An invalid URL such as
    `https://[::1` is its own origin.
    """
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return url, None, None
    return parts.scheme, parts.hostname, port
