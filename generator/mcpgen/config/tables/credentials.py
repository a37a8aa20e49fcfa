"""The credentials sent to the API."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from mcpgen.config import validators
from mcpgen.config.key_spec import (
    key,
    keys_of,
)


class CredentialMode(StrEnum):
    """The owner of the credentials in a request to the API."""

    OWN = "own"
    PASSTHROUGH = "passthrough"
    EXCHANGE = "exchange"


@dataclass(frozen=True, slots=True)
class CredentialsConfig:
    """The credentials sent to the API. `own` are the schemes with the server's credentials in every
    mode; `own_hosts` the hosts, besides the API's, that may get the server's credentials; `trusted`
    the hosts that may get a caller's credential; the other fields describe the token exchange with
    the issuer."""

    mode: CredentialMode = key(
        "credentials.mode",
        CredentialMode,
        "Whose credentials the API gets: the server's `own`, or the caller's, handed on as they are "
        "by `passthrough` or as a token that an issuer gives for theirs by `exchange`.",
    )
    own: tuple[str, ...] = key(
        "credentials.own",
        (),
        "Security schemes whose credentials stay the server's own when the caller's are used.",
        "the name of a security scheme",
        validators.is_line,
    )
    own_hosts: tuple[str, ...] = key(
        "credentials.own_hosts",
        (),
        "Hosts beside the API's own that the server's credentials may be sent to: "
        "`uploads.example.com`, which is only itself, or `*.example.com`, the domain and every one "
        "below it.",
        "a host name, or `*.` and a domain of at least two names",
        validators.is_host_pattern,
    )
    trusted: tuple[str, ...] = key(
        "credentials.trusted",
        (),
        "Hosts that callers' credentials may be sent to: `api.example.com`, which is only itself, "
        "or `*.example.com`, the domain and every one below it.",
        "a host name, or `*.` and a domain of at least two names",
        validators.is_host_pattern,
        variable="trusted_hosts",
    )
    token_url: str = key(
        "credentials.exchange.token_url",
        "",
        "The issuer's token endpoint (RFC 8693).",
        "an https URL without user and fragment, or an http one of this machine",
        validators.is_safe_url,
        "exchange_token_url",
    )
    audience: tuple[str, ...] = key(
        "credentials.exchange.audience",
        (),
        "Logical names of the services that the token is for.",
        "a name on one line",
        validators.is_line,
    )
    resource: tuple[str, ...] = key(
        "credentials.exchange.resource",
        (),
        "URLs of the services that the token is for.",
        "an http or https URL without user, query and fragment",
        validators.is_base_url,
    )
    scopes: tuple[str, ...] = key(
        "credentials.exchange.scopes",
        (),
        "Scopes that the token shall have.",
        "printable ASCII characters without blanks, quotes and backslashes",
        validators.is_scope,
    )


KEYS = keys_of(CredentialsConfig)
