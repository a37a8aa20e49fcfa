"""Upstream URLs and security schemes; refuses URLs that a server must not call."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import replace
from urllib.parse import urlsplit

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import ApiDescription, ApiSecurityScheme, ApiServer, Operation


def upstream_url(api: ApiDescription, configured: str, diagnostics: Diagnostics) -> str:
    """The absolute base URL of the API, or `""`: the user's choice, else the document's first. Adds
    NO_UPSTREAM."""
    if configured:
        return configured.rstrip("/")
    if not api.servers:
        reason = "the API description names no server with a usable URL"
        diagnostics.add(codes.NO_UPSTREAM, api.servers_at or api.at, reason=reason)
        return ""
    first = api.servers[0]
    if not _is_absolute(first.url) or has_variable(first.url):
        fault = "has a variable without value" if has_variable(first.url) else "is relative"
        reason = f"the server URL `{first.url[:120]}` of the API description {fault}"
        diagnostics.add(codes.NO_UPSTREAM, first.at, reason=reason)
        return ""
    remedy = (
        "set `upstream` in mcpgen.toml, or correct the address in the document or with an overlay"
    )
    return check_url(first.url, first.at, diagnostics, remedy).rstrip("/")


def operation_base_url(api: ApiDescription, operation: Operation, diagnostics: Diagnostics) -> str:
    """Returns an operation's own base URL, `""` for the server's. A leading `/` means a path on
    the server's host."""
    if not operation.servers or _urls(operation.servers) == _urls(api.servers):
        return ""
    first = operation.servers[0]
    if first.url.startswith("/") and not first.url.startswith("//"):
        return first.url.rstrip("/") or "/"
    if not _is_absolute(first.url) or (api.servers and first.url == api.servers[0].url):
        return ""
    remedy = "correct the address in the document or with an overlay, or exclude the operation"
    return check_url(first.url, first.at, diagnostics, remedy).rstrip("/")


def allow_schemes(api: ApiDescription, diagnostics: Diagnostics) -> tuple[ApiSecurityScheme, ...]:
    """Returns the document's security schemes in order, without forbidden token URLs."""
    return tuple(
        replace(
            scheme,
            token_url=_token_url(scheme, scheme.token_url, diagnostics),
            password_url=_token_url(scheme, scheme.password_url, diagnostics),
        )
        for scheme in api.security_schemes.values()
    )


def _token_url(scheme: ApiSecurityScheme, url: str, diagnostics: Diagnostics) -> str:
    """Returns the token URL, or `""` with a warning if forbidden; the query is not checked.

    Adds REFUSED_TOKEN_URL or PRIVATE_UPSTREAM.
    """
    if not _is_absolute(url):
        return url
    address = url.partition("?")[0]
    if reason := url_error(address):
        shortened = url[:120]
        diagnostics.add(
            codes.REFUSED_TOKEN_URL, scheme.at, url=shortened, scheme=scheme.id, reason=reason
        )
        return ""
    _report_private(address, scheme.at, diagnostics)
    return url


def security_alternatives(
    api: ApiDescription, operation: Operation, diagnostics: Diagnostics
) -> tuple[tuple[str, ...], ...]:
    """The security alternatives of an operation as scheme ids in document order, of schemes the
    document defines. Adds UNKNOWN_SECURITY_SCHEME."""
    known_alternatives = []
    for alternative in operation.security:
        unknown = [use.scheme for use in alternative if use.scheme not in api.security_schemes]
        for scheme in unknown:
            diagnostics.add(
                codes.UNKNOWN_SECURITY_SCHEME,
                operation.at,
                operation=operation.key,
                scheme=scheme,
            )
        if not unknown:
            known_alternatives.append(tuple(use.scheme for use in alternative))
    return tuple(dict.fromkeys(known_alternatives))


def check_url(url: str, at: Location, diagnostics: Diagnostics, remedy: str) -> str:
    """Returns `url`, or `""` for a forbidden URL.

    `remedy` is the hint. Adds REFUSED_UPSTREAM or PRIVATE_UPSTREAM.
    """
    if reason := url_error(url):
        shortened = url[:120]
        diagnostics.add(codes.REFUSED_UPSTREAM, at, url=shortened, reason=reason, remedy=remedy)
        return ""
    _report_private(url, at, diagnostics)
    return url


def _report_private(url: str, at: Location, diagnostics: Diagnostics) -> None:
    if is_private(url):
        diagnostics.add(codes.PRIVATE_UPSTREAM, at, url=url[:120])


