"""Resolves the credential options of the commands that send requests to a server or a registry."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import typer

from mcpgen.conformance.targets.credentials import OAuthClient, transport_problem

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""The rule `token` for the name of a header (RFC 9110 §5.6.2)."""

_HEADER_VALUE = re.compile(r"[\t\x20-\x7e]*")
"""Visible ASCII characters, spaces and tabs: RFC 9110 §5.5 without `obs-text`."""

_BEARER_TOKEN = re.compile(r"[\x21-\x7e]*")
"""Visible ASCII characters, more than the rule `b64token` has (RFC 6750 §2.1)."""

_CLIENT_SECRET = re.compile(r"[\x20-\x7e]*")
"""The rule `client-secret` (RFC 6749 §A.2)."""

_VARIABLE_NAME = re.compile(r"[A-Z_][A-Z0-9_]*")
"""The usual form of the name of an environment variable. A text of another form may be a secret in
place of the name."""

_SECRET_HEADER = re.compile(
    "auth|token|key|secret|cookie|session|credential|password", re.IGNORECASE
)
"""Part of the name of a header whose value is redacted in reports."""


@dataclass(frozen=True, slots=True)
class OAuthOptions:
    """The options of the client credentials grant; all `""` without OAuth. `secret_variable`: the
    environment variable with the client secret."""

    token_url: str = ""
    client_id: str = ""
    secret_variable: str = ""


@dataclass(frozen=True, slots=True)
class AuthOptions:
    """The credential options as given, unparsed.

    `headers`: texts `NAME:VALUE`. `bearer_env`: the environment variable with a bearer token, or
    `""`. `scopes` and `resource`: scopes and audience of the token that `oauth` fetches; without
    `resource` the audience is `target`, the URL of the server.
    `refused_tokens`: texts `WORD=VAR`, where VAR is the environment variable with a token that the
    server must refuse because of WORD.
    """

    headers: tuple[str, ...]
    bearer_env: str
    oauth: OAuthOptions = OAuthOptions()
    scopes: tuple[str, ...] = ()
    resource: str = ""
    target: str = ""
    refused_tokens: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ResolvedCredentials:
    """The values of the credential options.

    `headers` are sent with every request. `client` fetches a token, None without OAuth. `secrets` are
    redacted in reports. `refused_tokens`: tokens that the server must refuse, by WORD.
    """

    headers: dict[str, str] = field(repr=False)
    client: OAuthClient | None
    secrets: frozenset[str] = field(repr=False)
    refused_tokens: dict[str, str] = field(repr=False)


def resolve_header_options(
    headers: tuple[str, ...], bearer_env: str, problems: Sequence[str] = ()
) -> ResolvedCredentials:
    """Resolves `--header` and `--bearer-env`. Raises BadParameter with `problems` and all errors of
    the two options."""
    errors = list(problems)
    credentials = resolve_credentials(AuthOptions(headers, bearer_env), errors)
    if errors:
        raise typer.BadParameter("\n".join(errors))
    return credentials


def resolve_credentials(options: AuthOptions, problems: list[str]) -> ResolvedCredentials:
    """Resolves all credential options; adds errors to `problems`.

    An error repeats a part of an option only if the part has the form of a name: a text of another
    form may be a secret at the wrong place.
    """
    headers = _parse_header_options(options.headers, problems)
    secrets = {value for name, value in headers.items() if _SECRET_HEADER.search(name)}
    # TOKEN of `Bearer TOKEN` is secret without the scheme, too.
    secrets |= {value.partition(" ")[2] for value in secrets}
    client = _oauth_client(options, problems)
    if options.bearer_env:
        token = _read_variable(options.bearer_env, "--bearer-env", _BEARER_TOKEN, problems)
        secrets.add(token)
        headers["Authorization"] = f"Bearer {token}"
    _report_rival_options(options, problems)
    if client is not None:
        secrets.add(client.secret)
    refused_tokens = _refused_tokens(options.refused_tokens, problems)
    secrets |= {*refused_tokens.values()}
    return ResolvedCredentials(headers, client, frozenset(secrets - {""}), refused_tokens)


