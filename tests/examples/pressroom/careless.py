"""The API of the Pressroom with three faulty pages."""

from __future__ import annotations

import asyncio

from docs.examples.pressroom import Site, create
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp


def careless(site: Site, other_url: str) -> ASGIApp:
    """The API of a site: the page `moved` redirects to the URL `other_url`, `stuck` takes five seconds,
    and the error about `none` repeats the credentials of the request."""

    async def page(request: Request) -> Response:
        match request.url.path.rpartition("/")[2]:
            case "moved":
                return RedirectResponse(f"{other_url}/v1/pages/moved")
            case "stuck":
                await asyncio.sleep(5)
        output = f"{request.headers['Authorization']} {request.headers['X-Api-Key']}"
        problem = {"code": "no_page", "message": f"There is no such page for {output}."}
        return JSONResponse(problem, 404)

    app = create(site)
    routes = [Route(f"/v1/pages/{name}", page) for name in ("moved", "stuck", "none")]
    app.router.routes[:0] = routes
    return app
