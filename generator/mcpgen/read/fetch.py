"""Fetches documents over HTTP: references to allowed hosts, and the URL named on the command line.

Bytes, seconds and redirects are bounded by `limits`.
"""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit, urlunsplit

from mcpgen.ir.document_urls import remote_key
from mcpgen.read import limits

PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Fetched:
    """Bytes of a document, and its URL after redirects."""

    content: bytes
    url: str


class HostNotAllowed:
    """A URL whose host the user does not allow."""


@dataclass(frozen=True, slots=True)
class FetchError:
    """Reason for a failed fetch, as the end of a sentence."""

    reason: str


class AllowedHosts:
    """Hosts from which references may be fetched, as `host` or `host:port`.

    Example: `api.example.com` allows the ports 80 (http) and 443 (https) only.
    """

    def __init__(self, hosts: Sequence[str]) -> None:
        self._hosts = {_lowercase_origin(f"//{host}") for host in hosts}

    def allows(self, url: str) -> bool:
        """True if the host and the port of `url` are allowed."""
        scheme = urlsplit(url).scheme
        host, port = _lowercase_origin(url)
        effective_port = port or PORTS[scheme]
        return (host, effective_port) in self._hosts or (
            effective_port == PORTS[scheme] and (host, None) in self._hosts
        )

    def fetch(self, url: str) -> Fetched | HostNotAllowed | FetchError:
        """Fetches the document at `url`, a result of `remote_key`; each redirect must lead to an
        allowed host."""
        until = time.monotonic() + limits.REMOTE_SECONDS
        for _ in range(limits.REDIRECTS + 1):
            if not self.allows(url):
                return HostNotAllowed()
            if "@" in urlsplit(url).netloc:
                return FetchError("the URL holds a user name")
            # Loaded here: most descriptions refer to no other host.
            from mcpgen.read.http_client import FAULTS, http_get

            try:
                response = http_get(url, PORTS, until)
            except FAULTS as error:
                is_late = time.monotonic() >= until
                timeout_reason = f"it took longer than {limits.REMOTE_SECONDS} seconds"
                return FetchError(timeout_reason if is_late else reason_of(error))
            if isinstance(response, bytes):
                return Fetched(response, url)
            if response.startswith("http:") and url.startswith("https:"):
                return FetchError("it redirects from https to http")
            url = response
        return FetchError(f"it redirects more than {limits.REDIRECTS} times")


def _lowercase_origin(url: str) -> tuple[str, int | None]:
    parts = urlsplit(url)
    return (parts.hostname or "").lower(), parts.port


def reason_of(error: Exception) -> str:
    """Message of a failed request, on one line."""
    message = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(str(message).split())


SECRET_PARAMETER = re.compile(
    r"(?:^|[-_.])(?:auth|authorization|code|credential|jwt|key|passwd|password|pwd|sas|sig|signature)$"
    r"|(?:apikey|secret|token)$|(?-i:[a-z0-9]Key)$",
    re.IGNORECASE,
)
"""Names of query parameters with credentials as values, such as `key`, `api_key` and `accessKey`.
"""

MEDIA_TYPE = re.compile(
    r"(?:application|text)/(?:[\w.-]+\+)?(?:x-)?(?:json|yaml)(?:-[\w.-]+)?"
    r"|text/plain|application/octet-stream|",
    re.IGNORECASE,
)
"""Media types of JSON and YAML, and the media types that servers give files of unknown type."""


@dataclass(frozen=True, slots=True)
class Download:
    """Bytes of a document, and the final URL of redirects without query, or `""` if there was none."""

    content: bytes
    redirect: str = ""


def download(url: str) -> Download | FetchError:
    """Fetches the document at `url`. A user name and a password in `url` go to the origin of `url`
    only.

    A redirect may stay on the host, or lead to another host by https. The named host may have a
    private address; the host of a redirect must have a public address.
    """
    # Loaded here: most builds fetch nothing.
    from mcpgen.read.http_client import FAULTS, http_get

    bare, authorization = _split_credentials(url)
    current = remote_key(bare, "")
    if current is None:
        return FetchError("only URLs that begin with http:// or https:// are fetched")
    first_url = current
    until = time.monotonic() + limits.REMOTE_SECONDS
    for _ in range(limits.REDIRECTS + 1):
        if not current.isascii() or not current.isprintable() or " " in current:
            return FetchError("its URL holds characters that have to be percent-encoded")
        try:
            response = http_get(
                current,
                PORTS,
                until,
                authorization=authorization if _origin(current) == _origin(first_url) else "",
                accepts=_is_document,
                is_trusted=_host_of_url(current) == _host_of_url(first_url),
            )
        except FAULTS as error:
            is_late = time.monotonic() >= until
            timeout_reason = f"it took longer than {limits.REMOTE_SECONDS} seconds"
            return FetchError(timeout_reason if is_late else reason_of(error))
        if isinstance(response, bytes):
            return Download(response, "" if current == first_url else _without_query(current))
        if refusal := _redirect_refusal(current, response):
            return FetchError(refusal)
        current = response
    return FetchError(f"it redirects more than {limits.REDIRECTS} times")


def strip_url_credentials(url: str) -> str:
    """The URL without user name, password, fragment and credentials in the query: safe to print and
    store.

    Example: `https://me:pw@example.com/a.json?key=1&v=2` gives `https://example.com/a.json?v=2`.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return url.partition("?")[0].rpartition("@")[2]
    pairs = parts.query.split("&")
    query = "&".join(
        pair for pair in pairs if not SECRET_PARAMETER.search(unquote(pair.partition("=")[0]))
    )
    netloc = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, netloc, parts.path, query, ""))


def _split_credentials(url: str) -> tuple[str, str]:
    """The URL without user name and password, and the value of `Authorization` (RFC 7617), or `""`."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", ""
    user, at, netloc = parts.netloc.rpartition("@")
    bare = urlunsplit(parts._replace(netloc=netloc))
    encoded = base64.b64encode(unquote(user).encode()).decode()
    return bare, f"Basic {encoded}" if at else ""


def _redirect_refusal(current: str, target: str) -> str:
    """Reason for refusing a redirect, or `""`."""
    source, destination = urlsplit(current), urlsplit(target)
    if source.scheme == "https" and destination.scheme != "https":
        return "it redirects from https to http"
    if "@" in destination.netloc:
        return "it redirects to a URL with a user name"
    if _host_of_url(current) != _host_of_url(target) and destination.scheme != "https":
        return f"it redirects to another host without https: {destination.hostname}"
    return ""


def _is_document(media_type: str) -> bool:
    return MEDIA_TYPE.fullmatch(media_type) is not None


def _host_of_url(url: str) -> str:
    return (urlsplit(url).hostname or "").lower()


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


def _without_query(url: str) -> str:
    """Drops the query, which is often a signature."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc, parts.path, "", ""))
