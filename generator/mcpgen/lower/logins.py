"""Operations whose tool takes a password or another secret as an argument."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import ApiDescription, Operation
from mcpgen.ir.server import ArgumentSpec, ToolSpec

_SECRETS = frozenset({"password", "passwd", "passphrase", "pwd", "clientsecret", "refreshtoken"})
_USERS = frozenset({"username", "user", "userid", "userlogin", "login", "email", "emailaddress"})
_GRANT = "granttype"


def report_login_operations(
    api: ApiDescription,
    operations: Sequence[Operation],
    tools: Sequence[ToolSpec],
    diagnostics: Diagnostics,
) -> None:
    """Adds LOGIN_OPERATION for every tool that logs somebody in: at the token endpoint of a security
    scheme, with OAuth's `grant_type`, or with a name and a password and without a credential."""
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
    """The names of the arguments that are secrets of a login, in their order."""
    texts = [each for each in tool.arguments if each.schema.get("type") == "string"]
    names = {_bare(argument) for argument in texts}
    is_token = operation.method == "POST" and operation.path.strip("/") in token_paths
    is_open = not operation.security or () in operation.security
    is_login = is_token or _GRANT in names or (is_open and bool(names & _USERS))
    for argument in texts:
        is_password = is_open and argument.schema.get("format") == "password"
        if is_password or (is_login and _bare(argument) in _SECRETS):
            yield argument.name


def _bare(argument: ArgumentSpec) -> str:
    """The last name on the wire, in small letters and without separators."""
    name = str(argument.target[-1]) if argument.target else argument.name
    return re.sub(r"[^a-z]", "", name.lower())


def _token_paths(api: ApiDescription) -> Iterator[str]:
    """The paths of token endpoints below a server of the API, without slashes at their ends."""
    bases = [_path(server.url) for server in api.servers]
    for scheme in api.security_schemes.values():
        for url in filter(None, (scheme.token_url, scheme.password_url)):
            path = _path(url)
            yield path
            yield from (path[len(base) + 1 :] for base in bases if path.startswith(f"{base}/"))


def _path(url: str) -> str:
    """The path of a URL without the slashes around it, `""` for an address that is no URL."""
    try:
        return urlsplit(url).path.strip("/")
    except ValueError:
        return ""
