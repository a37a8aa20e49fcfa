"""The registry over HTTP."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from docs.examples.agent_registry.cards import card_of
from docs.examples.agent_registry.domain import HTTP, MCP, Agent, Endpoint, Liveness
from docs.examples.agent_registry.intake import (
    SECONDS,
    Rejected,
    agent_of,
    server_of,
    sought,
)
from docs.examples.agent_registry.store import Store
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

MAX_BODY = 8 * 1024 * 1024
"""Bytes of a body: the card of a thousand tools has one."""


class Missing(Exception):
    """What is asked for is not there."""


class Registry:
    """What the registry answers."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def register_agent(self, request: Request) -> Response:
        """`POST /agents`."""
        agent = agent_of(await _body(request))
        self._store.add(agent)
        return JSONResponse(self._shown(agent), 201, {"Location": f"/agents/{agent.id}"})

    async def agent(self, request: Request) -> Response:
        """`GET /agents/{agent}`."""
        return JSONResponse(self._shown(self._agent(request)))

    async def withdraw(self, request: Request) -> Response:
        """`DELETE /agents/{agent}`."""
        if not self._store.remove(request.path_params["agent"]):
            raise Missing
        return Response(status_code=204)

    async def heartbeat(self, request: Request) -> Response:
        """`POST /agents/{agent}/endpoints/{endpoint}/heartbeat`."""
        return self._renewed(request, Liveness.PERSISTENT)

    async def renew(self, request: Request) -> Response:
        """`POST /agents/{agent}/endpoints/{endpoint}/renew`."""
        return self._renewed(request, Liveness.EPHEMERAL)

    async def discover(self, request: Request) -> Response:
        """`GET /discover/agents`."""
        asked = sought(request.query_params)
        agents, total = self._store.found(asked)
        shown = [self._shown(agent) for agent in agents]
        counted = {"page": asked.page, "pageSize": asked.page_size, "total": total}
        return JSONResponse({"agents": shown, **counted})

    async def register_server(self, request: Request) -> Response:
        """`POST /mcp/servers`."""
        agent = server_of(await _body(request))
        self._store.add(agent)
        return JSONResponse(self._card(agent), 201, {"Location": f"/mcp/servers/{agent.id}"})

    async def server(self, request: Request) -> Response:
        """`GET /mcp/servers/{server}`."""
        return JSONResponse(self._card(self._agent(request, "server")))

    async def servers(self, request: Request) -> Response:
        """`GET /mcp/servers`."""
        asked = replace(sought(request.query_params), protocol=MCP, transport=HTTP)
        agents, total = self._store.found(asked)
        cards = [self._card(agent) for agent in agents]
        counted = {"page": asked.page, "pageSize": asked.page_size, "total": total}
        return JSONResponse({"servers": cards, **counted})

    def _agent(self, request: Request, parameter: str = "agent") -> Agent:
        agent = self._store.agent(request.path_params[parameter])
        if agent is None:
            raise Missing
        return agent

    def _card(self, agent: Agent) -> dict[str, Any]:
        if agent.mcp is None:
            raise Missing
        return card_of(agent, agent.mcp, live=self._store.is_live(agent.mcp))

    def _renewed(self, request: Request, model: Liveness) -> Response:
        wanted = request.path_params["endpoint"]
        found = next((each for each in self._agent(request).endpoints if each.id == wanted), None)
        if found is None:
            raise Missing
        if found.liveness is not model:
            message = f"the endpoint is {found.liveness}, not {model}"
            return JSONResponse({"error": "wrong_model", "message": message}, 409)
        self._store.renew(found)
        return Response(status_code=204)

    def _shown(self, agent: Agent) -> dict[str, Any]:
        endpoints = [self._shown_endpoint(each) for each in agent.endpoints]
        return {
            "id": agent.id,
            "name": agent.name,
            "description": agent.description,
            "capabilities": [
                {"name": each.name, "description": each.description, "tags": list(each.tags)}
                for each in agent.capabilities
            ],
            "endpoints": endpoints,
            "isLive": any(each["isLive"] for each in endpoints),
        }

    def _shown_endpoint(self, endpoint: Endpoint) -> dict[str, Any]:
        return {
            "id": endpoint.id,
            "name": endpoint.name,
            "transport": endpoint.transport,
            "protocol": endpoint.protocol,
            "address": endpoint.address,
            "livenessModel": endpoint.liveness,
            SECONDS[endpoint.liveness]: endpoint.seconds,
            "isLive": self._store.is_live(endpoint),
        }


def create(database: str, redis_url: str, now: Callable[[], float] = time.time) -> Starlette:
    """The registry over the SQLite file `database` and a Redis; `now` returns the time in seconds."""
    store = Store(database, redis_url, now)
    registry = Registry(store)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        store.close()

    endpoint = "/agents/{agent}/endpoints/{endpoint}"
    return Starlette(
        routes=[
            Route("/agents", registry.register_agent, methods=["POST"]),
            Route("/agents/{agent}", registry.agent, methods=["GET"]),
            Route("/agents/{agent}", registry.withdraw, methods=["DELETE"]),
            Route(f"{endpoint}/heartbeat", registry.heartbeat, methods=["POST"]),
            Route(f"{endpoint}/renew", registry.renew, methods=["POST"]),
            Route("/discover/agents", registry.discover, methods=["GET"]),
            Route("/mcp/servers", registry.servers, methods=["GET"]),
            Route("/mcp/servers", registry.register_server, methods=["POST"]),
            Route("/mcp/servers/{server}", registry.server, methods=["GET"]),
        ],
        exception_handlers={Rejected: _rejected, Missing: _missing},
        lifespan=lifespan,
    )


async def _body(request: Request) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            raise Rejected(f"the body has more than {MAX_BODY} bytes")
    return bytes(body)


async def _rejected(_: Request, reason: Exception) -> Response:
    assert isinstance(reason, Rejected)
    told = {"error": "rejected", "message": str(reason), "problems": list(reason.problems)}
    return JSONResponse(told, 400)


async def _missing(_: Request, __: Exception) -> Response:
    return JSONResponse({"error": "not_found", "message": "there is nothing of this id"}, 404)
