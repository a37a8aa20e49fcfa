"""Where requests go and what they carry: base URLs, token URLs and security schemes."""

from __future__ import annotations

import re
from dataclasses import replace

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import ApiDescription, ApiSecurityScheme, ApiServer, Operation
from mcpgen.lower.url_allowlist import is_private, refusal


def upstream(api: ApiDescription, chosen: str, diagnostics: Diagnostics) -> str:
    """The absolute base URL of the API, or `""`: the user's choice, else the document's first."""
    if chosen:
        return chosen.rstrip("/")
    if not api.servers:
        diagnostics.add(codes.NO_UPSTREAM, api.at)
        return ""
    first = api.servers[0]
    if not _absolute(first.url) or has_variable(first.url):
        diagnostics.add(codes.NO_UPSTREAM, first.at)
        return ""
    remedy = (
        "set `upstream` in mcpgen.toml, or correct the address in the document or with an overlay"
    )
    return check_url(first.url, first.at, diagnostics, remedy).rstrip("/")


def operation_base_url(api: ApiDescription, operation: Operation, diagnostics: Diagnostics) -> str:
    """The base URL that an operation has for itself, or `""` where it uses the server's. One that
    begins with `/` is a path where the server's is."""
    if not operation.servers or _urls(operation.servers) == _urls(api.servers):
        return ""
    first = operation.servers[0]
    if first.url.startswith("/") and not first.url.startswith("//"):
        return first.url.rstrip("/") or "/"
    if not _absolute(first.url) or (api.servers and first.url == api.servers[0].url):
        return ""
    remedy = "correct the address in the document or with an overlay, or exclude the operation"
    return check_url(first.url, first.at, diagnostics, remedy).rstrip("/")


def allow_schemes(api: ApiDescription, diagnostics: Diagnostics) -> tuple[ApiSecurityScheme, ...]:
    """The security schemes of the document, without token URLs that may not be called."""
    return tuple(
        replace(
            scheme,
            token_url=_token_url(scheme, scheme.token_url, diagnostics),
            password_url=_token_url(scheme, scheme.password_url, diagnostics),
        )
        for scheme in api.security_schemes.values()
    )


def _token_url(scheme: ApiSecurityScheme, url: str, diagnostics: Diagnostics) -> str:
    """The token URL, or `""` with a warning if no token lives there; its query is not looked at.

    Adds REFUSED_TOKEN_URL or PRIVATE_UPSTREAM.
    """
    if not _absolute(url):
        return url
    address = url.partition("?")[0]
    if reason := refusal(address):
        told = url[:120]
        diagnostics.add(
            codes.REFUSED_TOKEN_URL, scheme.at, url=told, scheme=scheme.id, reason=reason
        )
        return ""
    _tell_private(address, scheme.at, diagnostics)
    return url


def security_alternatives(
    api: ApiDescription, operation: Operation, diagnostics: Diagnostics
) -> tuple[tuple[str, ...], ...]:
    """The security alternatives of an operation as scheme ids, of schemes the document defines."""
    kept = []
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
            kept.append(tuple(use.scheme for use in alternative))
    return tuple(dict.fromkeys(kept))


def check_url(url: str, at: Location, diagnostics: Diagnostics, remedy: str) -> str:
    """`url`, or `""` with an error if nothing good can live there; a private one is only told. `remedy`
    is the hint of the error."""
    if reason := refusal(url):
        told = url[:120]
        diagnostics.add(codes.REFUSED_UPSTREAM, at, url=told, reason=reason, remedy=remedy)
        return ""
    _tell_private(url, at, diagnostics)
    return url


def _tell_private(url: str, at: Location, diagnostics: Diagnostics) -> None:
    if is_private(url):
        diagnostics.add(codes.PRIVATE_UPSTREAM, at, url=url[:120])


def has_variable(url: str) -> bool:
    """Whether a URL still has a `{variable}`, so that nobody knows where it leads."""
    return "{" in url


def _urls(servers: tuple[ApiServer, ...]) -> list[str]:
    return [server.url for server in servers]


def _absolute(url: str) -> bool:
    return bool(re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", url)) or url.startswith("//")
