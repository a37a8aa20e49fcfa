"""Fixtures of scenarios, and the upstream behind the server."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl

import httpx2
from aiohttp import web

from tests.scenario_engine.lifespan import run_lifespan
from tests.support import INTROSPECTION, SentRequest, Upstream

HOP = frozenset({"connection", "content-encoding", "content-length", "host", "transfer-encoding"})
"""Headers about a single connection (RFC 9110, section 7.6.1), or recomputed for each connection.
"""


@dataclass(frozen=True)
class UpstreamExchange:
    """A request with the upstream's answer. `*` in the path matches any segment; query parameters
    that are not named may have any value."""

    method: str
    path: str
    body: Any = None
    status: int = 200
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def fits(self, sent: SentRequest) -> bool:
        """True if the request matches this exchange."""
        return matches_request(sent, self.method, self.path, self.query)


@dataclass(frozen=True)
class ScenarioFixture:
    """A fixture: variables of the server's environment, headers of the client, and the upstream:
    the ASGI application that `app` makes from `values`, or the answers of `exchanges`."""

    environment: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    exchanges: tuple[UpstreamExchange, ...] = ()
    app: Callable[[Mapping[str, Any]], Any] | None = None
    values: Mapping[str, Any] = field(default_factory=dict)

    def over(self, other: ScenarioFixture) -> ScenarioFixture:
        """Merges both fixtures; values of this fixture take precedence."""
        return ScenarioFixture(
            {**other.environment, **self.environment},
            {**other.headers, **self.headers},
            (*self.exchanges, *other.exchanges),
            self.app or other.app,
            {**other.values, **self.values},
        )


def merge_fixtures(
    names: Sequence[str], fixtures: Mapping[str, ScenarioFixture]
) -> ScenarioFixture:
    """Merges the fixtures of these names; later fixtures take precedence."""
    given = ScenarioFixture()
    for name in names:
        given = fixtures[name].over(given)
    return given


def matches_request(
    sent: SentRequest, method: str = "", path: str = "", query: Mapping[str, str] = {}
) -> bool:
    """True if a request has this method, path and query. Empty arguments match every request."""
    verb, _, target = sent.line.partition(" ")
    where, _, asked = target.partition("?")
    pairs = parse_qsl(asked, keep_blank_values=True)
    return (
        (not method or verb == method)
        and (not path or _alike(where, path))
        and all(pair in pairs for pair in query.items())
    )


def _alike(path: str, pattern: str) -> bool:
    segments, wanted = path.split("/"), pattern.split("/")
    pairs = zip(segments, wanted, strict=False)
    return len(segments) == len(wanted) and all(two in (one, "*") for one, two in pairs)


@dataclass
class UpstreamFixture(Upstream):
    """An upstream that records requests and answers as a fixture declares. `strays` are the
    requests without an answer."""

    given: ScenarioFixture = ScenarioFixture()
    strays: list[str] = field(default_factory=list)
    client: httpx2.AsyncClient | None = None

    async def answer(self, request: web.BaseRequest) -> web.Response:
        """The answer to a request; 404 for a request without an answer in the fixture."""
        if self.client and request.path == INTROSPECTION:
            # The fixture's application may answer token introspection; these requests are not
            # counted.
            worth = await _answered(self.client, request, await request.read())
            if worth.status != 404:
                return worth
        count = len(self.requests)
        recorded = await super().answer(request)
        if len(self.requests) == count:
            return recorded
        if self.client:
            return await _answered(self.client, request, self.requests[-1].body)
        fitting = [one for one in self.given.exchanges if one.fits(self.requests[-1])]
        if not fitting:
            self.strays.append(self.requests[-1].line)
            return _response(UpstreamExchange("", "", {"error": "no fixture answers this"}, 404))
        return _response(fitting[0])


async def _answered(
    client: httpx2.AsyncClient, request: web.BaseRequest, body: bytes
) -> web.Response:
    """The answer of the fixture's application."""
    kept = [(key, text) for key, text in request.headers.items() if key.lower() not in HOP]
    answer = await client.request(request.method, request.raw_path, headers=kept, content=body)
    headers = [(key, text) for key, text in answer.headers.items() if key.lower() not in HOP]
    return web.Response(status=answer.status_code, body=answer.content, headers=headers)


def _response(exchange: UpstreamExchange) -> web.Response:
    """A declared answer: text unchanged, no body, or JSON."""
    body, text = exchange.body, isinstance(exchange.body, str)
    kind = "text/plain; charset=utf-8" if text else "application/json"
    written = b"" if body is None else (body if text else json.dumps(body)).encode()
    headers = {"Content-Type": kind, **{key.title(): one for key, one in exchange.headers.items()}}
    return web.Response(status=exchange.status, body=written, headers=headers)


@asynccontextmanager
async def backdrop(given: ScenarioFixture) -> AsyncIterator[UpstreamFixture]:
    """Runs the upstream of a fixture, and the fixture's application, if any."""
    behind = UpstreamFixture(given=given)
    if given.app is None:
        yield behind
        return
    async with run_lifespan(given.app(given.values)) as app:
        transport = httpx2.ASGITransport(app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://upstream") as client:
            yield replace(behind, client=client)