def _report_rival_options(options: AuthOptions, problems: list[str]) -> None:
    """Adds a problem if more than one option sets the header `Authorization`."""
    names = [text.partition(":")[0].strip().lower() for text in options.headers]
    is_given = {
        "--header Authorization": "authorization" in names,
        "--bearer-env": bool(options.bearer_env),
        "--oauth-token-url": bool(options.oauth.token_url),
    }
    rivals = [option for option, given in is_given.items() if given]
    if len(rivals) > 1:
        problems.append(f"{' and '.join(rivals)} set the same header: choose one.")


def _oauth_client(options: AuthOptions, problems: list[str]) -> OAuthClient | None:
    """Returns the client of the client credentials grant; None without OAuth options, and with a
    problem for incomplete options. An unsafe `token_url` adds a problem, too, and the client is
    returned."""
    oauth = options.oauth
    values = {
        "--oauth-token-url": oauth.token_url,
        "--oauth-client-id": oauth.client_id,
        "--oauth-secret-env": oauth.secret_variable,
    }
    if not any(values.values()):
        unused_options = {"--oauth-scope": options.scopes, "--oauth-resource": options.resource}
        problems += [
            f"{name} needs --oauth-token-url." for name, value in unused_options.items() if value
        ]
        return None
    missing = [name for name, value in values.items() if not value]
    if missing:
        problems.append(
            f"a token is fetched with all of {', '.join(values)}: {missing[0]} is missing."
        )
        return None
    if problem := transport_problem(oauth.token_url):
        problems.append(f"--oauth-token-url: {problem}.")
    secret = _read_variable(oauth.secret_variable, "--oauth-secret-env", _CLIENT_SECRET, problems)
    scope = " ".join(options.scopes)
    resource = options.resource or options.target
    return OAuthClient(oauth.token_url, oauth.client_id, secret, scope, resource)


def _refused_tokens(options: tuple[str, ...], problems: list[str]) -> dict[str, str]:
    """Returns the tokens of `WORD=VAR` texts by WORD."""
    tokens: dict[str, str] = {}
    for text in options:
        word, equals, variable = (part.strip() for part in text.partition("="))
        if not word or not equals or not variable:
            problems.append("--refused-token: a text is not WORD=VAR, such as expired=OLD_TOKEN.")
        elif word in tokens:
            problems.append("--refused-token: two tokens have the same WORD.")
        else:
            tokens[word] = _read_variable(variable, "--refused-token", _BEARER_TOKEN, problems)
    return tokens


def _read_variable(name: str, option: str, permitted: re.Pattern[str], problems: list[str]) -> str:
    """Returns the value of an environment variable without white space at the ends; `""` and a
    problem for an empty variable, and for a value that `permitted` does not match."""
    value = os.environ.get(name, "").strip()
    if not value and name not in os.environ and not _VARIABLE_NAME.fullmatch(name):
        problems.append(
            f"{option}: the environment has no variable of this name; give the name of a variable, "
            "not the value."
        )
    elif not value:
        problems.append(f"{option}: the environment has no {name}, or an empty one.")
    elif not permitted.fullmatch(value):
        space = "" if permitted is _CLIENT_SECRET else "a space, "
        problems.append(
            f"{option}: the value of {name} has {space}a control character or a character outside of "
            "ASCII."
        )
        return ""
    return value


def _parse_header_options(options: tuple[str, ...], problems: list[str]) -> dict[str, str]:
    """Returns the headers of `NAME:VALUE` texts."""
    headers: dict[str, str] = {}
    for text in options:
        name, colon, value = (part.strip() for part in text.partition(":"))
        if not colon:
            problems.append("--header: a header has no colon; write NAME:VALUE.")
        elif not _HEADER_NAME.fullmatch(name):
            problems.append(
                "--header: the text before the colon is not the name of a header; write NAME:VALUE."
            )
        elif not _HEADER_VALUE.fullmatch(value):
            problems.append(
                f"--header: the value of {name} has a control character or a character outside of ASCII."
            )
        else:
            headers[name] = value
    return headers
