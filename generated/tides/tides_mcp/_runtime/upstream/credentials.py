# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Credentials of the API: selection for a request, and position in the request."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import quote

from ..settings import ServerSettings
from ..tool import Json
from . import value_text
from .exchange import InvalidArguments, UpstreamRequest


@dataclass(frozen=True)
class SecurityScheme:
    """A security scheme of the API. `place` and `name` belong to an API key; `token_url` to OAuth 2
    client credentials, `password_url` to the password grant, and `scopes` to both. Relative URLs
    are resolved against the API's base URL. `setting` is the prefix of the settings with the
    secret."""

    id: str
    kind: Literal["apiKey", "bearer", "basic", "oauth2", "openIdConnect", "mutualTLS"]
    place: Literal["", "header", "query", "cookie"] = ""
    name: str = ""
    token_url: str = ""
    scopes: tuple[str, ...] = ()
    setting: str = ""
    password_url: str = ""

    def setting_choices(self) -> tuple[tuple[str, ...], ...]:
        """The settings of the credential: alternatives, each a tuple of settings used together."""
        match self.kind:
            case "basic":
                return ((f"{self.setting}_username", f"{self.setting}_password"),)
            case "mutualTLS":
                return ((f"{self.setting}_certificate", f"{self.setting}_key"),)
            case "oauth2":
                user = (f"{self.setting}_username", f"{self.setting}_password")
                client = (f"{self.setting}_client_id", f"{self.setting}_client_secret")
                choices = ((user, self.password_url), (client, self.token_url))
                return ((self.setting,), *(choice for choice, url in choices if url))
            case _:
                return ((self.setting,),)


class SecretStore:
    """The secrets of the settings, by scheme."""

    def __init__(self, schemes: Iterable[SecurityScheme], settings: ServerSettings) -> None:
        self.schemes = {scheme.id: scheme for scheme in schemes}
        self.settings = settings

    def pick(self, alternatives: tuple[tuple[str, ...], ...]) -> tuple[SecurityScheme, ...]:
        """The first alternative with all credentials set; `()` if a request without credentials is
        allowed. API keys come first: an API key in the header `Authorization` is overwritten by
        another scheme, whose value serves both. Raises `InvalidArguments` with the missing
        variables if a credential is required."""
        for alternative in alternatives:
            schemes = [self.schemes[id] for id in alternative if id in self.schemes]
            if alternative and all(map(self.secrets, schemes)) and len(schemes) == len(alternative):
                return tuple(sorted(schemes, key=lambda scheme: scheme.kind != "apiKey"))
        if not alternatives or () in alternatives:
            return ()
        choices = "; or ".join(self._variables(alternative) for alternative in alternatives)
        raise InvalidArguments(
            f"this server has no credential for it; its operator has to set {choices}"
        )

    def refuse_unknown(self, ids: Iterable[str]) -> None:
        """Raises `ValueError` for the id of a scheme that the API does not have."""
        if unknown := [id for id in ids if id not in self.schemes]:
            known = ", ".join(self.schemes) or "none"
            raise ValueError(f"the API has no security scheme `{unknown[0]}`; there are: {known}")

    def secrets(self, scheme: SecurityScheme) -> tuple[str, ...]:
        """The values of the first complete choice of settings; `()` if none is complete."""
        for choice in scheme.setting_choices():
            values = tuple(self.value(setting) for setting in choice)
            if all(values):
                return values
        return ()

    async def fetch(self, scheme: SecurityScheme) -> tuple[str, ...]:
        """The values of a scheme for a request."""
        return self.secrets(scheme)

    def forget(self, schemes: Iterable[SecurityScheme]) -> bool:
        """Forgets values that the API refused; returns False if the next request would have the
        same."""
        return False

    def every_secret(self) -> list[str]:
        """All secret values, for redaction."""
        return [
            value
            for scheme in self.schemes.values()
            if scheme.kind != "mutualTLS"
            for setting in (
                *(setting for choice in scheme.setting_choices() for setting in choice),
                f"{scheme.setting}_client_secret",
            )
            if not setting.endswith(("_username", "_client_id"))
            if (value := self.value(setting))
        ]

    def value(self, setting: str) -> str:
        """The value of a setting, `""` if not set."""
        value: Json = getattr(self.settings, setting, None)
        if value is None:
            return ""
        return str(value.get_secret_value() if hasattr(value, "get_secret_value") else value)

    def _variables(self, alternative: tuple[str, ...]) -> str:
        named = [
            " or ".join(
                " with ".join(self.settings.variable(setting) for setting in choice)
                for choice in self.schemes[id].setting_choices()
            )
            for id in alternative
            if id in self.schemes
        ]
        return " and ".join(named)


def add_credential(
    request: UpstreamRequest, scheme: SecurityScheme, secrets: tuple[str, ...]
) -> UpstreamRequest:
    """The request with a credential, replacing an earlier value. Raises `InvalidArguments` for a
    secret with characters that HTTP does not allow."""
    match scheme.kind:
        case "apiKey":
            return _PLACES[scheme.place](request, scheme.name, secrets[0])
        case "basic":
            pair = base64.b64encode(":".join(secrets).encode()).decode()
            return _with_header(request, "Authorization", f"Basic {pair}")
        case "mutualTLS":
            return replace(request, certificate=(secrets[0], secrets[1]))
        case _:
            return _with_header(request, "Authorization", f"Bearer {secrets[0]}")


def _with_header(request: UpstreamRequest, name: str, secret: str) -> UpstreamRequest:
    if name.lower() != "authorization":
        value_text.header_name(name)
    others = (header for header in request.headers if header[0].lower() != name.lower())
    return replace(request, headers=(*others, (name, _carried(value_text.for_header, secret))))


def _with_query(request: UpstreamRequest, name: str, secret: str) -> UpstreamRequest:
    key = quote(name, safe="")
    others = [pair for pair in request.query.split("&") if pair and pair.split("=")[0] != key]
    return replace(request, query="&".join([*others, f"{key}={quote(secret, safe='')}"]))


def _with_cookie(request: UpstreamRequest, name: str, secret: str) -> UpstreamRequest:
    others = (pair for pair in request.cookies if pair.split("=")[0] != name)
    pair = f"{value_text.cookie_name(name)}={_carried(value_text.credential_cookie, secret)}"
    return replace(request, cookies=(*others, pair))


def _carried(write: Callable[[Json], str], secret: str) -> str:
    try:
        return write(secret.strip())
    except InvalidArguments:
        raise InvalidArguments(
            "a credential of this server holds characters that HTTP cannot carry"
        ) from None


_PLACES: dict[str, Callable[[UpstreamRequest, str, str], UpstreamRequest]] = {
    "header": _with_header,
    "query": _with_query,
    "cookie": _with_cookie,
}
