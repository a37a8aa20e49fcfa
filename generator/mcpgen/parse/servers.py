"""Parses Server Objects to base URLs.

https://spec.openapis.org/oas/v3.1.1.html#server-object
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import ApiServer
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node, format_value
from mcpgen.parse.scalars import read_mapping_key, read_text_key

_VARIABLE = re.compile(r"\{([^{}]*)\}")
_UNPRINTABLE = re.compile(r"[\x00-\x20\x7f\\]")


def parse_servers(context: ParseContext, node: Node) -> tuple[ApiServer, ...]:
    """Usable servers of a document, path item or operation, in document order. Adds
    UNUSABLE_SERVER."""
    server_list = node.child("servers")
    if server_list.value is not None and not isinstance(server_list.value, list):
        context.report_ignored(server_list, "servers", "a list")
    usable_servers = []
    for element in server_list.elements():
        url = element.get("url")
        if not isinstance(url, str):
            context.report_ignored(
                element.child("url"), "url", "a text", outcome="the server is ignored"
            )
            continue
        base_url, undefined_variable = _fill_variables(context, element, url)
        fault = (
            f"its variable `{format_value(undefined_variable)}` has no default"
            if undefined_variable
            else url_fault(base_url)
        )
        if fault:
            context.report(codes.UNUSABLE_SERVER, element, url=format_value(url), reason=fault)
        else:
            usable_servers.append(
                ApiServer(base_url, element.at, read_text_key(context, element, "name"))
            )
    return tuple(usable_servers)


def _fill_variables(context: ParseContext, node: Node, url: str) -> tuple[str, str]:
    """The URL with default values for variables and without white space around the URL, and the first
    variable without default, or `""`."""
    variables = read_mapping_key(context, node, "variables")
    defaults = {}
    for name, member in variables.members() if variables is not None else ():
        value = member.get("default")
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            defaults[name] = str(value)
    undefined = [name for name in _VARIABLE.findall(url) if name not in defaults]
    base_url = _VARIABLE.sub(lambda match: defaults.get(match[1], ""), url).strip()
    return base_url, "".join(undefined[:1])


def url_fault(url: str) -> str:
    """Reason against a URL as base of requests, or `""`. Example: `ftp://a` is neither http nor
    https."""
    if _UNPRINTABLE.search(url):
        return "it is not a URL"
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return "it is not a URL"
    if parts.scheme and parts.scheme not in ("http", "https"):
        return f"`{format_value(parts.scheme)}` is neither http nor https"
    if bool(parts.scheme) != bool(parts.netloc):
        return "it has no host" if parts.scheme else "it has a host but neither http nor https"
    return ""
