"""The Launchpad and the server in front of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass

import pytest
from docs.examples.launchpad import KEY, Platform, create
from tests.examples.local_api import Service, published, running, serving_api
from tests.examples.project_process import Front, serving
from tests.runtime.auth_servers import entry
from tests.runtime.issuer import NAME, Issuer

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
class Launch:
    """How the server is started: before this API, with these keys and this issuer."""

    api: Service
    login: Service

    def server(self, **settings: str) -> AbstractContextManager[Front]:
        """A server of its own, with nothing counted yet."""
        entries = [
            entry(KEYS[one], one, scopes=MORE if roles else [SCOPE], roles=roles)
            for one, roles in ROLES.items()
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


def holding(front: Front, holder: str) -> Front:
    """The server as the holder of a key reaches it."""
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
def api(platform: Platform) -> Iterator[Service]:
    """The API behind the server."""
    with serving_api(create(platform)) as service:
        yield service


@pytest.fixture(scope="package")
def login() -> Issuer:
    """Who issues the tokens of users."""
    return Issuer()


@pytest.fixture(scope="package")
def launch(api: Service, login: Issuer) -> Iterator[Launch]:
    """Starts servers."""
    with running(published(login)) as service:
        yield Launch(api, service)


@pytest.fixture(scope="package")
def pad(launch: Launch) -> Iterator[Front]:
    """One server for all tests that do not count, which sets no limits."""
    with launch.server(limits="off") as front:
        yield front


@pytest.fixture
def admin(pad: Front) -> Front:
    """The server as an administrator reaches it."""
    return holding(pad, "ada")
