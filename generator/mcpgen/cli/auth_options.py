"""The credentials of a check: headers, a token or a client's secret from the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import typer

from mcpgen.conformance.targets.credentials import OAuthClient, transport_problem

TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""A header's name (RFC 9110 §5.6.2)."""

VALUE = re.compile(r"[\t\x20-\x7e]*")
"""A header value with no need of encoding."""

TELLING = re.compile("auth|token|key|secret|cookie|session|credential|password", re.IGNORECASE)
"""Headers whose values are secret."""


@dataclass(frozen=True, slots=True)
class AuthOptions:
    """The credential options. `oauth`: token endpoint, client id and variable of the client secret.
    `resource`: the audience of a token. `refused`: texts `WORD=VAR`."""

    headers: tuple[str, ...]
    bearer_env: str
    oauth: tuple[str, str, str]
    scopes: tuple[str, ...]
    resource: str
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ResolvedCredentials:
    """Headers to send, OAuth client, secrets to redact in reports, and tokens for rejection checks
    by kind of fault."""

    headers: dict[str, str]
    client: OAuthClient | None
    secrets: frozenset[str] = field(repr=False)
    refused: dict[str, str] = field(repr=False)


def resolve_header_options(
    target: str, headers: tuple[str, ...], bearer_env: str, problems: Sequence[str] = ()
) -> ResolvedCredentials:
    """Resolves `--header` and `--bearer-env` for a target. Raises BadParameter with `problems` and all
    errors of the two options."""
    errors = list(problems)
    options = AuthOptions(headers, bearer_env, oauth=("", "", ""), scopes=(), resource=target)
    credentials = login(options, errors)
    if errors:
        raise typer.BadParameter("\n".join(errors))
    return credentials


def login(options: AuthOptions, problems: list[str]) -> ResolvedCredentials:
    """Resolves the credentials; adds errors to `problems`, without any secret."""
    headers = _parse_header_options(options.headers, problems)
    secrets = {value for name, value in headers.items() if TELLING.search(name)}
    secrets |= {value.partition(" ")[2] for value in secrets}
    client = _oauth_client(options, problems)
    if options.bearer_env:
        token = _read_variable(options.bearer_env, "--bearer-env", problems)
        secrets.add(token)
        headers["Authorization"] = f"Bearer {token}"
    ways = {
        "--header Authorization": any(
            name.lower() == "authorization" for name in _header_names(options)
        ),
        "--bearer-env": bool(options.bearer_env),
        "--oauth-token-url": bool(options.oauth[0]),
    }
    chosen = [way for way, is_used in ways.items() if is_used]
    if len(chosen) > 1:
        problems.append(f"{' and '.join(chosen)} set the same header: choose one.")
    if client is not None:
        secrets.add(client.secret)
    refused = _refused_tokens(options.refused, problems)
    secrets |= {*refused.values()}
    return ResolvedCredentials(headers, client, frozenset(secrets - {""}), refused)


def _oauth_client(options: AuthOptions, problems: list[str]) -> OAuthClient | None:
    """Returns the client of the client credentials grant; None and problems for incomplete options."""
    url, id, variable = options.oauth
    parts = {
        "--oauth-token-url": url,
        "--oauth-client-id": id,
        "--oauth-secret-env": variable,
    }
    if not any(parts.values()):
        if options.scopes:
            problems.append("--oauth-scope needs --oauth-token-url.")
        return None
    missing = [name for name, value in parts.items() if not value]
    if missing:
        problems.append(
            f"a token is fetched with all of {', '.join(parts)}: {missing[0]} is missing."
        )
        return None
    if problem := transport_problem(url):
        problems.append(f"--oauth-token-url: {problem}.")
    secret = _read_variable(variable, "--oauth-secret-env", problems)
    return OAuthClient(url, id, secret, " ".join(options.scopes), options.resource)


def _refused_tokens(options: tuple[str, ...], problems: list[str]) -> dict[str, str]:
    """Returns the tokens of `WORD=VAR` texts for rejection checks."""
    tokens: dict[str, str] = {}
    for text in options:
        word, equals, variable = (part.strip() for part in text.partition("="))
        if not word or not equals or not variable:
            problems.append(
                f"--refused-token: `{text}` is not WORD=VAR, such as expired=OLD_TOKEN."
            )
        elif word in tokens:
            problems.append(f"--refused-token: there are two tokens for `{word}`.")
        else:
            tokens[word] = _read_variable(variable, "--refused-token", problems)
    return tokens


def _read_variable(name: str, option: str, problems: list[str]) -> str:
    """Returns the value of an environment variable; `""` and a problem for an invalid header value."""
    value = os.environ.get(name, "").strip()
    if not value:
        problems.append(f"{option}: the environment has no {name}, or an empty one.")
    elif any(not 0x21 <= ord(character) <= 0x7E for character in value):
        problems.append(f"{option}: {name} holds characters that no header carries.")
        return ""
    return value


def _parse_header_options(options: tuple[str, ...], problems: list[str]) -> dict[str, str]:
    """Returns the headers of `NAME:VALUE` texts."""
    headers: dict[str, str] = {}
    for text in options:
        name, colon, value = (part.strip() for part in text.partition(":"))
        if not colon:
            # The text may be a secret without a header name: not printed.
            problems.append("--header: one has no colon; write NAME:VALUE.")
        elif not TOKEN.fullmatch(name):
            problems.append(f"--header: `{name}` is not the name of a header; write NAME:VALUE.")
        elif not VALUE.fullmatch(value):
            problems.append(f"--header: the value of {name} has characters that no header carries.")
        else:
            headers[name] = value
    return headers


def _header_names(options: AuthOptions) -> list[str]:
    return [text.partition(":")[0].strip() for text in options.headers]
