"""The identity of documents that do not lie in a file: their URLs."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit, urlunsplit

_URL = re.compile(r"https?://", re.IGNORECASE)
_PORTS = {"http": 80, "https": 443}


def is_remote(key: str) -> bool:
    """Whether the key of a document is a URL, and not a path."""
    return _URL.match(key) is not None


def remote_key(reference: str, base: str) -> str | None:
    """The URL that a reference in the document with the key `base` leads to, without fragment and
    in one spelling; None for a path, and for what is no URL of http or https.

    A relative reference inside a document that was fetched leads to a URL too.
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
