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


async def _known(request: Request) -> JSONResponse:
    form = (await request.body()).decode()
    return JSONResponse({"active": form == "token=good"})


KNOWING = Starlette(routes=[Route(INTROSPECTION, _known, methods=["POST"])])
UNKNOWING = Starlette(routes=[])


async def asked(app: Starlette, token: str) -> tuple[Any, int]:
    """Returns the introspection response, and the number of recorded requests."""
    given = fixtures.ScenarioFixture(app=lambda values: app)
    async with (
        fixtures.run_upstream(given) as behind,
        RawTestServer(behind.answer, host="127.0.0.1") as server,
        httpx2.AsyncClient(timeout=120) as client,
    ):
        response = await client.post(str(server.make_url(INTROSPECTION)), data={"token": token})
        return response.json(), len(behind.requests)


@pytest.mark.parametrize(
    ("app", "token", "active"),
    [(KNOWING, "good", True), (KNOWING, "bad", False), (UNKNOWING, "good", False)],
)
def test_a_token_is_worth_what_the_application_says_and_no_scenario_counts_the_question(
    app: Starlette, token: str, active: bool
) -> None:
    told, counted = asyncio.run(asked(app, token))

    assert told == {"active": active}
    assert counted == 0
