"""The access of a smoke test: the endpoint, the settings about callers, and the credentials."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from mcpgen.ir.credentials import PassthroughSpec
from mcpgen.ir.policy import Policy
from mcpgen.ir.server import Server
from mcpgen.smoke_test.stub_upstream import INTROSPECTION

KEY = "mcpgen-trial-key-of-an-operator"
"""The key of the smoke test. Only the server started for the test accepts this key."""

HANDED_ON = "mcpgen-trial-key-for-the-upstream"
"""The key for the upstream; the stub API does not check keys."""


def endpoint_path(policy: Policy) -> str:
    """The path of the endpoint, with the values of the scenarios."""
    path = policy.path
    for name, value in policy.samples.items():
        path = path.replace(f"{{{name}}}", value)
    return path


def request_headers(server: Server) -> Mapping[str, str]:
    """The headers of every request."""
    found = {"Authorization": f"Bearer {KEY}"} if server.policy.authentication else {}
    if isinstance(server.outward, PassthroughSpec):
        found["X-Api-Key"] = HANDED_ON
    return found


def auth_environment(server: Server, upstream: str) -> dict[str, str]:
    """The settings of the server, without the prefix. No real issuer is ever asked. A configuration
    with only an issuer needs the URL of the issuer's keys from the environment, in a smoke test
    too."""
    policy = server.policy
    found = {"ENABLED": "true"}
    if server.confirmation:
        found["CONFIRM_CALLS"] = "false"
    if isinstance(server.outward, PassthroughSpec):
        found["TRUSTED_HOSTS"] = "127.0.0.1"
    elif server.outward:
        found["EXCHANGE_TOKENS"] = "false"
    if policy.features:
        found["EXPOSE"] = ",".join(feature.name for feature in policy.features)
    chosen = policy.authentication
    if chosen is None:
        return found
    found["CALLER_KEYS"] = json.dumps([_entry(policy)])
    if chosen.jwks_url or (chosen.issuer and not chosen.introspection_url):
        found["CALLER_JWKS_URL"] = f"{upstream}/.well-known/jwks.json"
    if chosen.introspection_url:
        found["CALLER_INTROSPECTION_URL"] = f"{upstream}{INTROSPECTION}"
        found["CALLER_INTROSPECTION_CLIENT_ID"] = "trial"
        found["CALLER_INTROSPECTION_CLIENT_SECRET"] = "trial-credential"
    return found


def _entry(policy: Policy) -> dict[str, object]:
    """The entry of the key: an operator's, with every role, at every path."""
    return {
        "key": f"sha256:{hashlib.sha256(KEY.encode()).hexdigest()}",
        "subject": "trial",
        "scopes": None,
        "roles": sorted({role for needed in policy.roles.values() for role in needed}),
        "path": dict.fromkeys(policy.samples, "*"),
    }
