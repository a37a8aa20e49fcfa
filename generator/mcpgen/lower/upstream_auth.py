"""Upstream credentials: the server's own or the caller's, trusted hosts, login operations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from mcpgen.config import Config, CredentialMode
from mcpgen.config.validators import LOOPBACK
from mcpgen.diagnostics import Diagnostics, Location, Severity
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.api import ApiDescription, ApiSecurityScheme, Operation, Parameter, SchemeUse
from mcpgen.ir.policy import ForwardedCredential, PassthroughSpec, TokenExchange, origin
from mcpgen.ir.server import ArgumentSpec, RouteSpec, Server, ToolSpec
from mcpgen.lower.flatten.reserved_parameters import is_carried_by


def with_upstream_auth(server: Server, config: Config, diagnostics: Diagnostics) -> Server:
    """Returns the server with the configured handling of callers' credentials.

    With callers' credentials, security schemes need no credentials of the server, except the ones
    listed under `own`. Adds MG355 to MG359 and MG397.
    """
    credentials = config.credentials
    if credentials.mode is CredentialMode.OWN:
        _report_unused(config, diagnostics)
        return _with_own_hosts(server, config, diagnostics)
    _report_unknown_schemes(server, config, diagnostics)
    forwarded_credential = _forwarded_credential(config, diagnostics)
    tools = tuple(_with_own(tool, credentials.own) for tool in server.tools)
    own_schemes = tuple(
        scheme for scheme in server.security_schemes if scheme.id in credentials.own
    )
    _report_untrusted(server, config, forwarded_credential, diagnostics)
    server = replace(
        server, tools=tools, security_schemes=own_schemes, forwarded_credential=forwarded_credential
    )
    return _with_own_hosts(server, config, diagnostics)


def _with_own_hosts(server: Server, config: Config, diagnostics: Diagnostics) -> Server:
    """Returns the server with tools marked whose own hosts may get credentials.

    Adds FOREIGN_HOST once per foreign base URL and token endpoint.
    """
    named = config.credentials.own_hosts
    tools: list[ToolSpec] = []
    refused: dict[str, list[ToolSpec]] = {}
    for tool in server.tools:
        if tool.route is None or not _sends_elsewhere(tool.route, server.upstream):
            tools.append(tool)
        elif is_trusted_url(tool.route.base_url, named):
            tools.append(replace(tool, route=replace(tool.route, trusted=True)))
        else:
            tools.append(tool)
            refused.setdefault(tool.route.base_url, []).append(tool)
    for url, senders in refused.items():
        more = f" and {len(senders) - 1} more" if senders[1:] else ""
        diagnostics.add(
            codes.FOREIGN_HOST,
            senders[0].at,
            what=f"`{senders[0].operation}`{more} would send a credential of this server",
            url=url,
            host=urlsplit(url).hostname,
            outcome="calls with a credential are refused",
        )
    for scheme in server.security_schemes:
        for url in scheme.issuers:
            if origin(url) != origin(server.upstream) and not is_trusted_url(url, named):
                diagnostics.add(
                    codes.FOREIGN_HOST,
                    scheme.at,
                    severity=Severity.NOTE,
                    what=f"the secrets that fetch tokens for `{scheme.id}` go",
                    url=url,
                    host=urlsplit(url).hostname,
                    outcome="they are sent there alone",
                )
    return replace(server, tools=tuple(tools))


def _sends_elsewhere(route: RouteSpec, upstream: str) -> bool:
    """True if requests with a credential leave the origin of the API."""
    url = route.base_url
    is_absolute = bool(url) and not url.startswith("/")
    return is_absolute and any(route.security) and origin(url) != origin(upstream)


def is_trusted_url(url: str, patterns: Sequence[str]) -> bool:
    """True if a URL leads to one of the hosts by https, or by http on this machine.

    `https://api.example.com/x` matches `*.example.com`.
    """
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").lower()
    except ValueError:
        return False
    if parts.scheme != "https" and host not in LOOPBACK:
        return False
    return any(_pattern_covers(pattern.lower(), host) for pattern in patterns)


def _pattern_covers(pattern: str, host: str) -> bool:
    if pattern.startswith("*."):
        return host == pattern[2:] or host.endswith(pattern[1:])
    return host == pattern.strip("[]")


def _forwarded_credential(config: Config, diagnostics: Diagnostics) -> ForwardedCredential:
    credentials = config.credentials
    if credentials.mode is CredentialMode.EXCHANGE:
        if not config.authentication.required:
            diagnostics.add(codes.EXCHANGE_FOR_ANYBODY, _credentials_place(config, "mode"))
        if not credentials.token_url:
            _report_incomplete("exchange.token_url", config, diagnostics)
        return TokenExchange(
            credentials.token_url, credentials.audience, credentials.resource, credentials.scopes
        )
    if not credentials.trusted:
        _report_incomplete("trusted", config, diagnostics)
    return PassthroughSpec(credentials.trusted)


def _with_own(tool: ToolSpec, own: tuple[str, ...]) -> ToolSpec:
    """Returns the tool with the security schemes listed in `own`."""
    if tool.route is None:
        return tool
    own_alternatives = (
        tuple(id for id in alternative if id in own) for alternative in tool.route.security
    )
    return replace(
        tool,
        route=replace(tool.route, security=tuple(dict.fromkeys(filter(None, own_alternatives)))),
    )


def _report_incomplete(key: str, config: Config, diagnostics: Diagnostics) -> None:
    at = _credentials_place(config, "mode")
    mode = str(config.credentials.mode)
    diagnostics.add(codes.INCOMPLETE_CREDENTIALS, at, mode=mode, key=f"credentials.{key}")


def _report_unused(config: Config, diagnostics: Diagnostics) -> None:
    """Adds UNUSED_CREDENTIALS for keys of a different mode."""
    credentials = config.credentials
    keys = {
        "own": credentials.own,
        "trusted": credentials.trusted,
        "exchange.token_url": credentials.token_url,
    }
    for key in (key for key, value in keys.items() if value):
        at = _credentials_place(config, *key.split("."))
        diagnostics.add(codes.UNUSED_CREDENTIALS, at, key=f"credentials.{key}")


def _report_unknown_schemes(server: Server, config: Config, diagnostics: Diagnostics) -> None:
    ids = {scheme.id for scheme in server.security_schemes}
    for index, id in enumerate(config.credentials.own):
        if id not in ids:
            at = _credentials_place(config, "own", str(index))
            listed = f"the schemes are {', '.join(f'`{known}`' for known in sorted(ids))}"
            hint = closest_match(id, sorted(ids)) or (listed if ids else "delete the entry")
            diagnostics.add(codes.UNKNOWN_OWN_SCHEME, at, scheme=id, nearest=hint)


def _report_untrusted(
    server: Server,
    config: Config,
    forwarded_credential: ForwardedCredential,
    diagnostics: Diagnostics,
) -> None:
    """Tells where a caller's credential would be wanted and may not go."""
    if not isinstance(forwarded_credential, PassthroughSpec) or not forwarded_credential.trusted:
        return
    at = _credentials_place(config, "trusted")
    if server.upstream and not is_trusted_url(server.upstream, forwarded_credential.trusted):
        diagnostics.add(codes.UNTRUSTED_UPSTREAM, at, what="the API", url=server.upstream)
    for tool in server.tools:
        base = tool.route.base_url if tool.route else ""
        if (
            base
            and not base.startswith("/")
            and not is_trusted_url(base, forwarded_credential.trusted)
        ):
            what = f"`{tool.operation}`"
            diagnostics.add(codes.UNTRUSTED_UPSTREAM, tool.at, what=what, url=base)


