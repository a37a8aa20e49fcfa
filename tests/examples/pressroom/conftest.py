"""The Pressroom, the server in front of it, and the host that reaches it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import pytest
from aiohttp import web
from docs.examples.pressroom import AUDIENCE, ISSUER, Site
from tests.examples.local_api import Service, published, running, serving_api
from tests.examples.pressroom.careless import careless
from tests.examples.pressroom.host import APPLICATION
from tests.examples.project_process import Front, serving
from tests.runtime.issuer import Issuer

PUBLIC = "https://mcp.pressroom.example"
"""The address under which hosts know the server."""


@dataclass(frozen=True)
class Press:
    """How the server is started: before this API, with this issuer."""

    api: Service
    login: Service
    issuer: Issuer

    def server(self, **settings: str) -> AbstractContextManager[Front]:
        """A server of its own."""
        always = {
            "trusted_hosts": "127.0.0.1",
            "public_url": PUBLIC,
            "caller_jwks_url": f"{self.login.url}/keys",
        }
        return serving("pressroom", f"{self.api.url}/v1", **{**always, **settings})

    def token(self, **claims: Any) -> str:
        """A token of an editor."""
        good: dict[str, Any] = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "scope": "pages"}
        return self.issuer.token(**{**good, **claims})


def editing(front: Front, token: str, application: str = APPLICATION) -> Front:
    """The server as a host reaches it whose user has this token."""
    return front.showing(Authorization=f"Bearer {token}", x_api_key=application)


@pytest.fixture(scope="package")
def elsewhere() -> Iterator[Service]:
    """Somebody whom nothing of a user must reach."""
    with running(web.Application()) as service:
        yield service


@pytest.fixture(scope="package")
def site() -> Iterator[Site]:
    """A site with one page."""
    site = Site(":memory:")
    site.save("spring-fair", "Spring fair", "Come and see.", "news")
    yield site
    site.close()


@pytest.fixture(scope="package")
def api(site: Site, elsewhere: Service) -> Iterator[Service]:
    """The API behind the server."""
    with serving_api(careless(site, elsewhere.url)) as service:
        yield service


@pytest.fixture(scope="package")
def press(api: Service) -> Iterator[Press]:
    """Starts servers."""
    issuer = Issuer()
    with running(published(issuer)) as login:
        yield Press(api, login, issuer)


@pytest.fixture(scope="package")
def desk(press: Press) -> Iterator[Front]:
    """One server for all tests that need no other."""
    with press.server() as front:
        yield front


@pytest.fixture
def token(press: Press) -> str:
    """The token of an editor who may do everything."""
    return press.token()


@pytest.fixture
def editor(desk: Front, token: str) -> Front:
    """The server as the editor's host reaches it."""
    return editing(desk, token)