def has_variable(url: str) -> bool:
    """True if a URL contains an unresolved `{variable}`.

    Example: `has_variable("https://{region}.example.com")` gives `True`.
    """
    return "{" in url


def _urls(servers: tuple[ApiServer, ...]) -> list[str]:
    return [server.url for server in servers]


def _is_absolute(url: str) -> bool:
    return bool(re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", url)) or url.startswith("//")


_METADATA_NAMES = {
    "metadata.google.internal",
    "metadata.goog",
    "metadata",
    "instance-data",
    "instance-data.ec2.internal",
}
_METADATA = (
    ipaddress.ip_network("169.254.0.0/16"),
    ipaddress.ip_network("fe80::/10"),
    ipaddress.ip_network("fd00:ec2::254/128"),
    ipaddress.ip_network("100.100.100.200/32"),
    ipaddress.ip_network("168.63.129.16/32"),
)
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_TRANSLATED_IPV4 = ipaddress.ip_network("::ffff:0:0:0/96")
_LOCAL_NAMES = ("localhost", ".localhost", ".local", ".internal", ".lan", ".home.arpa")
_UNSAFE = re.compile(r"[\x00-\x20\x7f\\<>\"`^|{}]")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]*|[0-9]+")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def url_error(url: str) -> str:
    """Why a server may not be pointed at a URL, in words, or `""`."""
    if unsafe := _UNSAFE.search(url):
        character = unsafe[0]
        is_shown = character.isprintable() and character not in " `"
        named = f"`{character}`" if is_shown else f"the character U+{ord(character):04X}"
        return f"it holds {named}, which no URL has"
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        _ = parts.port
    except ValueError:
        return "it is no URL"
    if parts.scheme not in ("http", "https"):
        return f"its scheme is `{parts.scheme}`, not http or https"
    if parts.username is not None or parts.password is not None or "@" in parts.netloc:
        return "it holds a user name"
    if not host or not host.isascii():
        return "its host is no ASCII host name"
    if parts.query or parts.fragment:
        return "it has a query or a fragment"
    return "it is the address of a metadata service" if _is_metadata(host) else ""


def is_private(url: str) -> bool:
    """True if a URL points into a private network or at this machine.

    Example: `is_private("http://10.0.0.1")` gives `True`.
    """
    return _is_private(urlsplit(url).hostname or "")


def _is_metadata(host: str) -> bool:
    address = _address_of_host(host)
    if address is None:
        return host.rstrip(".").lower() in _METADATA_NAMES
    return any(address in network for network in _METADATA if network.version == address.version)


def _is_private(host: str) -> bool:
    address = _address_of_host(host)
    if address is None:
        name = host.rstrip(".").lower()
        return name == "localhost" or name.endswith(_LOCAL_NAMES) or "." not in name
    return not address.is_global or address.is_multicast


def _address_of_host(host: str) -> Address | None:
    """Returns the IP address of a host in any spelling that resolvers accept, None for a name."""
    try:
        address: Address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return _loose_ipv4(host)
    if isinstance(address, ipaddress.IPv6Address):
        return _embedded_ipv4(address) or address
    return address


def _embedded_ipv4(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address inside a mapped, translated, NAT64, 6to4 or compatible IPv6 address."""
    if address.ipv4_mapped or address.sixtofour:
        return address.ipv4_mapped or address.sixtofour
    low = int(address) & 0xFFFFFFFF
    if address in _NAT64 or address in _TRANSLATED_IPV4 or 1 < int(address) < 2**32:
        return ipaddress.IPv4Address(low)
    return None


def _loose_ipv4(host: str) -> ipaddress.IPv4Address | None:
    """Returns an address in the syntax of `inet_aton`: `127.1`, `0x7f000001`, `017700000001`."""
    parts = host.rstrip(".").split(".")
    if len(parts) > 4 or not all(_NUMBER.fullmatch(part) for part in parts):
        return None
    try:
        *high, low = [_octal_or_decimal(part) for part in parts]
    except ValueError:
        return None
    if any(part > 255 for part in high) or low >= 256 ** (4 - len(high)):
        return None
    value = low
    for index, part in enumerate(high):
        value += part << (8 * (3 - index))
    return ipaddress.IPv4Address(value)


def _octal_or_decimal(text: str) -> int:
    if text[:2].lower() == "0x":
        return int(text[2:] or "0", 16)
    return int(text, 8) if len(text) > 1 and text[0] == "0" else int(text)
