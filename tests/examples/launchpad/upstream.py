"""The API of the Launchpad, as its description has it: businesses, workers, and the events they leave."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler

KEY = "the-launchpad-knows-its-own-services"
"""What services of the platform show; callers never have it."""

Event = dict[str, str]
Business = dict[str, str]


@dataclass
class Platform:
    """Whom it works for, what runs there, by name with its version, and what has happened, the oldest
    first."""

    businesses: list[Business] = field(default_factory=list)
    workers: dict[str, int] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)

    def record(self, type: str, subject: str) -> None:
        """One more event."""
        number = len(self.events) + 1
        moment = f"2026-03-01T08:{number // 60:02}:{number % 60:02}Z"
        self.events.append({"id": f"ev-{number}", "type": type, "at": moment, "subject": subject})

    def recent(self, type: str, limit: int) -> list[Event]:
        """The newest events of a type, of all types if it is empty."""
        return [event for event in self.events[::-1] if type in ("", event["type"])][:limit]

    def open(self, name: str) -> Business:
        """A new business."""
        business = {"id": f"biz_{123 + len(self.businesses)}", "name": name}
        self.businesses.append(business)
        return business

    def named(self, part: str) -> list[Business]:
        """The businesses with this in their name."""
        return [each for each in self.businesses if part.lower() in each["name"].lower()]

    def deploy(self, name: str) -> dict[str, Any]:
        """The worker as it runs now."""
        version = self.workers.get(name, 0) + 1
        self.workers[name] = version
        self.record("worker.deployed", name)
        return {"name": name, "version": version}


def upstream(platform: Platform) -> web.Application:
    """The API of a platform."""

    async def businesses(request: web.Request) -> web.Response:
        return web.json_response(platform.named(request.query.get("name", "")))

    async def business(request: web.Request) -> web.Response:
        for each in platform.businesses:
            if each["id"] == request.match_info["id"]:
                return web.json_response(each)
        problem = {"code": "not_found", "message": "There is no such business."}
        return web.json_response(problem, status=404)

    async def open_business(request: web.Request) -> web.Response:
        name = (await request.json())["name"]
        if any(each["name"] == name for each in platform.businesses):
            problem = {"code": "name_taken", "message": "Another business has this name."}
            return web.json_response(problem, status=409)
        return web.json_response(platform.open(name), status=201)

    async def events(request: web.Request) -> web.Response:
        limit = int(request.query.get("limit", "20"))
        return web.json_response(platform.recent(request.query.get("type", ""), limit))

    async def deploy(request: web.Request) -> web.Response:
        script = (await request.json())["script"]
        if "export default" not in script:
            problem = {"code": "no_entry", "message": "The program exports nothing."}
            return web.json_response(problem, status=422)
        return web.json_response(platform.deploy(request.match_info["name"]))

    @web.middleware
    async def known(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.headers.get("X-Platform-Key") != KEY:
            problem = {"code": "unknown_service", "message": "This service is not known here."}
            return web.json_response(problem, status=401)
        return await handler(request)

    app = web.Application(middlewares=[known])
    app.router.add_get("/v1/businesses", businesses)
    app.router.add_post("/v1/businesses", open_business)
    app.router.add_get("/v1/businesses/{id}", business)
    app.router.add_get("/v1/events", events)
    app.router.add_put("/v1/workers/{name}", deploy)
    return app
