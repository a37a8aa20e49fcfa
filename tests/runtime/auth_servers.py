"""Servers of handwritten tools behind `Authentication`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
from tests.runtime.conftest import serving_tools
from tests.runtime.issuer import NAME, PUBLIC, JwtIssuer

from mcpgen_runtime.auth.authentication import Authentication
from mcpgen_runtime.auth.config import AuthConfig, CallerSettings
from mcpgen_runtime.caller import Caller, scope_with_caller
from mcpgen_runtime.hooks import Call, Hooks
from mcpgen_runtime.result import Result
from mcpgen_runtime.server.asgi import Asgi, Receive, Scope, Send, respond
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.tool import Hints, Route, Tool

TOOL = Tool("look", "Look", "Looks.", Route("GET", "/it"), Hints(True, False, True))

ACCESS = AuthConfig()
"""Access without any configuration."""


class FixedCaller(Middleware):
    """Authentication that turns every caller into the given caller."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller

    def gate(self, app: Asgi) -> Asgi:
        """Names the caller."""

        async def app_with_caller(scope: Scope, receive: Receive, send: Send) -> None:
            await app(scope_with_caller(scope, self.caller), receive, send)

        return app_with_caller


class RefusingGate(Middleware):
    """Refuses every request."""

    def gate(self, app: Asgi) -> Asgi:
        """Refuses."""

        async def app_with_caller(scope: Scope, receive: Receive, send: Send) -> None:
            await respond(send, 401)

        return app_with_caller


def entry(key: str, subject: str = "ada", **more: Any) -> dict[str, Any]:
    """Returns the configuration entry of a key, with the digest instead of the key."""
    digest = hashlib.sha256(key.encode()).hexdigest()
    return {"key": f"sha256:{digest}", "subject": subject, **more}


def settings(**values: Any) -> CallerSettings:
    """Settings about callers; lists of keys become JSON."""
    if "caller_keys" in values:
        values["caller_keys"] = json.dumps(values["caller_keys"])
    return CallerSettings(**values)


def signed_token_settings(issuer: JwtIssuer, **values: Any) -> CallerSettings:
    """Returns the settings of a server that accepts the issuer's signed tokens."""
    url = f"{issuer.url}/jwks"
    return settings(public_url=PUBLIC, caller_issuer=NAME, caller_jwks_url=url, **values)


def introspection_settings(issuer: JwtIssuer, **values: Any) -> CallerSettings:
    """Returns the settings of a server that introspects tokens at the issuer."""
    return settings(
        public_url=PUBLIC,
        caller_issuer=NAME,
        caller_introspection_url=f"{issuer.url}/introspect",
        caller_introspection_client_id="here",
        caller_introspection_client_secret="a secret",
        **values,
    )


@dataclass
class Door:
    """Client in front of a server with authentication."""

    http: httpx2.AsyncClient
    path: str = "/mcp"

    async def knock(self, token: str = "", **headers: str) -> httpx2.Response:
        """Calls the tool with a bearer token. Underscores in header names stand for hyphens."""
        request_headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            request_headers["Authorization"] = f"Bearer {token}"
        params = {"name": "look", "arguments": {}}
        message = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}
        return await self.http.post(self.path, json=message, headers=request_headers)

    async def refused(self, token: str = "", **headers: str) -> str:
        """Returns status and reason of a refusal; asserts that challenge and body agree."""
        answer = await self.knock(token, **headers)
        error = answer.json()["error"]
        assert "result" not in answer.json()
        return (
            f"{answer.status_code} {error['data']['error']}: {error['data']['error_description']}"
        )

    async def subject(self, token: str = "", **headers: str) -> str:
        """Returns the subject that the server derives from the credential."""
        answer = (await self.knock(token, **headers)).json()
        return str(answer["result"]["content"][0]["text"])


async def describe_caller(call: Call) -> Result:
    """Returns the caller's subject, scopes and roles as `subject|scopes|roles`."""
    caller = call.caller
    rights = "everything" if caller.scopes is None else " ".join(sorted(caller.scopes))
    roles = " ".join(sorted(caller.roles))
    return Result.text(f"{caller.subject}|{rights}|{roles}".rstrip("|"))


@asynccontextmanager
async def door(
    caller_settings: CallerSettings,
    access: AuthConfig = ACCESS,
    *rules: Middleware,
    tools: Any = (TOOL,),
) -> AsyncIterator[Door]:
    """Runs a server whose tools return the caller's facts, and yields a client."""
    hooks = Hooks({tool.name: describe_caller for tool in tools})
    server_rules = (Authentication(caller_settings, access), *rules)
    async with serving_tools(
        *tools, upstream="http://127.0.0.1:9", hooks=hooks, rules=server_rules
    ) as c:
        yield Door(c.http)
