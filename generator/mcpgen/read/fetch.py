"""One document from a host that the user allows, over a connection that can do nothing else.

No credentials, no cookies and no proxy are used. What is spent is bounded: bytes, seconds and
redirects, which may only lead to allowed hosts.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from threading import Timer
from urllib.parse import SplitResult, urlsplit

from mcpgen.ir.remote import remote_key
from mcpgen.read import limits
from mcpgen.read.addresses import addresses_of

_PORTS = {"http": 80, "https": 443}
_REDIRECTS = {301, 302, 303, 307, 308}
_HEADERS = {
    "Accept": "application/json, application/yaml, */*;q=0.5",
    "Accept-Encoding": "identity",
    "Connection": "close",
    "User-Agent": "mcpgen",
}


@dataclass(frozen=True, slots=True)
class Fetched:
    """The bytes of a document, and the URL it was found at after redirects."""

    content: bytes
    url: str


class NotAllowed:
    """A URL on a host that the user does not allow."""


@dataclass(frozen=True, slots=True)
class Unfetched:
    """Why a document that may be fetched could not be."""

    reason: str


class Remote:
    """The hosts that documents may be fetched from, each with the port where it is not the usual
    one."""

    def __init__(self, hosts: Sequence[str]) -> None:
        self._hosts = {_host_and_port(f"//{host}") for host in hosts}

    def allows(self, url: str) -> bool:
        """Whether a URL lies on one of the hosts."""
        scheme = urlsplit(url).scheme
        host, port = _host_and_port(url)
        asked = port or _PORTS[scheme]
        return (host, asked) in self._hosts or (
            asked == _PORTS[scheme] and (host, None) in self._hosts
        )

    def fetch(self, url: str) -> Fetched | NotAllowed | Unfetched:
        """The document at a URL, which is one that `remote_key` gives."""
        until = time.monotonic() + limits.REMOTE_SECONDS
        for _ in range(limits.REDIRECTS + 1):
            if not self.allows(url):
                return NotAllowed()
            if "@" in urlsplit(url).netloc:
                return Unfetched("the URL holds a user name")
            try:
                found = _got(url, until)
            except (OSError, http.client.HTTPException, ValueError) as error:
                late = time.monotonic() >= until
                slow = f"it took longer than {limits.REMOTE_SECONDS} seconds"
                return Unfetched(slow if late else _reason(error))
            if isinstance(found, bytes):
                return Fetched(found, url)
            if found.startswith("http:") and url.startswith("https:"):
                return Unfetched("it redirects from https to http")
            url = found
        return Unfetched(f"it redirects more than {limits.REDIRECTS} times")


def _got(url: str, until: float) -> bytes | str:
    """The bytes at a URL, or the URL it redirects to.

    Raises OSError, HTTPException and ValueError.
    """
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or _PORTS[parts.scheme]
    with _connected(host, port, parts.scheme == "https", until) as link:
        connection = http.client.HTTPConnection(host, port)
        connection.sock = link
        connection.auto_open = 0
        connection.request("GET", _target(parts), headers={**_HEADERS, "Host": parts.netloc})
        with closing(connection.getresponse()) as response:
            if response.status in _REDIRECTS:
                target = remote_key(response.getheader("Location", ""), url)
                if target is None:
                    raise ValueError("it redirects to what is no URL of http or https")
                return target
            if response.status != 200:
                raise ValueError(f"the status of the answer is {response.status}")
            if response.getheader("Content-Encoding", "identity").lower() != "identity":
                raise ValueError("the answer is compressed, which was not asked for")
            content = response.read(limits.FILE_BYTES + 1)
    if time.monotonic() >= until:
        # The connection was cut, which looks like the end of an answer without a length.
        raise TimeoutError
    if len(content) > limits.FILE_BYTES:
        raise ValueError(f"it is larger than {limits.spoken(limits.FILE_BYTES)}")
    if response.length:
        raise ValueError("the answer ended early")
    return content


@contextmanager
def _connected(host: str, port: int, secure: bool, until: float) -> Iterator[socket.socket]:
    """A connection to an address of the host that was checked; cut when the time is over."""
    link = _opened(host, port, until)
    if secure:
        context = ssl.create_default_context()
        link = context.wrap_socket(link, server_hostname=host, do_handshake_on_connect=False)
    # A peer that sends a byte now and then never lets a timeout of the socket pass.
    watch = Timer(max(until - time.monotonic(), 0), _cut, (link,))
    watch.daemon = True
    with closing(link):
        watch.start()
        try:
            if isinstance(link, ssl.SSLSocket):
                link.do_handshake()
            yield link
        finally:
            watch.cancel()


def _opened(host: str, port: int, until: float) -> socket.socket:
    """A connection to the first address that answers. Raises OSError."""
    last = OSError("its name leads nowhere")
    for family, address in addresses_of(host, port):
        link = socket.socket(family, socket.SOCK_STREAM)
        link.settimeout(max(until - time.monotonic(), 0.001))
        try:
            link.connect(address)
        except OSError as error:
            link.close()
            last = error
        else:
            return link
    raise last


def _cut(link: socket.socket) -> None:
    """Ends a connection that another thread is reading from."""
    try:
        socket.socket.shutdown(link, socket.SHUT_RDWR)
    except OSError:
        # It has ended by itself.
        return


def _target(parts: SplitResult) -> str:
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def _host_and_port(url: str) -> tuple[str, int | None]:
    parts = urlsplit(url)
    return (parts.hostname or "").lower(), parts.port


def _reason(error: Exception) -> str:
    """What went wrong, in a line."""
    told = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(str(told).split())
