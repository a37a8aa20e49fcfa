"""Base URLs out of `host`, `basePath` and `schemes`;
https://swagger.io/specification/v2/#swagger-object."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mcpgen.diagnostics import Location
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import ApiServer
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node, format_value
from mcpgen.parse.scalars import read_text_key, read_texts_key
from mcpgen.parse.servers import url_fault

_HOST = re.compile(r"[^\s/?#@\\{}]+")
_USABLE = ("https", "http")
"""The schemes that requests can be made with, the preferred one first."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a document says that its API is. `scheme` and `host` are `""` where that is not known;
    `base_path` begins with a slash or is `""`."""

    scheme: str
    host: str
    base_path: str
    at: Location

    def url(self, scheme: str) -> str:
        """The base URL with a scheme."""
        return f"{scheme}://{self.host}{self.base_path}"


def server_address(context: ParseContext, root: Node) -> Address:
    """The address that a document gives, with what is wrong about it told."""
    host, base_path = _host(context, root), _base_path(context, root)
    at = root.child("host" if host else "basePath").at
    if not host:
        return Address("", "", base_path, at)
    scheme = _scheme(context, root, host)
    if not scheme and root.get("schemes"):
        return Address("", "", base_path, at)
    if not scheme:
        scheme = _USABLE[0]
        context.report(
            codes.ASSUMED_SCHEME, root.child("host"), host=format_value(host), scheme=scheme
        )
    return Address(scheme, host, base_path, at)


def document_servers(base: Address) -> tuple[ApiServer, ...]:
    """The server of a document: relative where the host is not known, none where nothing is."""
    url = base.url(base.scheme) if base.host else base.base_path
    return (ApiServer(url, base.at),) if url else ()


def operation_servers(context: ParseContext, node: Node, base: Address) -> tuple[ApiServer, ...]:
    """The server of an operation that names other schemes than the document; else none."""
    if not base.host:
        return ()
    scheme = _scheme(context, node, base.host)
    if scheme in ("", base.scheme):
        return ()
    return (ApiServer(base.url(scheme), node.child("schemes").at),)


def _scheme(context: ParseContext, node: Node, host: str) -> str:
    """The best of the schemes that a node lists; `""`, told if it lists any, where none can be
    used."""
    schemes = read_texts_key(context, node, "schemes")
    lower_schemes = {scheme.lower() for scheme in schemes}
    usable_scheme = next((scheme for scheme in _USABLE if scheme in lower_schemes), "")
    if schemes and not usable_scheme:
        url = format_value(f"{schemes[0]}://{host}")
        reason = f"`{format_value(schemes[0])}` is neither http nor https"
        context.report(codes.UNUSABLE_SERVER, node.child("schemes"), url=url, reason=reason)
    return usable_scheme


def _host(context: ParseContext, root: Node) -> str:
    """The host with its port; `""`, told, where it cannot be used."""
    host = read_text_key(context, root, "host").strip()
    if not host:
        return ""
    fault = "`host` holds a name and a port, and nothing else"
    if _HOST.fullmatch(host):
        fault = url_fault(f"https://{host}")
    if not fault:
        return host
    context.report(codes.UNUSABLE_SERVER, root.child("host"), url=format_value(host), reason=fault)
    return ""


def _base_path(context: ParseContext, root: Node) -> str:
    """What stands before every path, without a slash at its end."""
    base_path = read_text_key(context, root, "basePath").strip()
    path = base_path.rstrip("/")
    if not path or path.startswith("/"):
        return path
    context.report(
        codes.MENDED_PATH,
        root.child("basePath"),
        path=format_value(base_path, 200),
        mended=format_value(f"/{path}", 200),
        reason="it begins with a slash",
    )
    return f"/{path}"