def _credentials_place(config: Config, *path: str) -> Location:
    """Returns the place of a key under `[credentials]`, written or not."""
    whole = ("credentials", *path)
    return config.at(*whole) or Location("mcpgen.toml", whole)


_SECRETS = frozenset({"password", "passwd", "passphrase", "pwd", "clientsecret", "refreshtoken"})
_USERS = frozenset({"username", "user", "userid", "userlogin", "login", "email", "emailaddress"})
_GRANT = "granttype"


def report_login_operations(
    api: ApiDescription,
    operations: Sequence[Operation],
    tools: Sequence[ToolSpec],
    diagnostics: Diagnostics,
) -> None:
    """Adds LOGIN_OPERATION for tools that log in.

    A login is a call of a scheme's token endpoint, with OAuth's `grant_type`, or with user name and
    password and without a credential.
    """
    by_key = {operation.key: operation for operation in operations}
    token_paths = frozenset(_token_paths(api))
    for tool in tools:
        operation = by_key[tool.operation]
        secrets = () if tool.withheld else tuple(_secrets(tool, operation, token_paths))
        if secrets:
            diagnostics.add(
                codes.LOGIN_OPERATION,
                operation.at,
                operation=operation.key,
                arguments=" and ".join(f"`{name}`" for name in secrets),
            )


