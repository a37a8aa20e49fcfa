"""Builds base URLs from `host`, `basePath` and `schemes`.

https://swagger.io/specification/v2/#swagger-object
"""

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
"""URL schemes for requests, preferred first."""


@dataclass(frozen=True, slots=True)
class Address:
    """Address of an API: `scheme` and `host` are `""` if unknown, `base_path` is `""` or begins
    with a slash."""

    scheme: str
    host: str
    base_path: str
    at: Location

    def url(self, scheme: str) -> str:
        """Base URL with a scheme."""
        return f"{scheme}://{self.host}{self.base_path}"


def server_address(context: ParseContext, root: Node) -> Address:
    """Address of a document. Adds ASSUMED_SCHEME, UNUSABLE_SERVER and MENDED_PATH."""
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
    """Server of a document: a relative URL without `host`, none without `host` and `basePath`."""
    url = base.url(base.scheme) if base.host else base.base_path
    return (ApiServer(url, base.at),) if url else ()


def operation_servers(context: ParseContext, node: Node, base: Address) -> tuple[ApiServer, ...]:
    """Server of an operation with other `schemes` than the document's, otherwise none."""
    if not base.host:
        return ()
    scheme = _scheme(context, node, base.host)
    if scheme in ("", base.scheme):
        return ()
    return (ApiServer(base.url(scheme), node.child("schemes").at),)


def _scheme(context: ParseContext, node: Node, host: str) -> str:
    """Preferred scheme in the list of a node; `""` if none is usable, with UNUSABLE_SERVER for a
    non-empty list."""
    schemes = read_texts_key(context, node, "schemes")
    lower_schemes = {scheme.lower() for scheme in schemes}
    usable_scheme = next((scheme for scheme in _USABLE if scheme in lower_schemes), "")
    if schemes and not usable_scheme:
        url = format_value(f"{schemes[0]}://{host}")
        reason = f"`{format_value(schemes[0])}` is neither http nor https"
        context.report(codes.UNUSABLE_SERVER, node.child("schemes"), url=url, reason=reason)
    return usable_scheme


def _host(context: ParseContext, root: Node) -> str:
    """Host with port; `""` after UNUSABLE_SERVER."""
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
    """Path before every path, without slash at the end. Adds MENDED_PATH."""
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
