"""One document from a host that the user allows.

What is spent is bounded: bytes, seconds and redirects, which may only lead to allowed hosts.
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


SECRET_PARAMETER = re.compile(
    r"(?:^|[-_.])(?:auth|authorization|code|credential|jwt|key|passwd|password|pwd|sas|sig|signature)$"
    r"|(?:apikey|secret|token)$|(?-i:[a-z0-9]Key)$",
    re.IGNORECASE,
)
"""Names of query parameters whose values are credentials, such as `key`, `api_key` and `accessKey`."""

MEDIA_TYPE = re.compile(
    r"(?:application|text)/(?:[\w.-]+\+)?(?:x-)?(?:json|yaml)(?:-[\w.-]+)?"
    r"|text/plain|application/octet-stream|",
    re.IGNORECASE,
)
"""The media types of JSON and YAML, and those that servers give a file of unknown type."""


@dataclass(frozen=True, slots=True)
class Download:
    """The bytes of a document, and the URL of the last redirect, without its query, or `""`."""

    content: bytes
    redirect: str = ""


def download(url: str) -> Download | FetchError:
    """The document at `url`, which may hold a user name and a password: both are sent to the origin
    of `url` and to no other.

    A redirect may stay on the host, or lead to another one by https. The named host may have a
    private address; the host of a redirect has to have a public one.
    """
    # Loaded here: most builds fetch nothing.
    from mcpgen.read.http_client import FAULTS, got

    bare, authorization = _without_user(url)
    current = remote_key(bare, "")
    if current is None:
        return FetchError("only URLs that begin with http:// or https:// are fetched")
    named = current
    until = time.monotonic() + limits.REMOTE_SECONDS
    for _ in range(limits.REDIRECTS + 1):
        if not current.isascii() or not current.isprintable() or " " in current:
            return FetchError("its URL holds characters that have to be percent-encoded")
        try:
            found = got(
                current,
                PORTS,
                until,
                authorization=authorization if _origin(current) == _origin(named) else "",
                accepts=_is_document,
                is_trusted=_host(current) == _host(named),
            )
        except FAULTS as error:
            late = time.monotonic() >= until
            slow = f"it took longer than {limits.REMOTE_SECONDS} seconds"
            return FetchError(slow if late else reason_of(error))
        if isinstance(found, bytes):
            return Download(found, "" if current == named else _place(current))
        if refusal := _refusal(current, found):
            return FetchError(refusal)
        current = found
    return FetchError(f"it redirects more than {limits.REDIRECTS} times")


def strip_url_credentials(url: str) -> str:
    """The URL without user name, password, fragment and the query parameters that hold credentials:
    the form that may be printed and written down."""
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


def _without_user(url: str) -> tuple[str, str]:
    """The URL without user name and password, and the header `Authorization` made of both."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", ""
    user, at, netloc = parts.netloc.rpartition("@")
    bare = urlunsplit(parts._replace(netloc=netloc))
    encoded = base64.b64encode(unquote(user).encode()).decode()
    return bare, f"Basic {encoded}" if at else ""


def _refusal(current: str, target: str) -> str:
    """The reason why a redirect is not followed, or `""`."""
    before, after = urlsplit(current), urlsplit(target)
    if before.scheme == "https" and after.scheme != "https":
        return "it redirects from https to http"
    if "@" in after.netloc:
        return "it redirects to a URL with a user name"
    if _host(current) != _host(target) and after.scheme != "https":
        return f"it redirects to another host without https: {after.hostname}"
    return ""


def _is_document(media_type: str) -> bool:
    return MEDIA_TYPE.fullmatch(media_type) is not None


def _host(url: str) -> str:
    return (urlsplit(url).hostname or "").lower()


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


def _place(url: str) -> str:
    """The URL without its query, which is often a signature."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc, parts.path, "", ""))
