"""The credentials sent to the API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mcpgen.config import validators
from mcpgen.config.key_spec import KeySpec, KeyType, choice, text


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

    mode: CredentialMode = CredentialMode.OWN
    own: tuple[str, ...] = ()
    own_hosts: tuple[str, ...] = ()
    trusted: tuple[str, ...] = ()
    token_url: str = ""
    audience: tuple[str, ...] = ()
    resource: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()


def read_credentials(values: Mapping[str, Any]) -> CredentialsConfig:
    """The credentials configured by the keys."""
    return CredentialsConfig(
        CredentialMode(values["credentials.mode"]),
        values["credentials.own"],
        values["credentials.own_hosts"],
        values["credentials.trusted"],
        values["credentials.exchange.token_url"],
        values["credentials.exchange.audience"],
        values["credentials.exchange.resource"],
        values["credentials.exchange.scopes"],
    )


KEYS = (
    choice(
        "credentials.mode",
        "Whose credentials the API gets: the server's `own`, or the caller's, handed on as they are "
        "by `passthrough` or as a token that an issuer gives for theirs by `exchange`.",
        CredentialMode,
    ),
    KeySpec(
        "credentials.own",
        KeyType.TEXTS,
        (),
        "Security schemes whose credentials stay the server's own when the caller's are used.",
        "the name of a security scheme",
        validators.is_line,
    ),
    KeySpec(
        "credentials.own_hosts",
        KeyType.TEXTS,
        (),
        "Hosts beside the API's own that the server's credentials may be sent to: "
        "`uploads.example.com`, which is only itself, or `*.example.com`, the domain and every one "
        "below it.",
        "a host name, or `*.` and a domain of at least two names",
        validators.is_host_pattern,
    ),
    KeySpec(
        "credentials.trusted",
        KeyType.TEXTS,
        (),
        "Hosts that callers' credentials may be sent to: `api.example.com`, which is only itself, "
        "or `*.example.com`, the domain and every one below it.",
        "a host name, or `*.` and a domain of at least two names",
        validators.is_host_pattern,
        variable="trusted_hosts",
    ),
    text(
        "credentials.exchange.token_url",
        "The issuer's token endpoint (RFC 8693).",
        "an https URL without user and fragment, or an http one of this machine",
        validators.is_safe_url,
        "exchange_token_url",
    ),
    KeySpec(
        "credentials.exchange.audience",
        KeyType.TEXTS,
        (),
        "Logical names of the services that the token is for.",
        "a name on one line",
        validators.is_line,
    ),
    KeySpec(
        "credentials.exchange.resource",
        KeyType.TEXTS,
        (),
        "URLs of the services that the token is for.",
        "an http or https URL without user, query and fragment",
        validators.is_base_url,
    ),
    KeySpec(
        "credentials.exchange.scopes",
        KeyType.TEXTS,
        (),
        "Scopes that the token shall have.",
        "printable ASCII characters without blanks, quotes and backslashes",
        validators.is_scope,
    ),
)
