"""Which hosts may be shown the credential of a caller."""

from __future__ import annotations

import re
from collections.abc import Iterable

from yarl import URL

from .origin_check import LOOPBACK

_LABEL = r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?"
_PATTERN = re.compile(
    rf"\*(?:\.{_LABEL}){{2,}}|{_LABEL}(?:\.{_LABEL})*|\[[0-9a-f:.]+\]", re.IGNORECASE
)
_AUTHORITY = re.compile(r"https?://[A-Za-z0-9._\[\]:-]+(?:[/?#]|$)", re.IGNORECASE)


def is_pattern(text: str) -> bool:
    """Whether the text can stand on a list of trusted hosts: `example.com`, which is only itself,
    or `*.example.com`, which is the domain and every one below it."""
    return _PATTERN.fullmatch(text) is not None


def may_see_credentials(url: str, patterns: Iterable[str]) -> bool:
    """Whether a URL leads to one of the hosts, over TLS unless it is this machine.

    One that cannot be read, or that two readers may read differently, leads nowhere.
    """
    if not _AUTHORITY.match(url):
        return False
    try:
        parsed = URL(url, encoded=True)
        host = (parsed.raw_host or "").lower()
        _ = parsed.port
    except ValueError:
        return False
    if parsed.scheme != "https" and host not in LOOPBACK:
        return False
    return any(_covers(pattern.lower(), host) for pattern in patterns)


def _covers(pattern: str, host: str) -> bool:
    if pattern.startswith("*."):
        return host == pattern[2:] or host.endswith(pattern[1:])
    return host == pattern.strip("[]")
