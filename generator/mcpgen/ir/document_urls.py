"""URLs as identities of remote documents."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit, urlunsplit

_URL = re.compile(r"https?://", re.IGNORECASE)
_PORTS = {"http": 80, "https": 443}


def is_remote(key: str) -> bool:
    """True if a document key is a URL, False for a path."""
    return _URL.match(key) is not None


def remote_key(reference: str, base: str) -> str | None:
    """Returns the normalized URL of a reference relative to the document `base`, without fragment.

    None for a path and for URLs outside http and https. A relative reference in a fetched document
    gives a URL.
    """
    try:
        url = urljoin(base, reference) if is_remote(base) else reference
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    scheme, host = parts.scheme.lower(), (parts.hostname or "").lower()
    if scheme not in _PORTS or not host:
        return None
    shown = f"[{host}]" if ":" in host else host
    at = "" if port in (None, _PORTS[scheme]) else f":{port}"
    user = parts.netloc.rpartition("@")[0]
    netloc = f"{user}@{shown}{at}" if "@" in parts.netloc else f"{shown}{at}"
    return urlunsplit((scheme, netloc, parts.path or "/", parts.query, ""))
