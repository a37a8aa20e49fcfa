"""Parameters outside a model's control: credentials and headers that frame a request."""

from __future__ import annotations

from collections.abc import Iterable

from mcpgen.config import FlatteningConfig, MethodOverride
from mcpgen.ir.api import ApiSecurityScheme, Parameter, Place, SchemeKind
from mcpgen.lower.flatten.naming import legal_argument_name

_CREDENTIALS = {"authorization", "cookie", "proxy-authorization", "x-forwarded-authorization"}
_FRAMING = {
    "accept",
    "accept-encoding",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "expect",
    "host",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
}
_SENT_ANYWAY = {"accept", "accept-encoding", "connection", "content-length", "content-type", "host"}
_FORWARDED = {"forwarded", "via", "x-real-ip"}
_OVERRIDES = {
    "_method",
    "http-method-override",
    "x-http-method",
    "x-http-method-override",
    "x-method-override",
    "x-original-method",
    "x-original-uri",
    "x-original-url",
    "x-rewrite-uri",
    "x-rewrite-url",
}
"""Names by which frameworks and proxies override method or path.

With such an argument a tool announced as read-only could delete.
"""
_PREFIXES = ("proxy-", "x-forwarded-")


def reason_to_leave_out(parameter: Parameter, schemes: Iterable[ApiSecurityScheme]) -> str:
    """Rule "security scheme parameters, framing headers": why a parameter is never an argument, or `""`.

    Covers `Authorization`, `Accept`, `Content-Type`, `Host`, `Cookie`, hop-by-hop, `Proxy-*` and
    `X-Forwarded-*`.
    """
    name = parameter.name.strip().lower()
    if parameter.place is Place.HEADER:
        if name in _CREDENTIALS:
            return "it carries a credential, which the server supplies"
        if name in _FRAMING or is_forwarded(parameter):
            return "a model must not choose the value of this header"
    for scheme in schemes:
        if is_carried_by(parameter, scheme):
            return f"it carries the credential of `{scheme.id}`"
    return ""


def is_forwarded(parameter: Parameter) -> bool:
    """True for headers about the path of a request through proxies (`X-Forwarded-For`)."""
    name = parameter.name.strip().lower()
    is_header = parameter.place is Place.HEADER and not is_credential(parameter)
    return is_header and (name in _FORWARDED or name.startswith(_PREFIXES))


def is_unsent(parameter: Parameter) -> bool:
    """True for a reserved header in whose place the server sends nothing."""
    name = parameter.name.strip().lower()
    is_framing = parameter.place is Place.HEADER and name in _FRAMING - _SENT_ANYWAY
    return is_framing or is_forwarded(parameter)


def argument_name(parameter: Parameter) -> str:
    """Returns the argument name of a parameter without collisions."""
    return parameter.announced or legal_argument_name(parameter.name)


def override_reason(name: str, flattening: FlatteningConfig) -> str:
    """Returns why a name that overrides method or path is no argument, `""` for any other name
    and where the configuration keeps such arguments."""
    spelled = name.strip().lower()
    if spelled not in _OVERRIDES and spelled.replace("_", "-") not in _OVERRIDES:
        return ""
    if flattening.method_override is MethodOverride.KEEP:
        return ""
    return (
        'it changes the method or path of the request (`flatten.method_override = "keep"` keeps it)'
    )


def is_credential(parameter: Parameter) -> bool:
    """True if the name of a parameter alone marks a credential (`api_key`)."""
    return parameter.place is Place.HEADER and parameter.name.strip().lower() in _CREDENTIALS


def is_carried_by(parameter: Parameter, scheme: ApiSecurityScheme) -> bool:
    """True if a security scheme sends this parameter."""
    if scheme.kind is not SchemeKind.API_KEY or scheme.place is not parameter.place:
        return False
    if parameter.place is Place.HEADER:
        return scheme.name.lower() == parameter.name.strip().lower()
    return scheme.name == parameter.name
