"""The API of the Pressroom, as its description has it: pages, and publications of them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

FIELDS = ("id", "title", "section")


@dataclass
class Site:
    """What its editors have written, by id, and what was published. `elsewhere` is an address that
    the page `moved` leads to; the page `stuck` takes seconds."""

    pages: dict[str, dict[str, str]] = field(default_factory=dict)
    publications: list[dict[str, Any]] = field(default_factory=list)
    elsewhere: str = ""

    def save(self, id: str, title: str, text: str, section: str) -> dict[str, str]:
        """The page as it is now, without its text."""
        self.pages[id] = {"id": id, "title": title, "section": section, "text": text}
        return {name: self.pages[id][name] for name in FIELDS}

    def publish(self, section: str) -> dict[str, Any]:
        """A publication that has begun."""
        number = len(self.publications) + 1
        begun = {"id": f"p-{number}", "section": section, "state": "running", "pages": []}
        self.publications.append(begun)
        return begun

    def published(self, id: str) -> dict[str, Any] | None:
        """The publication, which is done by the time somebody asks, or None if there is none."""
        begun = next((each for each in self.publications if each["id"] == id), None)
        if begun is None:
            return None
        pages = [page["id"] for page in self.pages.values() if page["section"] == begun["section"]]
        return {**begun, "state": "done", "pages": sorted(pages)}


def upstream(site: Site) -> web.Application:
    """The API of a site. It says back whom it does not know, as careless ones do."""

    async def listed(request: web.Request) -> web.Response:
        section = request.query.get("section")
        found = [page for page in site.pages.values() if section in (None, page["section"])]
        found.sort(key=lambda page: page["id"])
        short = [{name: page[name] for name in FIELDS} for page in found]
        return web.json_response(short[: int(request.query.get("limit", "20"))])

    async def read(request: web.Request) -> web.Response:
        id = request.match_info["page"]
        if id == "moved":
            raise web.HTTPTemporaryRedirect(f"{site.elsewhere}/v1/pages/moved")
        if id == "stuck":
            await asyncio.sleep(5)
        if id not in site.pages:
            shown = f"{request.headers['Authorization']} {request.headers['X-Api-Key']}"
            problem = {"code": "no_page", "message": f"There is no {id} for {shown}."}
            return web.json_response(problem, status=404)
        return web.json_response(site.pages[id])

    async def save(request: web.Request) -> web.Response:
        given = await request.json()
        section = given.get("section", "news")
        id = request.match_info["page"]
        return web.json_response(site.save(id, given["title"], given["text"], section))

    async def publish(request: web.Request) -> web.Response:
        return web.json_response(site.publish((await request.json())["section"]), status=202)

    async def look(request: web.Request) -> web.Response:
        found = site.published(request.match_info["publication"])
        if found is None:
            problem = {"code": "no_publication", "message": "It was never begun."}
            return web.json_response(problem, status=404)
        return web.json_response(found)

    app = web.Application()
    app.router.add_get("/v1/pages", listed)
    app.router.add_get("/v1/pages/{page}", read)
    app.router.add_put("/v1/pages/{page}", save)
    app.router.add_post("/v1/publications", publish)
    app.router.add_get("/v1/publications/{publication}", look)
    return app
