"""A connection to a host that the user allows, which can do nothing but get one document.

No cookies and no proxy are used, and no credentials but those of a URL that the user named.
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
"""What is raised where a document cannot be had."""

_REDIRECTS = {301, 302, 303, 307, 308}
_HEADERS = {
    "Accept": "application/json, application/yaml, */*;q=0.5",
    "Accept-Encoding": "identity",
    "Connection": "close",
    "User-Agent": "mcpgen",
}


def got(
    url: str,
    ports: Mapping[str, int],
    until: float,
    *,
    authorization: str = "",
    accepts: Callable[[str], bool] = lambda _: True,
    is_trusted: bool = False,
) -> bytes | str:
    """The bytes at a URL, or the URL it redirects to; `ports` are the usual ones by scheme, and
    `until` is when the time is over, on the monotonic clock. `authorization` is sent as the header
    of that name. `accepts` decides by the media type, `""` for none. The name of a host that
    `is_trusted` may lead to a private address.

    Raises one of `FAULTS`.
    """
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or ports[parts.scheme]
    headers = {**_HEADERS, "Host": parts.netloc}
    if authorization:
        headers["Authorization"] = authorization
    with _connected(host, port, parts.scheme == "https", until, is_trusted) as link:
        connection = http.client.HTTPConnection(host, port)
        connection.sock = link
        connection.auto_open = 0
        connection.request("GET", _target(parts), headers=headers)
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
def _connected(
    host: str, port: int, secure: bool, until: float, is_trusted: bool
) -> Iterator[socket.socket]:
    """A connection to an address of the host that was checked; cut when the time is over."""
    link = _opened(host, port, until, is_trusted)
    if secure:
        context = ssl.create_default_context()
        link = context.wrap_socket(link, server_hostname=host, do_handshake_on_connect=False)
    # A peer that sends a byte now and then never lets a timeout of the socket pass.
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


def _opened(host: str, port: int, until: float, is_trusted: bool) -> socket.socket:
    """A connection to the first address that answers. Raises OSError."""
    last = OSError("its name leads nowhere")
    for family, address in addresses_of(host, port, is_trusted=is_trusted):
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
    """Ends a connection that another thread is reading from."""
    try:
        socket.socket.shutdown(link, socket.SHUT_RDWR)
    except OSError:
        # It has ended by itself.
        return


def _target(parts: SplitResult) -> str:
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_ASSIGNED = ipaddress.ip_network("2000::/3")
_LOOPBACK_NAME = "localhost"

SocketAddress = tuple[Any, ...]
"""What `connect` takes; its form depends on the family."""


class NoAllowedAddress(OSError):
    """A host that leads to no address that may be connected to, and why."""


def addresses_of(
    host: str, port: int, *, is_trusted: bool = False
) -> list[tuple[socket.AddressFamily, SocketAddress]]:
    """The socket addresses of a host that may be connected to.

    A name leads to public addresses only, so that whoever owns it cannot point a build into the
    network it runs in. An address that was written out, `localhost`, and a name that
    `is_trusted` because the user typed it lead where they say.
    Raises NoAddress, or OSError where the name cannot be looked up.
    """
    answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    found: list[tuple[socket.AddressFamily, SocketAddress]] = [
        (family, address) for family, _, _, _, address in answers
    ]
    if is_trusted or is_literal(host) or host == _LOOPBACK_NAME:
        return found
    public = [each for each in found if is_public_address(str(each[1][0]))]
    if not public:
        raise NoAllowedAddress(f"its name leads to the private address {found[0][1][0]}")
    return public


def is_literal(host: str) -> bool:
    """Whether a host is an address as it is usually written."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_public_address(address: str) -> bool:
    """Whether an address belongs to the public network, also the one inside an IPv6 address."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        if inner := found.ipv4_mapped or found.sixtofour:
            return is_public_address(str(inner))
        if found in _NAT64:
            return is_public_address(str(ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)))
        return found in _ASSIGNED and found.is_global and found.teredo is None
    return found.is_global and not found.is_multicast
