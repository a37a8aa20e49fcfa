"""The API of the Pressroom over SQLite: pages, and publications of them."""

from __future__ import annotations

import sqlite3
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from docs.examples.example import Example
from jwt.algorithms import ECAlgorithm
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

ISSUER = "https://login.pressroom.example"
AUDIENCE = "https://pressroom.example"
"""Issuer and audience of the platform's tokens, as `generated/pressroom/mcpgen.toml` names both."""

TABLES = """
create table if not exists pages (id text primary key, title text, section text, text text);
create table if not exists published (publication integer, page text, title text, text text);
create table if not exists publications (
    number integer primary key, section text, state text default 'running'
);
"""


class Site:
    """Drafts of pages, and the pages that each publication has brought to the site, in the SQLite file
    `path`. Publications that an earlier process left running are finished first."""

    def __init__(self, path: str) -> None:
        self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._database.row_factory = sqlite3.Row
        self._database.executescript(TABLES)
        running = "select number from publications where state = 'running'"
        for row in self._database.execute(running).fetchall():
            self.finish(row["number"])

    def close(self) -> None:
        """Closes the database."""
        self._database.close()

    def pages(self, section: str | None, limit: int) -> list[dict[str, str]]:
        """Pages of a section (all sections if None) without their text, in the order of their ids."""
        query = "select id, title, section from pages where ? in (section, '') order by id limit ?"
        return [dict(row) for row in self._database.execute(query, (section or "", limit))]

    def page(self, id: str) -> dict[str, str] | None:
        """A page with its text, None if the page does not exist."""
        row = self._database.execute("select * from pages where id = ?", (id,)).fetchone()
        return row and dict(row)

    def save(self, id: str, title: str, text: str, section: str) -> dict[str, str]:
        """Writes or replaces a page; returns the page without its text."""
        query = "replace into pages (id, title, section, text) values (?, ?, ?, ?)"
        self._database.execute(query, (id, title, section, text))
        return {"id": id, "title": title, "section": section}

    def publish(self, section: str) -> int:
        """Starts a publication; returns its number."""
        query = "insert into publications (section) values (?) returning number"
        (number,) = self._database.execute(query, (section,)).fetchone()
        return int(number)

    def finish(self, number: int) -> None:
        """Copies the pages of the section to the site and marks the publication as done."""
        with self._database:
            self._database.execute("begin")
            copy = """insert into published
                select publications.number, pages.id, title, text
                from pages join publications using (section) where number = ?"""
            self._database.execute(copy, (number,))
            done = "update publications set state = 'done' where number = ?"
            self._database.execute(done, (number,))

    def publication(self, number: int) -> dict[str, Any] | None:
        """A publication with the ids of its pages, None if the publication does not exist."""
        query = "select * from publications where number = ?"
        row = self._database.execute(query, (number,)).fetchone()
        if row is None:
            return None
        query = "select page from published where publication = ? order by page"
        pages = [page for (page,) in self._database.execute(query, (number,))]
        return {
            "id": f"p-{number}",
            "section": row["section"],
            "state": row["state"],
            "pages": pages,
        }


def create(site: Site) -> Starlette:
    """The REST API of a site, as `specs/openapi/pressroom.yaml` describes it."""

    async def list_pages(request: Request) -> Response:
        limit = int(request.query_params.get("limit", "20"))
        return JSONResponse(site.pages(request.query_params.get("section"), limit))

    async def get_page(request: Request) -> Response:
        page = site.page(request.path_params["page"])
        if page is None:
            return _problem("no_page", f"There is no {request.path_params['page']}.")
        return JSONResponse(page)

    async def save_page(request: Request) -> Response:
        given = await request.json()
        section = given.get("section", "news")
        id = request.path_params["page"]
        return JSONResponse(site.save(id, given["title"], given["text"], section))

    async def start_publication(request: Request) -> Response:
        number = site.publish((await request.json())["section"])
        return JSONResponse(
            site.publication(number), 202, background=BackgroundTask(finish, number)
        )

    async def finish(number: int) -> None:
        site.finish(number)

    async def get_publication(request: Request) -> Response:
        number = int(request.path_params["publication"].removeprefix("p-"))
        publication = site.publication(number)
        if publication is None:
            return _problem("no_publication", "There is no such publication.")
        return JSONResponse(publication)

    return Starlette(
        routes=[
            Route("/v1/pages", list_pages, methods=["GET"]),
            Route("/v1/pages/{page}", get_page, methods=["GET"]),
            Route("/v1/pages/{page}", save_page, methods=["PUT"]),
            Route("/v1/publications", start_publication, methods=["POST"]),
            Route("/v1/publications/{publication}", get_publication, methods=["GET"]),
        ]
    )


def start(folder: Path, stack: ExitStack) -> Example:
    """The site in `folder`, and an issuer with a new key whose token is valid for twelve hours."""
    site = Site(str(folder / "pressroom.sqlite"))
    stack.callback(site.close)
    private = ec.generate_private_key(ec.SECP256R1())
    public = ECAlgorithm.to_jwk(private.public_key(), as_dict=True)
    keys = {"keys": [{**public, "kid": "example", "alg": "ES256", "use": "sig"}]}

    async def publish_keys(_: Request) -> Response:
        return JSONResponse(keys)

    app = create(site)
    app.add_route("/keys", publish_keys)
    claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "scope": "pages"}
    expiry = {"exp": int(time.time()) + 12 * 3600}
    token = jwt.encode(claims | expiry, private, "ES256", {"kid": "example"})
    return Example(
        project="pressroom",
        app=app,
        base="/v1",
        settings=lambda url: {"caller_jwks_url": f"{url}/keys", "trusted_hosts": "127.0.0.1"},
        headers={"Authorization": f"Bearer {token}", "X-Api-Key": "editor-application"},
        tool="save_page",
        arguments={"page": "spring-fair", "title": "Spring fair", "text": "Come and see."},
    )


def _problem(code: str, message: str) -> Response:
    return JSONResponse({"code": code, "message": message}, 404)
