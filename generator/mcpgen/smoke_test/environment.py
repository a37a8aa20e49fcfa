"""The environment variables, credentials and headers of a project in a smoke test."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping

from mcpgen.ir.api import SchemeKind
from mcpgen.ir.policy import PassthroughSpec, Policy
from mcpgen.ir.server import Server
from mcpgen.ir.source import Json
from mcpgen.smoke_test.inspect_project import ProjectInfo
from mcpgen.smoke_test.stub_upstream import INTROSPECTION

KEY = "mcpgen-trial-key-of-an-operator"
"""The key of the smoke test. Only the server started for the test accepts this key."""

HANDED_ON = "mcpgen-trial-key-for-the-upstream"
"""The key for the upstream; the stub API does not check keys."""


def endpoint_path(policy: Policy) -> str:
    """The path of the endpoint, such as `/mcp`, with the values of the scenarios."""
    path = policy.path
    for name, value in policy.samples.items():
        path = path.replace(f"{{{name}}}", value)
    return path


def caller_headers(server: Server) -> Mapping[str, str]:
    """The headers of every request, by name; `{}` if none are needed."""
    headers = {"Authorization": f"Bearer {KEY}"} if server.policy.authentication else {}
    if isinstance(server.forwarded_credential, PassthroughSpec):
        headers["X-Api-Key"] = HANDED_ON
    return headers


def auth_environment(server: Server, upstream: str) -> dict[str, str]:
    """The settings of the server, without the prefix. No real issuer is ever asked. A configuration
    with only an issuer needs the URL of the issuer's keys from the environment, in a smoke test
    too."""
    policy = server.policy
    variables = {"ENABLED": "true"}
    if server.confirmation:
        variables["CONFIRM_CALLS"] = "false"
    if isinstance(server.forwarded_credential, PassthroughSpec):
        variables["TRUSTED_HOSTS"] = "127.0.0.1"
    elif server.forwarded_credential:
        variables["EXCHANGE_TOKENS"] = "false"
    if policy.features:
        variables["EXPOSE"] = ",".join(feature.name for feature in policy.features)
    authentication = policy.authentication
    if authentication is None:
        return variables
    variables["CALLER_KEYS"] = json.dumps([_key_entry(policy)])
    if authentication.jwks_url or (authentication.issuer and not authentication.introspection_url):
        variables["CALLER_JWKS_URL"] = f"{upstream}/.well-known/jwks.json"
    if authentication.introspection_url:
        variables["CALLER_INTROSPECTION_URL"] = f"{upstream}{INTROSPECTION}"
        variables["CALLER_INTROSPECTION_CLIENT_ID"] = "trial"
        variables["CALLER_INTROSPECTION_CLIENT_SECRET"] = "trial-credential"
    return variables


def _key_entry(policy: Policy) -> dict[str, object]:
    """The entry of the key: an operator's, with every role, at every path."""
    return {
        "key": f"sha256:{hashlib.sha256(KEY.encode()).hexdigest()}",
        "subject": "trial",
        "scopes": None,
        "roles": sorted({role for needed in policy.roles.values() for role in needed}),
        "path": dict.fromkeys(policy.samples, "*"),
    }


DUMMY = "trial-credential"
"""Every credential of a smoke test; the stub API does not check credentials."""

CLIENT_SUFFIXES = ("_client_id", "_client_secret")
"""Suffixes of fields for fetching an OAuth 2 token; a smoke test sets the token itself instead."""


def child_environment(
    server: Server, declared: ProjectInfo, upstream: str, port: int
) -> dict[str, str]:
    """The environment of the subprocess, by name: the current one without the project's own
    settings, then the settings of the smoke test. No real credential is ever used, and nothing is
    written into the project."""
    prefix = declared.prefix or prefix_of(server.slug)
    prefixes = (prefix, prefix.lower(), "PYTHONSAFEPATH")
    variables = {name: value for name, value in os.environ.items() if not name.startswith(prefixes)}
    variables |= {
        f"{prefix}HOST": "127.0.0.1",
        f"{prefix}PORT": str(port),
        f"{prefix}PUBLIC_URL": f"http://127.0.0.1:{port}",
        f"{prefix}REGISTERS": "false",
        f"{prefix}UPSTREAM": upstream,
        f"{prefix}LIMITS": "off",
        f"{prefix}LIMIT_STORE": "memory://",
        f"{prefix}METRICS_PORT": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        "NO_PROXY": "127.0.0.1",
    }
    variables |= {
        f"{prefix}{name}": value for name, value in auth_environment(server, upstream).items()
    }
    variables |= {
        f"{prefix}{setting.name.upper()}": _variable_text(setting.sample)
        for setting in server.settings
    }
    return variables | {
        f"{prefix}{name.upper()}": DUMMY
        for name in declared.secrets
        if not name.endswith(CLIENT_SUFFIXES)
    }


def _variable_text(value: Json) -> str:
    """A value as text of an environment variable."""
    return value if isinstance(value, str) else json.dumps(value)


def prefix_of(slug: str) -> str:
    """The prefix of a project's environment variables: `pet-store` gives `PET_STORE_`."""
    return re.sub(r"[^A-Z0-9]", "_", slug.upper()) + "_"


def satisfiable(server: Server, security: tuple[tuple[str, ...], ...]) -> bool:
    """True if a smoke test has the credentials of an alternative: all kinds except certificates,
    since no certificate can be invented."""
    schemes = {s.id for s in server.security_schemes if s.kind is not SchemeKind.MUTUAL_TLS}
    return not security or any(schemes.issuperset(together) for together in security)
