"""Base URLs out of `host`, `basePath` and `schemes`;
https://swagger.io/specification/v2/#swagger-object."""

from __future__ import annotations

import re

from mcpgen.diagnostics import Location
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.frozen import frozen
from mcpgen.ir.api import ApiServer
from mcpgen.parse.node import Node, shown
from mcpgen.parse.scope import Scope
from mcpgen.parse.servers import url_fault
from mcpgen.parse.values import text, texts

_HOST = re.compile(r"[^\s/?#@\\{}]+")
_USABLE = ("https", "http")
"""The schemes that requests can be made with, the preferred one first."""


@frozen
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


def address(scope: Scope, root: Node) -> Address:
    """The address that a document gives, with what is wrong about it told."""
    host, base_path = _host(scope, root), _base_path(scope, root)
    at = root.child("host" if host else "basePath").at
    if not host:
        return Address("", "", base_path, at)
    scheme = _scheme(scope, root, host)
    if not scheme and root.get("schemes"):
        return Address("", "", base_path, at)
    if not scheme:
        scheme = _USABLE[0]
        scope.tell(codes.ASSUMED_SCHEME, root.child("host"), host=shown(host), scheme=scheme)
    return Address(scheme, host, base_path, at)


def document_servers(base: Address) -> tuple[ApiServer, ...]:
    """The server of a document: relative where the host is not known, none where nothing is."""
    url = base.url(base.scheme) if base.host else base.base_path
    return (ApiServer(url, base.at),) if url else ()


def operation_servers(scope: Scope, node: Node, base: Address) -> tuple[ApiServer, ...]:
    """The server of an operation that names other schemes than the document; else none."""
    if not base.host:
        return ()
    scheme = _scheme(scope, node, base.host)
    if scheme in ("", base.scheme):
        return ()
    return (ApiServer(base.url(scheme), node.child("schemes").at),)


def _scheme(scope: Scope, node: Node, host: str) -> str:
    """The best of the schemes that a node lists; `""`, told if it lists any, where none can be
    used."""
    listed = texts(scope, node, "schemes")
    named = {scheme.lower() for scheme in listed}
    usable = next((scheme for scheme in _USABLE if scheme in named), "")
    if listed and not usable:
        url = shown(f"{listed[0]}://{host}")
        reason = f"`{shown(listed[0])}` is neither http nor https"
        scope.tell(codes.UNUSABLE_SERVER, node.child("schemes"), url=url, reason=reason)
    return usable


def _host(scope: Scope, root: Node) -> str:
    """The host with its port; `""`, told, where it cannot be used."""
    host = text(scope, root, "host").strip()
    if not host:
        return ""
    fault = "`host` holds a name and a port, and nothing else"
    if _HOST.fullmatch(host):
        fault = url_fault(f"https://{host}")
    if not fault:
        return host
    scope.tell(codes.UNUSABLE_SERVER, root.child("host"), url=shown(host), reason=fault)
    return ""


def _base_path(scope: Scope, root: Node) -> str:
    """What stands before every path, without a slash at its end."""
    written = text(scope, root, "basePath").strip()
    path = written.rstrip("/")
    if not path or path.startswith("/"):
        return path
    scope.tell(
        codes.MENDED_PATH,
        root.child("basePath"),
        path=shown(written, 200),
        mended=shown(f"/{path}", 200),
        reason="it begins with a slash",
    )
    return f"/{path}"
