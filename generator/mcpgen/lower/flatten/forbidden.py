"""Parameters that a model never controls: credentials, and the headers that frame a request."""

from __future__ import annotations

from collections.abc import Iterable

from mcpgen.ir.api import Parameter, Place, SchemeKind, SecurityScheme

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
    "via",
    "forwarded",
}
_PREFIXES = ("proxy-", "x-forwarded-")


def reason_to_leave_out(parameter: Parameter, schemes: Iterable[SecurityScheme]) -> str:
    """Why a parameter is no argument, in words, or `""` if it is one."""
    name = parameter.name.strip().lower()
    if parameter.place is Place.HEADER:
        if name in _CREDENTIALS:
            return "it carries a credential, which the server supplies"
        if name in _FRAMING or name.startswith(_PREFIXES):
            return "the server sets this header"
    for scheme in schemes:
        if carries(parameter, scheme):
            return f"it carries the credential of `{scheme.id}`"
    return ""


def is_credential(parameter: Parameter) -> bool:
    """Whether a parameter is a credential by its name alone."""
    return parameter.place is Place.HEADER and parameter.name.strip().lower() in _CREDENTIALS


def carries(parameter: Parameter, scheme: SecurityScheme) -> bool:
    """Whether a parameter is what a scheme sends."""
    if scheme.kind is not SchemeKind.API_KEY or scheme.place is not parameter.place:
        return False
    if parameter.place is Place.HEADER:
        return scheme.name.lower() == parameter.name.strip().lower()
    return scheme.name == parameter.name
