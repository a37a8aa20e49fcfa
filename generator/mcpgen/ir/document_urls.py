"""Identities of documents and schemas: URLs, `$id` and `$self`."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit, urlunsplit

from mcpgen.ir.source import Json

_URL = re.compile(r"https?://", re.IGNORECASE)
_PORTS = {"http": 80, "https": 443}
_IDENTIFIER_KEYS = ("$id", "$self")

DATA_KEYS = frozenset({"example", "examples", "default", "const", "enum", "value"})
"""Keywords with data as value, where `$id` is an ordinary key."""


def is_remote(key: str) -> bool:
    """True if a document key is a URL, False for a path.

    Example: `is_remote("https://example.com/api.yaml")` gives `True`.
    """
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
    bracketed = f"[{host}]" if ":" in host else host
    at = "" if port in (None, _PORTS[scheme]) else f":{port}"
    user = parts.netloc.rpartition("@")[0]
    netloc = f"{user}@{bracketed}{at}" if "@" in parts.netloc else f"{bracketed}{at}"
    return urlunsplit((scheme, netloc, parts.path or "/", parts.query, ""))


def own_identifier(value: Json) -> str:
    """The `$id` of a schema or the `$self` of a document, or `""`."""
    if isinstance(value, dict):
        for key in _IDENTIFIER_KEYS:
            if isinstance(value.get(key), str):
                return str(value[key])
    return ""


def resolve_uri(base: str, uri: str) -> str:
    """Resolves `uri` against `base` (RFC 3986 §5); unchanged if `uri` is invalid.

    Example: `resolve_uri("https://example.com/a/b", "../c")` gives `'https://example.com/c'`.
    """
    try:
        return urljoin(base, uri)
    except ValueError:
        return uri
