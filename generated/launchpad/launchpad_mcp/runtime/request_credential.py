"""The credential that a request shows: one, in a header, or none."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

from .asgi import Scope
from .auth_errors import AuthError, malformed_error

LONGEST = 8192
"""Bytes of a header with a credential; tokens beyond are made to cost time."""

_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]+=*")
"""https://www.rfc-editor.org/rfc/rfc6750#section-2.1"""


def credential(scope: Scope, key_header: str = "") -> str:
    """The token or key of a request, `""` if it shows none.

    `key_header` may carry a key beside `Authorization`. Raises `AuthError` for more than one, for
    what is no bearer token, and for a token in the address, which logs and histories would keep.
    """
    query = scope.get("query_string", b"")
    if query and _in_address(query):
        raise malformed_error("A credential must not stand in the address")
    bearers = _values(scope, b"authorization")
    keys = _values(scope, key_header.lower().encode()) if key_header else []
    if len(bearers) + len(keys) > 1:
        raise malformed_error("More than one credential was sent")
    for value in (*bearers, *keys):
        if len(value) > LONGEST:
            raise malformed_error(f"A credential holds at most {LONGEST} bytes")
    if bearers:
        return _bearer(bearers[0])
    if keys:
        return _token(keys[0])
    return ""


def begins_like(scope: Scope, prefixes: tuple[str, ...]) -> bool:
    """Whether a credential of the request begins with one of these, also a key that is of no use
    here and would only be handed on."""
    if not prefixes:
        return False
    shown = [*_values(scope, b"authorization"), *_values(scope, b"x-api-key")]
    return any(value.rpartition(" ")[2].startswith(prefixes) for value in shown)


def _in_address(query: bytes) -> bool:
    pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    return any(name.lower() == "access_token" for name, _ in pairs)


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1").strip(" \t") for key, value in scope["headers"] if key == name]


def _bearer(value: str) -> str:
    scheme, _, token = value.partition(" ")
    if scheme.lower() != "bearer":
        raise AuthError("Only bearer tokens are taken")
    return _token(token.strip(" "))


def _token(text: str) -> str:
    if _TOKEN.fullmatch(text) is None:
        raise AuthError("The credential is malformed")
    return text
