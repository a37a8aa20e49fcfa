"""The environment variables without which a generated server does not start."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mcpgen.config.tables.project import RuntimeMode
from mcpgen.emit.feature_declaration import has_store
from mcpgen.emit.package_files import variable_prefix
from mcpgen.emit.policy.access import public_url_variable
from mcpgen.emit.runtime import runtime_package
from mcpgen.ir.policy import TokenExchange
from mcpgen.ir.server import Server


@dataclass(frozen=True, slots=True)
class RequiredVariable:
    """The name of an environment variable, and the meaning of the value in a few words.
    `is_secret`: the value belongs into a store of secrets."""

    name: str
    meaning: str
    is_secret: bool = True


def required_variables(
    server: Server, runtime: RuntimeMode, *, is_local: bool
) -> Iterator[RequiredVariable]:
    """The variables without a value in the description and in `mcpgen.toml`, in the order of the
    README. `is_local`: the server listens on a loopback address (the default outside of
    containers), so token issuers know the server by that address.

    Credentials of the API are left out: a server starts without credentials, and tools report
    missing ones. `LIMIT_STORE` is left out, since the Compose file sets the variable; see
    `limit_store`.
    """
    if not server.upstream and any(tool.route for tool in server.tools):
        yield _variable(server, "upstream", "base URL of the API", is_secret=False)
    for setting in server.settings:
        yield _variable(server, setting.name, "a value that tools send to the API", is_secret=False)
    callers = server.policy.authentication
    has_tokens = callers is not None and bool(callers.jwks_url or callers.introspection_url)
    if callers and callers.introspection_url:
        yield from _client(server, "caller_introspection", "to ask for the tokens of callers")
    elif callers and not has_tokens:
        installed = runtime_package(server.package, runtime)
        command = f"`python -m {installed}.auth.api_keys SUBJECT`"
        yield _variable(server, "caller_keys", f"hashed keys of callers; made by {command}")
    if not server.policy.public_url and (server.registry.url or (has_tokens and not is_local)):
        variable = public_url_variable(server)
        yield _variable(server, variable.field, variable.meaning, is_secret=False)
    if isinstance(server.forwarded_credential, TokenExchange):
        yield from _client(server, "exchange", "to exchange the tokens of callers")


def limit_store(server: Server) -> Iterator[RequiredVariable]:
    """The variable with the URL of Redis, if processes share state there. Yields nothing
    otherwise."""
    if has_store(server):
        meaning = "URL of the Redis where instances share state, such as redis://HOST:6379/0"
        yield _variable(server, "limit_store", meaning)


def state_key(server: Server) -> RequiredVariable:
    """The variable with the key shared by instances where any instance may get the answer to an
    elicitation."""
    meaning = "the key of calls that wait for answers; made by `openssl rand -hex 32`"
    return _variable(server, "state_key", meaning)


def _client(server: Server, stem: str, purpose: str) -> Iterator[RequiredVariable]:
    yield _variable(server, f"{stem}_client_id", f"OAuth 2 client id of this server, {purpose}")
    yield _variable(server, f"{stem}_client_secret", "its secret")


def _variable(
    server: Server, field: str, meaning: str, *, is_secret: bool = True
) -> RequiredVariable:
    return RequiredVariable(f"{variable_prefix(server).text}{field.upper()}", meaning, is_secret)
