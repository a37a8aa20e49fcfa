"""The Reading Room and its server; every test starts with the initial library."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from docs.examples.reading_room.api import TOKEN, create, furnish
from docs.examples.reading_room.library import Library
from starlette.types import ASGIApp, Receive, Scope, Send
from tests.examples.local_api import LocalApi, issuer_app, running, serving_api
from tests.examples.project_process import ServerEndpoint, serving
from tests.runtime.auth_servers import entry
from tests.runtime.issuer import NAME, JwtIssuer

PUBLIC = "https://reading-room.example"
"""The address under which callers know the server."""

HARBOUR = "/api/v1/workspaces/harbour/mcp"
LIGHTHOUSE = "/api/v1/workspaces/lighthouse/mcp"

SCOPES: dict[str, list[str] | None] = {
    "idle": [],
    "reader": ["read"],
    "legacy": ["read", "write"],
    "ingester": ["read", "write:ingest"],
    "keeper": ["read", "write:kb"],
    "bootstrap": None,
}
"""The scopes of each key that is minted for the harbour; the last one is the operator's."""

WATCHED = "watched"
"""Who calls only where events are counted, so that none of another test comes late."""

KEYS = {holder: f"rr_{holder}_0123456789abcdef" for holder in (*SCOPES, WATCHED)}

CHAT = {"expose": "chat", "chat_service": "echo"}
"""What puts the tools that cost tokens on the list."""


class ReplaceableLibraryApi:
    """The API over a library that `refurnish` replaces."""

    library: Library
    app: ASGIApp

    def refurnish(self) -> None:
        """Starts with a new library."""
        self.library = Library(":memory:")
        furnish(self.library)
        self.app = create(self.library)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves the library of the current test."""
        if scope["type"] == "http":
            await self.app(scope, receive, send)


@pytest.fixture(scope="package")
def house() -> ReplaceableLibraryApi:
    """The API and its library."""
    return ReplaceableLibraryApi()


@pytest.fixture(scope="package")
def api(house: ReplaceableLibraryApi) -> Iterator[LocalApi]:
    """The API behind the server."""
    with serving_api(house) as service:
        yield service


@pytest.fixture(scope="package")
def room(api: LocalApi) -> Iterator[ServerEndpoint]:
    """The server in development mode: no authentication, and all tools."""
    settings = {"service_token": TOKEN, "caller_anonymous": "true", **CHAT}
    with serving("reading-room", f"{api.url}/api/v1", **settings) as front:
        yield front.at(HARBOUR)


@pytest.fixture(scope="package")
def login() -> JwtIssuer:
    """The issuer of the operators' tokens."""
    return JwtIssuer()


@pytest.fixture(scope="package")
def guarded_server(api: LocalApi, login: JwtIssuer) -> Iterator[ServerEndpoint]:
    """The server with API keys, and tokens of operators."""
    entries = [
        entry(KEYS[holder], holder, scopes=scopes, path={"workspaceId": "harbour"})
        for holder, scopes in SCOPES.items()
    ]
    entries[-1]["path"] = {"workspaceId": "*"}
    entries.append(
        entry(
            KEYS[WATCHED], WATCHED, scopes=["read", "write:ingest"], path={"workspaceId": "harbour"}
        )
    )
    with running(issuer_app(login)) as service:
        settings = {
            "service_token": TOKEN,
            "public_url": PUBLIC,
            "caller_keys": json.dumps(entries),
            "caller_issuer": NAME,
            "caller_jwks_url": f"{service.url}/keys",
        }
        with serving("reading-room", f"{api.url}/api/v1", **settings) as front:
            yield front.at(HARBOUR)


@pytest.fixture
def with_key(guarded_server: ServerEndpoint) -> Callable[[str], ServerEndpoint]:
    """The guarded server with the credentials of a key's holder."""
    return lambda holder: guarded_server.showing(Authorization=f"Bearer {KEYS[holder]}")


@pytest.fixture(autouse=True)
def _refurnish(house: ReplaceableLibraryApi) -> Iterator[None]:
    house.refurnish()
    yield
    house.library.close()
