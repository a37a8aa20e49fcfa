"""Security schemes besides bearer tokens and API keys in a header."""

from __future__ import annotations

import base64
import re
import ssl
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal
from urllib.parse import quote

from ..tool import Json
from .exchange import UpstreamError, UpstreamRequest
from .secret_store import HeaderScheme, encode_secret, with_header
from .value_text import cookie_name, for_header

_COOKIE_UNSAFE = re.compile(r"[^!#-+\--:<-\[\]-~]")


@dataclass(frozen=True)
class SecurityScheme(HeaderScheme):
    """A security scheme of any kind. `place` belongs to an API key, `token_url` to OAuth 2 client
    credentials, `password_url` to the password grant, and `scopes` to both. Relative URLs are
    resolved against the API's base URL."""

    place: Literal["", "header", "query", "cookie"] = ""
    token_url: str = ""
    scopes: tuple[str, ...] = ()
    password_url: str = ""

    def setting_choices(self) -> tuple[tuple[str, ...], ...]:
        """The settings of the credential: alternatives, each a tuple of settings used together."""
        user = (f"{self.setting}_username", f"{self.setting}_password")
        client = (f"{self.setting}_client_id", f"{self.setting}_client_secret")
        match self.kind:
            case "basic":
                return (user,)
            case "mutualTLS":
                return ((f"{self.setting}_certificate", f"{self.setting}_key"),)
            case "oauth2":
                choices = ((user, self.password_url), (client, self.token_url))
                return ((self.setting,), *(choice for choice, url in choices if url))
            case _:
                return ((self.setting,),)

    def secret_settings(self) -> Iterable[str]:
        """The settings with a value to redact; certificates are paths of files."""
        if self.kind == "mutualTLS":
            return ()
        settings = (setting for choice in self.setting_choices() for setting in choice)
        secret = f"{self.setting}_client_secret"
        return [
            *(setting for setting in settings if not setting.endswith(("_username", "_client_id"))),
            secret,
        ]

    def add(self, request: UpstreamRequest, secrets: tuple[str, ...]) -> UpstreamRequest:
        """The request with the credential."""
        match self.kind, self.place:
            case "basic", _:
                pair = base64.b64encode(":".join(secrets).encode()).decode()
                return with_header(request, "Authorization", f"Basic {pair}")
            case "mutualTLS", _:
                return replace(request, tls=_context(secrets[0], secrets[1]))
            case "apiKey", "query":
                return _with_query(request, self.name, secrets[0])
            case "apiKey", "cookie":
                return _with_cookie(request, self.name, secrets[0])
            case "oauth2", _:
                return with_header(request, "Authorization", f"Bearer {secrets[0]}")
            case _:
                return super().add(request, secrets)


@cache
def _context(certificate: str, key: str) -> ssl.SSLContext:
    """The TLS context with a client certificate. Raises `UpstreamError` for unreadable files."""
    context = ssl.create_default_context()
    try:
        context.load_cert_chain(certificate, key)
    except OSError as fault:
        raise UpstreamError("could not be reached, as a certificate cannot be read") from fault
    return context


def _with_query(request: UpstreamRequest, name: str, secret: str) -> UpstreamRequest:
    key = quote(name, safe="")
    pairs = [pair for pair in request.query.split("&") if pair and pair.split("=")[0] != key]
    return replace(request, query="&".join([*pairs, f"{key}={quote(secret, safe='')}"]))


def _with_cookie(request: UpstreamRequest, name: str, secret: str) -> UpstreamRequest:
    pairs = (pair for pair in request.cookies if pair.split("=")[0] != name)
    pair = f"{cookie_name(name)}={encode_secret(credential_cookie, secret)}"
    return replace(request, cookies=(*pairs, pair))


def credential_cookie(value: Json) -> str:
    """A credential in a cookie: as given by the operator, including `%`, since the API issued the
    credential in cookie format. Raises `InvalidArguments` for characters not allowed in headers."""
    return _COOKIE_UNSAFE.sub(lambda match: quote(match[0], safe=""), for_header(value))
