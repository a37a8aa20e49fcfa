"""Token introspection in scenario tests: answered by the fixture's application if supported."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest
from aiohttp.test_utils import RawTestServer
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from tests.openspec.scenarios.test_engine import fixtures

INTROSPECTION: str = fixtures.INTROSPECTION


async def _introspect(request: Request) -> JSONResponse:
    form = (await request.body()).decode()
    return JSONResponse({"active": form == "token=good"})


KNOWING = Starlette(routes=[Route(INTROSPECTION, _introspect, methods=["POST"])])
UNKNOWING = Starlette(routes=[])


async def introspect_token(app: Starlette, token: str) -> tuple[Any, int]:
    """Returns the introspection response, and the number of recorded requests."""
    fixture = fixtures.ScenarioFixture(app=lambda values: app)
    async with (
        fixtures.run_upstream(fixture) as fixture_upstream,
        RawTestServer(fixture_upstream.answer, host="127.0.0.1") as server,
        httpx2.AsyncClient(timeout=120) as client,
    ):
        response = await client.post(str(server.make_url(INTROSPECTION)), data={"token": token})
        return response.json(), len(fixture_upstream.requests)


@pytest.mark.parametrize(
    ("app", "token", "active"),
    [(KNOWING, "good", True), (KNOWING, "bad", False), (UNKNOWING, "good", False)],
)
def test_a_token_is_worth_what_the_application_says_and_no_scenario_counts_the_question(
    app: Starlette, token: str, active: bool
) -> None:
    response, request_count = asyncio.run(introspect_token(app, token))

    assert response == {"active": active}
    assert request_count == 0
