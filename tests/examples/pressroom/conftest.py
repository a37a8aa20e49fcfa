"""The Pressroom, its server, and the host that calls the server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import pytest
from aiohttp import web
from docs.examples.pressroom import AUDIENCE, ISSUER, Site
from tests.examples.local_api import LocalApi, issuer_app, running, serving_api
from tests.examples.pressroom.careless import careless
from tests.examples.pressroom.host import APPLICATION
from tests.examples.project_process import ServerEndpoint, serving
from tests.runtime.issuer import JwtIssuer

PUBLIC = "https://mcp.pressroom.example"
"""The address under which hosts know the server."""


@dataclass(frozen=True)
class PressroomLauncher:
    """Starts the server before an API, with an issuer."""

    api: LocalApi
    login: LocalApi
    issuer: JwtIssuer

    def server(self, **settings: str) -> AbstractContextManager[ServerEndpoint]:
        """A new server."""
        always = {
            "trusted_hosts": "127.0.0.1",
            "public_url": PUBLIC,
            "caller_jwks_url": f"{self.login.url}/keys",
        }
        return serving("pressroom", f"{self.api.url}/v1", **{**always, **settings})

    def token(self, **claims: Any) -> str:
        """A token of an editor."""
        default_claims: dict[str, Any] = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": "ada",
            "scope": "pages",
        }
        return self.issuer.token(**{**default_claims, **claims})


def editing(front: ServerEndpoint, token: str, application: str = APPLICATION) -> ServerEndpoint:
    """The server with the headers of a host whose user has this token."""
    return front.showing(Authorization=f"Bearer {token}", x_api_key=application)


@pytest.fixture(scope="package")
def third_party() -> Iterator[LocalApi]:
    """A third party that must receive nothing of a user."""
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
def api(site: Site, third_party: LocalApi) -> Iterator[LocalApi]:
    """The API behind the server."""
    with serving_api(careless(site, third_party.url)) as service:
        yield service


@pytest.fixture(scope="package")
def press(api: LocalApi) -> Iterator[PressroomLauncher]:
    """Starts servers."""
    issuer = JwtIssuer()
    with running(issuer_app(issuer)) as login:
        yield PressroomLauncher(api, login, issuer)


@pytest.fixture(scope="package")
def desk(press: PressroomLauncher) -> Iterator[ServerEndpoint]:
    """A server shared by tests."""
    with press.server() as front:
        yield front


@pytest.fixture
def token(press: PressroomLauncher) -> str:
    """The token of an editor with all rights."""
    return press.token()


@pytest.fixture
def editor(desk: ServerEndpoint, token: str) -> ServerEndpoint:
    """The server with the headers of the editor's host."""
    return editing(desk, token)
