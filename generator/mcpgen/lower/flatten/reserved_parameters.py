"""Parameters that a model never controls: credentials, and the headers that frame a request."""

from __future__ import annotations

from collections.abc import Iterable

from mcpgen.config import FlatteningConfig, MethodOverride
from mcpgen.ir.api import ApiSecurityScheme, Parameter, Place, SchemeKind
from mcpgen.lower.flatten.naming import legal

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
"""Names that frameworks and proxies read another method or path from, in headers, queries, cookies and forms. With
such an argument a tool that is announced as read-only could delete."""
_PREFIXES = ("proxy-", "x-forwarded-")


def reason_to_leave_out(parameter: Parameter, schemes: Iterable[ApiSecurityScheme]) -> str:
    """Why a parameter is no argument, in words, or `""` if it is one."""
    name = parameter.name.strip().lower()
    if parameter.place is Place.HEADER:
        if name in _CREDENTIALS:
            return "it carries a credential, which the server supplies"
        if name in _FRAMING or is_forwarded(parameter):
            return "the server sets this header"
    for scheme in schemes:
        if carries(parameter, scheme):
            return f"it carries the credential of `{scheme.id}`"
    return ""


def is_forwarded(parameter: Parameter) -> bool:
    """Whether a parameter is a header about the way that a request has come."""
    name = parameter.name.strip().lower()
    is_header = parameter.place is Place.HEADER and not is_credential(parameter)
    return is_header and (name in _FORWARDED or name.startswith(_PREFIXES))


def is_unsent(parameter: Parameter) -> bool:
    """Whether the server sends nothing in place of a header that is no argument."""
    name = parameter.name.strip().lower()
    is_framing = parameter.place is Place.HEADER and name in _FRAMING - _SENT_ANYWAY
    return is_framing or is_forwarded(parameter)


def argument_of(parameter: Parameter) -> str:
    """The name of the argument for a parameter that shares its name with no other."""
    return parameter.announced or legal(parameter.name)


def override_reason(name: str, flattening: FlatteningConfig) -> str:
    """Why a parameter or a property of a body that changes the method or path of its request is no argument; `""`
    for another name, and where the user keeps such arguments."""
    spelled = name.strip().lower()
    if spelled not in _OVERRIDES and spelled.replace("_", "-") not in _OVERRIDES:
        return ""
    if flattening.method_override is MethodOverride.KEEP:
        return ""
    return (
        'it changes the method or path of the request (`flatten.method_override = "keep"` keeps it)'
    )


def is_credential(parameter: Parameter) -> bool:
    """Whether a parameter is a credential by its name alone."""
    return parameter.place is Place.HEADER and parameter.name.strip().lower() in _CREDENTIALS


def carries(parameter: Parameter, scheme: ApiSecurityScheme) -> bool:
    """Whether a parameter is what a scheme sends."""
    if scheme.kind is not SchemeKind.API_KEY or scheme.place is not parameter.place:
        return False
    if parameter.place is Place.HEADER:
        return scheme.name.lower() == parameter.name.strip().lower()
    return scheme.name == parameter.name
