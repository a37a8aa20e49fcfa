# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""The secrets of the settings: selection of a credential for a request, and credentials in headers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from ..extensions import NotInstalled
from ..settings import ServerSettings
from ..tool import Json
from . import value_text
from .exchange import InvalidArguments, UpstreamRequest


@dataclass(frozen=True)
class HeaderScheme:
    """A security scheme of the API: a bearer token, or an API key in the header `name`. Other schemes
    are a `SecurityScheme` of `upstream.credentials`. `setting` is the setting with the secret, or
    the prefix of several settings."""

    id: str
    kind: Literal["apiKey", "bearer", "basic", "oauth2", "openIdConnect", "mutualTLS"]
    name: str = ""
    setting: str = ""

    def setting_choices(self) -> tuple[tuple[str, ...], ...]:
        """The settings of the credential: alternatives, each a tuple of settings used together."""
        return ((self.setting,),)

    def secret_settings(self) -> Iterable[str]:
        """The settings with a value to redact."""
        return (self.setting,)

    def add(self, request: UpstreamRequest, secrets: tuple[str, ...]) -> UpstreamRequest:
        """The request with the credential, replacing an earlier value. Raises `InvalidArguments` for
        a secret with characters that HTTP does not allow, and `NotInstalled` for another scheme."""
        if self.kind == "apiKey":
            return with_header(request, self.name, secrets[0])
        if self.kind in ("bearer", "openIdConnect"):
            return with_header(request, "Authorization", f"Bearer {secrets[0]}")
        raise NotInstalled("upstream.credentials")


class SecretStore:
    """The secrets of the settings, by scheme."""

    def __init__(self, schemes: Iterable[HeaderScheme], settings: ServerSettings) -> None:
        self.schemes = {scheme.id: scheme for scheme in schemes}
        self.settings = settings

    def pick(self, alternatives: tuple[tuple[str, ...], ...]) -> tuple[HeaderScheme, ...]:
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
            names = ", ".join(self.schemes) or "none"
            raise ValueError(f"the API has no security scheme `{unknown[0]}`; there are: {names}")

    def secrets(self, scheme: HeaderScheme) -> tuple[str, ...]:
        """The values of the first complete choice of settings; `()` if none is complete."""
        for choice in scheme.setting_choices():
            values = tuple(self.value(setting) for setting in choice)
            if all(values):
                return values
        return ()

    async def fetch(self, scheme: HeaderScheme) -> tuple[str, ...]:
        """The values of a scheme for a request."""
        return self.secrets(scheme)

    def forget(self, schemes: Iterable[HeaderScheme]) -> bool:
        """Forgets values that the API refused; returns False if the next request would have the
        same."""
        return False

    def every_secret(self) -> list[str]:
        """All secret values, for redaction; for `basic` also `user:password`, which is sent in base64."""
        settings = (name for scheme in self.schemes.values() for name in scheme.secret_settings())
        basic = (scheme for scheme in self.schemes.values() if scheme.kind == "basic")
        values = (*map(self.value, settings), *(":".join(self.secrets(scheme)) for scheme in basic))
        return [value for value in values if value]

    def value(self, setting: str) -> str:
        """The value of a setting, `""` if not set."""
        value: Json = getattr(self.settings, setting, None)
        if value is None:
            return ""
        return str(value.get_secret_value() if hasattr(value, "get_secret_value") else value)

    def _variables(self, alternative: tuple[str, ...]) -> str:
        choices = [
            " or ".join(
                " with ".join(self.settings.variable(setting) for setting in choice)
                for choice in self.schemes[id].setting_choices()
            )
            for id in alternative
            if id in self.schemes
        ]
        return " and ".join(choices)


def with_header(request: UpstreamRequest, name: str, secret: str) -> UpstreamRequest:
    """The request with a credential in a header."""
    if name.lower() != "authorization":
        value_text.header_name(name)
    headers = (header for header in request.headers if header[0].lower() != name.lower())
    text = encode_secret(value_text.for_header, secret)
    return replace(request, headers=(*headers, (name, text)))


def encode_secret(write: Callable[[Json], str], secret: str) -> str:
    """The text of a secret in a request."""
    try:
        return write(secret.strip())
    except InvalidArguments:
        raise InvalidArguments(
            "a credential of this server holds characters that HTTP cannot carry"
        ) from None
