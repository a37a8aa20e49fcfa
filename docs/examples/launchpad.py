"""The API of the Launchpad over SQLite: businesses, workers, and the events of both."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from docs.examples.example import Example, caller_key, redis_server
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

KEY = "the-launchpad-knows-its-own-services"
"""The key of the platform's own services. Callers of the MCP server never see the key."""

FIRST_ID = 123
"""The number in the id of the first business."""

TABLES = """
create table if not exists businesses (number integer primary key, name text unique);
create table if not exists workers (
    name text, version integer, script text, deployed_at text, primary key (name, version)
);
create table if not exists events (number integer primary key, type text, at text, subject text);
"""


class Platform:
    """Businesses, every deployed version of each worker, and events, in the SQLite file `path`."""

    def __init__(self, path: str) -> None:
        self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._database.row_factory = sqlite3.Row
        self._database.executescript(TABLES)

    def close(self) -> None:
        """Closes the database."""
        self._database.close()

    def businesses(self, part: str = "") -> list[dict[str, str]]:
        """Businesses with `part` in the name, in the order of their creation."""
        query = "select * from businesses where instr(lower(name), lower(?)) > 0 order by number"
        return [_business(row) for row in self._database.execute(query, (part,))]

    def business(self, id: str) -> dict[str, str] | None:
        """The business with an id, None if no business has the id."""
        number = int(id.removeprefix("biz_")) - FIRST_ID + 1
        query = "select * from businesses where number = ?"
        row = self._database.execute(query, (number,)).fetchone()
        return row and _business(row)

    def open_business(self, name: str) -> dict[str, str]:
        """Adds a business. Raises `sqlite3.IntegrityError` if another business has the name."""
        query = "insert into businesses (name) values (?) returning *"
        return _business(self._database.execute(query, (name,)).fetchone())

    def deploy(self, name: str, script: str) -> dict[str, Any]:
        """Stores `script` as the next version of a worker and records an event."""
        with self._database:
            self._database.execute("begin")
            query = "select coalesce(max(version), 0) + 1 from workers where name = ?"
            (version,) = self._database.execute(query, (name,)).fetchone()
            values = (name, version, script, _now())
            self._database.execute("insert into workers values (?, ?, ?, ?)", values)
            self.record("worker.deployed", name)
        return {"name": name, "version": version}

    def script(self, name: str) -> str | None:
        """The program of the newest version of a worker, None if the worker does not exist."""
        query = "select script from workers where name = ? order by version desc limit 1"
        row = self._database.execute(query, (name,)).fetchone()
        return row and str(row["script"])

    def record(self, type: str, subject: str) -> None:
        """Adds an event."""
        query = "insert into events (type, at, subject) values (?, ?, ?)"
        self._database.execute(query, (type, _now(), subject))

    def events(self, type: str, limit: int) -> list[dict[str, str]]:
        """The newest events of a type, newest first; `""` selects every type."""
        query = "select * from events where ? in ('', type) order by number desc limit ?"
        return [
            {
                "id": f"ev-{row['number']}",
                "type": row["type"],
                "at": row["at"],
                "subject": row["subject"],
            }
            for row in self._database.execute(query, (type, limit))
        ]


def create(platform: Platform) -> Starlette:
    """The REST API of a platform, as `specs/openapi/launchpad/openapi.yaml` describes it."""

    async def list_businesses(request: Request) -> Response:
        return JSONResponse(platform.businesses(request.query_params.get("name", "")))

    async def get_business(request: Request) -> Response:
        business = platform.business(request.path_params["id"])
        if business is None:
            return _problem(404, "not_found", "There is no such business.")
        return JSONResponse(business)

    async def open_business(request: Request) -> Response:
        try:
            business = platform.open_business((await request.json())["name"])
        except sqlite3.IntegrityError:
            return _problem(409, "name_taken", "Another business has this name.")
        return JSONResponse(business, 201)

    async def list_events(request: Request) -> Response:
        limit = int(request.query_params.get("limit", "20"))
        return JSONResponse(platform.events(request.query_params.get("type", ""), limit))

    async def deploy_worker(request: Request) -> Response:
        script = (await request.json())["script"]
        if "export default" not in script:
            return _problem(422, "no_entry", "The program exports nothing.")
        return JSONResponse(platform.deploy(request.path_params["name"], script))

    return Starlette(
        routes=[
            Route("/v1/businesses", list_businesses, methods=["GET"]),
            Route("/v1/businesses", open_business, methods=["POST"]),
            Route("/v1/businesses/{id}", get_business, methods=["GET"]),
            Route("/v1/events", list_events, methods=["GET"]),
            Route("/v1/workers/{name}", deploy_worker, methods=["PUT"]),
        ],
        middleware=[Middleware(PlatformKey)],
    )


def start(folder: Path, stack: ExitStack) -> Example:
    """The platform in `folder`; the windows of the rate limits are kept in Redis there."""
    platform = Platform(str(folder / "launchpad.sqlite"))
    stack.callback(platform.close)
    redis_url = stack.enter_context(redis_server(folder))
    key = "sk_live_ada_0123456789abcdef"
    scopes = ["mcp:tools", "mcp:resources", "mcp:prompts"]
    settings = {
        "platform_key": KEY,
        "limit_store": redis_url,
        "caller_keys": caller_key(key, scopes=scopes, roles=["admin"]),
    }
    return Example(
        project="launchpad",
        app=create(platform),
        base="/v1",
        settings=lambda _: settings,
        path="/",
        headers={"Authorization": f"Bearer {key}"},
        tool="admin_deploy_worker",
        arguments={"name": "greeter", "script": 'export default {fetch: () => new Response("hi")}'},
    )


class PlatformKey:
    """Refuses requests without the key of the platform's services."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers 401 or passes the request on."""
        app = self._app
        if scope["type"] == "http" and Request(scope).headers.get("X-Platform-Key") != KEY:
            app = _problem(401, "unknown_service", "This service is not known here.")
        await app(scope, receive, send)


def _problem(status: int, code: str, message: str) -> Response:
    return JSONResponse({"code": code, "message": message}, status)


def _business(row: sqlite3.Row) -> dict[str, str]:
    return {"id": f"biz_{row['number'] + FIRST_ID - 1}", "name": row["name"]}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
