"""The Launchpad and the server in front of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass

import pytest
from docs.examples.launchpad import KEY, Platform, create
from tests.examples.local_api import LocalApi, issuer_app, running, serving_api
from tests.examples.project_process import ServerEndpoint, serving
from tests.runtime.auth_servers import entry
from tests.runtime.issuer import NAME, JwtIssuer

PUBLIC = "https://mcp.launchpad.example"
"""The address under which callers know the server."""

SCOPE = "mcp:tools"
"""What most callers may use: the tools."""

MORE = [SCOPE, "mcp:resources", "mcp:prompts"]
"""What ada may use."""

ROLES: Mapping[str, list[str]] = {"ada": ["admin"], "bob": [], "eve": []}
"""Who holds a key, and with which roles."""

KEYS = {holder: f"sk_live_{holder}_0123456789abcdef" for holder in ROLES}


@dataclass(frozen=True)
class LaunchpadLauncher:
    """Starts the server before an API, with keys and an issuer."""

    api: LocalApi
    login: LocalApi

    def server(self, **settings: str) -> AbstractContextManager[ServerEndpoint]:
        """A new server with empty counters."""
        entries = [
            entry(KEYS[name], name, scopes=MORE if roles else [SCOPE], roles=roles)
            for name, roles in ROLES.items()
        ]
        always = {
            "platform_key": KEY,
            "limit_store": "memory://",
            "public_url": PUBLIC,
            "caller_keys": json.dumps(entries),
            "caller_issuer": NAME,
            "caller_jwks_url": f"{self.login.url}/keys",
        }
        return serving("launchpad", f"{self.api.url}/v1", **{**always, **settings})


def with_key_of(front: ServerEndpoint, holder: str) -> ServerEndpoint:
    """The server with the credentials of a key's holder."""
    return front.showing(Authorization=f"Bearer {KEYS[holder]}")


@pytest.fixture(scope="package")
def platform() -> Iterator[Platform]:
    """Businesses, workers and events that the tests share."""
    platform = Platform(":memory:")
    for name in ("Acme Corp", "Bright Bakery"):
        platform.open_business(name)
    for subject in ("greeter", "counter"):
        platform.record("worker.crashed", subject)
    yield platform
    platform.close()


@pytest.fixture(scope="package")
def api(platform: Platform) -> Iterator[LocalApi]:
    """The API behind the server."""
    with serving_api(create(platform)) as service:
        yield service


@pytest.fixture(scope="package")
def login() -> JwtIssuer:
    """The issuer of the users' tokens."""
    return JwtIssuer()


@pytest.fixture(scope="package")
def launch(api: LocalApi, login: JwtIssuer) -> Iterator[LaunchpadLauncher]:
    """Starts servers."""
    with running(issuer_app(login)) as service:
        yield LaunchpadLauncher(api, service)


@pytest.fixture(scope="package")
def pad(launch: LaunchpadLauncher) -> Iterator[ServerEndpoint]:
    """A shared server without rate limits."""
    with launch.server(limits="off") as front:
        yield front


@pytest.fixture
def admin(pad: ServerEndpoint) -> ServerEndpoint:
    """The server with the credentials of an administrator."""
    return with_key_of(pad, "ada")
