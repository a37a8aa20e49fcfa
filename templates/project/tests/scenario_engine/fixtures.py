"""Fixtures of scenarios: the server's environment, the client's headers, and the upstream API."""

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

UNFORWARDED_HEADERS = frozenset(
    {"connection", "content-encoding", "content-length", "host", "transfer-encoding"}
)
"""Headers about a single connection (RFC 9110, section 7.6.1), and headers that the next sender
computes anew."""


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

    def matches(self, request: SentRequest) -> bool:
        """True if the request has the method, the path and the query of this exchange."""
        return matches_request(request, self.method, self.path, self.query)


@dataclass(frozen=True)
class ScenarioFixture:
    """A fixture: variables of the server's environment, headers of the client, and the upstream:
    the ASGI application that `app` makes from `values`, or the answers of `exchanges`."""

    environment: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    exchanges: tuple[UpstreamExchange, ...] = ()
    app: Callable[[Mapping[str, Any]], Any] | None = None
    values: Mapping[str, Any] = field(default_factory=dict)

    def merge_over(self, base: ScenarioFixture) -> ScenarioFixture:
        """Merges both fixtures; this fixture takes precedence, also in the order of exchanges."""
        return ScenarioFixture(
            {**base.environment, **self.environment},
            {**base.headers, **self.headers},
            (*self.exchanges, *base.exchanges),
            self.app or base.app,
            {**base.values, **self.values},
        )


def merge_fixtures(
    names: Sequence[str], fixtures: Mapping[str, ScenarioFixture]
) -> ScenarioFixture:
    """Merges the fixtures of these names; later fixtures take precedence."""
    merged = ScenarioFixture()
    for name in names:
        merged = fixtures[name].merge_over(merged)
    return merged


def matches_request(
    request: SentRequest, method: str = "", path: str = "", query: Mapping[str, str] = {}
) -> bool:
    """True if a request has this method, path and query. Empty arguments match every request."""
    sent_method, _, target = request.line.partition(" ")
    sent_path, _, sent_query = target.partition("?")
    sent_pairs = parse_qsl(sent_query, keep_blank_values=True)
    return (
        (not method or sent_method == method)
        and (not path or _matches_path(sent_path, path))
        and all(pair in sent_pairs for pair in query.items())
    )


def _matches_path(path: str, pattern: str) -> bool:
    segments, wanted_segments = path.split("/"), pattern.split("/")
    return len(segments) == len(wanted_segments) and all(
        wanted in (segment, "*") for segment, wanted in zip(segments, wanted_segments, strict=False)
    )


@dataclass
class UpstreamFixture(Upstream):
    """An upstream that records requests and answers as a fixture declares.

    `client` calls the fixture's application, if the fixture has one. `unanswered` has the request
    lines for which the fixture has no answer.
    """

    fixture: ScenarioFixture = ScenarioFixture()
    unanswered: list[str] = field(default_factory=list)
    client: httpx2.AsyncClient | None = None

    async def answer(self, request: web.BaseRequest) -> web.Response:
        """Records a request and returns the answer of the application, or of the first matching
        exchange; 404 without a matching exchange."""
        if self.client and request.path == INTROSPECTION:
            # The fixture's application may answer token introspection. Introspection is not
            # recorded: the authorization server receives the request, not the API.
            introspection = await _forward(self.client, request, await request.read())
            if introspection.status != 404:
                return introspection
        count = len(self.requests)
        default_answer = await super().answer(request)
        if len(self.requests) == count:
            # The base class answers token introspection without recording the request.
            return default_answer
        if self.client:
            return await _forward(self.client, request, self.requests[-1].body)
        matching = [
            exchange for exchange in self.fixture.exchanges if exchange.matches(self.requests[-1])
        ]
        if not matching:
            self.unanswered.append(self.requests[-1].line)
            return _response(UpstreamExchange("", "", {"error": "no fixture answers this"}, 404))
        return _response(matching[0])


async def _forward(
    client: httpx2.AsyncClient, request: web.BaseRequest, body: bytes
) -> web.Response:
    """Sends the request to the fixture's application and returns the application's response."""
    answer = await client.request(
        request.method,
        request.raw_path,
        headers=_forwarded_headers(request.headers),
        content=body,
    )
    return web.Response(
        status=answer.status_code,
        body=answer.content,
        headers=_forwarded_headers(answer.headers),
    )


def _forwarded_headers(headers: Mapping[str, str]) -> list[tuple[str, str]]:
    return [
        (name, text) for name, text in headers.items() if name.lower() not in UNFORWARDED_HEADERS
    ]


def _response(exchange: UpstreamExchange) -> web.Response:
    """Returns a declared answer: a text unchanged, no body for None, otherwise JSON."""
    body, is_text = exchange.body, isinstance(exchange.body, str)
    content_type = "text/plain; charset=utf-8" if is_text else "application/json"
    content = b"" if body is None else (body if is_text else json.dumps(body)).encode()
    declared = {name.title(): text for name, text in exchange.headers.items()}
    headers = {"Content-Type": content_type, **declared}
    return web.Response(status=exchange.status, body=content, headers=headers)


@asynccontextmanager
async def run_upstream(fixture: ScenarioFixture) -> AsyncIterator[UpstreamFixture]:
    """Yields the upstream of a fixture, while the application of the fixture runs."""
    upstream = UpstreamFixture(fixture=fixture)
    if fixture.app is None:
        yield upstream
        return
    async with run_lifespan(fixture.app(fixture.values)) as app:
        transport = httpx2.ASGITransport(app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://upstream") as client:
            yield replace(upstream, client=client)