def _secrets(tool: ToolSpec, operation: Operation, token_paths: frozenset[str]) -> Iterator[str]:
    """Yields the arguments of a login that are secrets, in order."""
    texts = [argument for argument in tool.arguments if argument.schema.get("type") == "string"]
    names = {_bare_name(argument) for argument in texts}
    is_token = operation.method == "POST" and operation.path.strip("/") in token_paths
    is_open = not operation.security or () in operation.security
    is_login = is_token or _GRANT in names or (is_open and bool(names & _USERS))
    for argument in texts:
        is_password = is_open and argument.schema.get("format") == "password"
        if is_password or (is_login and _bare_name(argument) in _SECRETS):
            yield argument.name


def _bare_name(argument: ArgumentSpec) -> str:
    """The last name on the wire, in small letters and without separators."""
    name = str(argument.target[-1]) if argument.target else argument.name
    return re.sub(r"[^a-z]", "", name.lower())


def _token_paths(api: ApiDescription) -> Iterator[str]:
    """Yields the paths of token endpoints below the API's servers, without outer slashes."""
    bases = [_url_path(server.url) for server in api.servers]
    for scheme in api.security_schemes.values():
        for url in filter(None, (scheme.token_url, scheme.password_url)):
            path = _url_path(url)
            yield path
            yield from (path[len(base) + 1 :] for base in bases if path.startswith(f"{base}/"))


def _url_path(url: str) -> str:
    """Returns the path of a URL without outer slashes, `""` for an invalid URL."""
    try:
        return urlsplit(url).path.strip("/")
    except ValueError:
        return ""


def with_credentials(api: ApiDescription) -> ApiDescription:
    """Returns the API with missing security requirements added.

    A required parameter that a security scheme carries implies the scheme, so that the server sends
    the parameter.
    """
    operations = tuple(
        _with_schemes(operation, api.security_schemes) for operation in api.operations
    )
    return replace(api, operations=operations)


def _with_schemes(operation: Operation, schemes: Mapping[str, ApiSecurityScheme]) -> Operation:
    for parameter in operation.parameters:
        if parameter.required:
            operation = _with_scheme(operation, parameter, schemes)
    return operation


def _with_scheme(
    operation: Operation, parameter: Parameter, schemes: Mapping[str, ApiSecurityScheme]
) -> Operation:
    carriers = [id for id, scheme in schemes.items() if is_carried_by(parameter, scheme)]
    if not carriers:
        return operation
    completed = tuple(
        uses if any(use.scheme in carriers for use in uses) else (*uses, SchemeUse(carriers[0]))
        for uses in operation.security or ((),)
    )
    return replace(operation, security=completed)
