"""The environment variables without which a generated server does not start."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.frozen import frozen
from mcpgen.ir.credentials import Exchange
from mcpgen.ir.server import Server


@frozen
class RequiredVariable:
    """The name of an environment variable, and the meaning of its value in a few words."""

    name: str
    meaning: str


def required_variables(server: Server) -> tuple[RequiredVariable, ...]:
    """The variables that `python -m PACKAGE` needs on the operator's own machine, in the order of the
    README: those for which neither the description nor `mcpgen.toml` gives a value.

    Credentials of the API are left out: a server starts without them, and its tools name them.
    """
    # Loaded here: a build with nothing to do emits nothing.
    from mcpgen.emit.assembly import prefix

    start = prefix(server).text
    return tuple(
        RequiredVariable(f"{start}{field.upper()}", meaning) for field, meaning in _fields(server)
    )


def _fields(server: Server) -> Iterator[tuple[str, str]]:
    """The fields of the settings, each with the meaning of its value."""
    if not server.upstream and any(tool.route for tool in server.tools):
        yield "upstream", "base URL of the API"
    for setting in server.settings:
        yield setting.name, "a value that tools send"
    authentication = server.policy.authentication
    if authentication and authentication.introspection_url:
        yield "caller_introspection_client_id", "OAuth 2 client id of this server"
        yield "caller_introspection_client_secret", "its secret"
    elif authentication and not authentication.jwks_url:
        yield "caller_keys", "keys of clients; the README tells how to make one"
    if server.registry.url and not server.policy.public_url:
        yield "public_url", "address at which clients reach the server"
    if isinstance(server.outward, Exchange):
        yield "exchange_client_id", "OAuth 2 client id of this server"
        yield "exchange_client_secret", "its secret"
    if server.limits.rates.some and server.limits.rates.shared:
        yield "limit_store", "redis:// URL in which calls are counted"
