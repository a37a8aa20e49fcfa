"""HTTP GET for one document, without redirects, cookies, proxies or compression.

Connections go to checked addresses only, so that a host name cannot point a build into a private
network (server-side request forgery).
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from threading import Timer
from typing import Any
from urllib.parse import SplitResult, urlsplit

from mcpgen.ir.document_urls import remote_key
from mcpgen.read import limits

FAULTS = (OSError, http.client.HTTPException, ValueError)
"""Exceptions of a failed request."""

_REDIRECTS = {301, 302, 303, 307, 308}
_HEADERS = {
    "Accept": "application/json, application/yaml, */*;q=0.5",
    "Accept-Encoding": "identity",
    "Connection": "close",
    "User-Agent": "mcpgen",
}


def http_get(
    url: str,
    ports: Mapping[str, int],
    until: float,
    *,
    authorization: str = "",
    accepts: Callable[[str], bool] = lambda _: True,
    is_trusted: bool = False,
) -> bytes | str:
    """Bytes at `url`, or the target of a redirect as an absolute URL.

    `ports` are the default ports by scheme. `until` is the deadline on the monotonic clock, in
    seconds. `authorization` is the value of the header, or `""`. `accepts` decides by the media
    type, `""` if the response has none. A host name that `is_trusted` may resolve to a private
    address.

    Raises one of `FAULTS`.
    """
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or ports[parts.scheme]
    headers = {**_HEADERS, "Host": parts.netloc}
    if authorization:
        headers["Authorization"] = authorization
    with _connect(host, port, parts.scheme == "https", until, is_trusted) as link:
        connection = http.client.HTTPConnection(host, port)
        connection.sock = link
        connection.auto_open = 0
        connection.request("GET", _request_target(parts), headers=headers)
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
            media_type = response.getheader("Content-Type", "").partition(";")[0].strip()
            if not accepts(media_type):
                raise ValueError(f"the answer is {media_type}, and neither JSON nor YAML")
            content = response.read(limits.FILE_BYTES + 1)
    if time.monotonic() >= until:
        # The connection was cut, which looks like the end of an answer without a length.
        raise TimeoutError
    if len(content) > limits.FILE_BYTES:
        raise ValueError(f"it is larger than {limits.format_bytes(limits.FILE_BYTES)}")
    if response.length:
        raise ValueError("the answer ended early")
    return content


@contextmanager
def _connect(
    host: str, port: int, secure: bool, until: float, is_trusted: bool
) -> Iterator[socket.socket]:
    """A TCP or TLS connection to a checked address of the host; shut down at the deadline."""
    link = _open_socket(host, port, until, is_trusted)
    if secure:
        context = ssl.create_default_context()
        link = context.wrap_socket(link, server_hostname=host, do_handshake_on_connect=False)
    # A peer that sends a byte per second never triggers the timeout of the socket.
    watch = Timer(max(until - time.monotonic(), 0), _abort, (link,))
    watch.daemon = True
    with closing(link):
        watch.start()
        try:
            if isinstance(link, ssl.SSLSocket):
                link.do_handshake()
            yield link
        finally:
            watch.cancel()


def _open_socket(host: str, port: int, until: float, is_trusted: bool) -> socket.socket:
    """Connects to the first address that responds. Raises OSError."""
    last = OSError("its name leads nowhere")
    for family, address in resolve_host(host, port, is_trusted=is_trusted):
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


def _abort(link: socket.socket) -> None:
    """Ends a connection from which another thread is reading."""
    try:
        socket.socket.shutdown(link, socket.SHUT_RDWR)
    except OSError:
        # It has ended by itself.
        return


def _request_target(parts: SplitResult) -> str:
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_ASSIGNED = ipaddress.ip_network("2000::/3")
_LOOPBACK_NAME = "localhost"

SocketAddress = tuple[Any, ...]
"""Argument of `socket.connect`; the form depends on the address family."""


class NoAllowedAddress(OSError):
    """A host without any address that is allowed."""


def resolve_host(
    host: str, port: int, *, is_trusted: bool = False
) -> list[tuple[socket.AddressFamily, SocketAddress]]:
    """Addresses of a host that are allowed, in the resolver's order.

    A host name gives public addresses only. A literal address, `localhost` and a host name that
    `is_trusted`, since the user typed it, give private addresses as well. Raises NoAllowedAddress,
    or OSError if the lookup fails.
    """
    answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses: list[tuple[socket.AddressFamily, SocketAddress]] = [
        (family, address) for family, _, _, _, address in answers
    ]
    if is_trusted or is_literal(host) or host == _LOOPBACK_NAME:
        return addresses
    public = [entry for entry in addresses if is_public_address(str(entry[1][0]))]
    if not public:
        raise NoAllowedAddress(f"its name leads to the private address {addresses[0][1][0]}")
    return public


def is_literal(host: str) -> bool:
    """True for an IPv4 or IPv6 address in standard notation.

    Example: `is_literal("example.com")` gives `False`.
    """
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_public_address(address: str) -> bool:
    """True for a globally routable address; IPv4 addresses inside IPv6 addresses are checked as
    IPv4.

    Example: false for `10.0.0.1` and for `::ffff:10.0.0.1`.
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if inner := ip.ipv4_mapped or ip.sixtofour:
            return is_public_address(str(inner))
        if ip in _NAT64:
            return is_public_address(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)))
        return ip in _ASSIGNED and ip.is_global and ip.teredo is None
    return ip.is_global and not ip.is_multicast
