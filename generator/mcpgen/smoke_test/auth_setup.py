"""How a trial comes in: where the server is, what it is told about callers, and what is shown."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from mcpgen.ir.credentials import PassthroughSpec
from mcpgen.ir.policy import Policy
from mcpgen.ir.server import Server
from mcpgen.smoke_test.stub_upstream import INTROSPECTION

KEY = "mcpgen-trial-key-of-an-operator"
"""What the trial shows; no server but the one it has started knows it."""

HANDED_ON = "mcpgen-trial-key-for-the-upstream"
"""What it shows for the upstream, which does not look at it."""


def endpoint_path(policy: Policy) -> str:
    """The path of the endpoint, with the values that the scenarios have."""
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
    """The settings of the server, without their prefix. No real issuer is ever asked; where one is named
    alone, the environment says at last where its keys are, so it does here too."""
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
