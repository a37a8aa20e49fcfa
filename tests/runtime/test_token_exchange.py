"""Token exchange: a caller's token reaches only the token endpoint; the API gets the exchanged
token."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

import pytest
from pydantic import SecretStr
from tests.runtime.auth_servers import FixedCaller
from tests.runtime.conftest import Client, Serving, WireRequest, WireUpstream, upstream_running
from tests.runtime.test_passthrough import CALL, HINTS, TOKEN, TOOL, answer

from mcpgen_runtime.auth import token_exchange
from mcpgen_runtime.auth.token_exchange import RequestedToken, TokenExchanger, TokenExchangeSettings
from mcpgen_runtime.caller import Caller
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.tool import Route

pytestmark = pytest.mark.anyio

ISSUED = "canary-issued-t0ken"
CLIENT_SECRET = "canary-client-s3cret"
ADA = Caller(subject="ada", credential=TOKEN, token=True)


def issuer_answer(token: str = ISSUED, **more: Any) -> bytes:
    """Returns the issuer's answer with a token."""
    token_response = {"access_token": token, "token_type": "Bearer", "expires_in": 300, **more}
    return answer("200 OK", json.dumps(token_response).encode())


@pytest.fixture
async def issuer() -> AsyncIterator[WireUpstream]:
    """Issuer that gives a token for every request."""
    async with upstream_running() as running:
        running.answer = lambda _: issuer_answer()
        yield running


def rules(
    upstream: WireUpstream, issuer: WireUpstream, caller: Caller = ADA, **wanted: Any
) -> Sequence[Middleware]:
    """Returns the rules of a server that exchanges tokens of this caller."""
    settings = TokenExchangeSettings(
        upstream=upstream.url,
        exchange_client_id=SecretStr("server"),
        exchange_client_secret=SecretStr(CLIENT_SECRET),
    )
    rule = TokenExchanger(settings, "canary/1", RequestedToken(f"{issuer.url}/token", **wanted))
    return (FixedCaller(caller), rule)


def form(request: WireRequest) -> list[tuple[str, str]]:
    """Returns the fields of a form."""
    return parse_qsl(request.body.decode(), keep_blank_values=True)


async def call_tool(client: Client) -> dict[str, Any]:
    """Returns the result of the tool."""
    result: dict[str, Any] = (await client.post(CALL)).json()["result"]
    return result


async def test_the_api_gets_the_token_that_the_issuer_gives_for_the_callers(
    upstream: WireUpstream, issuer: WireUpstream, serving: Serving
) -> None:
    wanted: dict[str, Any] = {"audience": ("a", "b"), "resource": ("https://r.test",)}
    server_rules = rules(upstream, issuer, scopes=("x", "y"), **wanted)

    async with serving(TOOL, upstream=upstream.url, rules=server_rules) as client:
        result = await call_tool(client)

    (wire_request,), (api_request,) = issuer.requests, upstream.requests
    assert not result["isError"]
    assert api_request.all("authorization") == [f"Bearer {ISSUED}"]
    assert wire_request.all("authorization")[0].startswith("Basic ")
    assert form(wire_request) == [
        ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"),
        ("subject_token", TOKEN),
        ("subject_token_type", "urn:ietf:params:oauth:token-type:access_token"),
        ("requested_token_type", "urn:ietf:params:oauth:token-type:access_token"),
        ("audience", "a"),
        ("audience", "b"),
        ("resource", "https://r.test"),
        ("scope", "x y"),
    ]


async def test_the_callers_token_reaches_nobody_but_the_issuer(
    upstream: WireUpstream,
    issuer: WireUpstream,
    serving: Serving,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    upstream.answer = lambda request: answer("500 Broken", f'"{TOKEN} {ISSUED}"'.encode())

    async with serving(TOOL, upstream=upstream.url, rules=rules(upstream, issuer)) as client:
        response = await client.post(CALL, Authorization=f"Bearer {TOKEN}")

    (request,) = upstream.requests
    for output in (f"{request.line}{request.headers}{request.body!r}", response.text, caplog.text):
        assert TOKEN not in output
    for output in (response.text, caplog.text):
        assert ISSUED not in output
        assert CLIENT_SECRET not in output


async def test_a_token_is_kept_while_it_lasts(
    upstream: WireUpstream, issuer: WireUpstream, serving: Serving
) -> None:
    async with serving(TOOL, upstream=upstream.url, rules=rules(upstream, issuer)) as client:
        for _ in range(3):
            await call_tool(client)

    assert len(issuer.requests) == 1
    assert len(upstream.requests) == 3


async def test_calls_that_wait_for_the_same_token_ask_once(
    upstream: WireUpstream, issuer: WireUpstream, serving: Serving
) -> None:
    issuer.hold_seconds = 0.1

    async with serving(TOOL, upstream=upstream.url, rules=rules(upstream, issuer)) as client:
        results = await asyncio.gather(*(call_tool(client) for _ in range(5)))

    assert not any(result["isError"] for result in results)
    assert len(issuer.requests) == 1


async def test_each_caller_has_a_token_of_its_own_and_only_so_many_are_kept(
    upstream: WireUpstream,
    issuer: WireUpstream,
    serving: Serving,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(token_exchange, "MAX_CACHED_TOKENS", 2)
    issuer.answer = lambda request: issuer_answer(f"for-{dict(form(request))['subject_token']}")
    server_rules = rules(upstream, issuer)
    middleware = server_rules[0]
    assert isinstance(middleware, FixedCaller)

    async with serving(TOOL, upstream=upstream.url, rules=server_rules) as client:
        for name in ("ada", "bob", "ada", "cyd", "ada", "bob"):
            middleware.caller = replace(ADA, credential=name)
            await call_tool(client)

    tokens = [request.all("authorization")[0] for request in upstream.requests]
    subject_tokens = [dict(form(request))["subject_token"] for request in issuer.requests]
    assert tokens == [f"Bearer for-{name}" for name in ("ada", "bob", "ada", "cyd", "ada", "bob")]
    assert subject_tokens == ["ada", "bob", "cyd", "bob"]


async def test_a_token_that_turned_bad_is_renewed_once(
    upstream: WireUpstream, issuer: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda request: answer("401 Unauthorized", b"{}")

    async with serving(TOOL, upstream=upstream.url, rules=rules(upstream, issuer)) as client:
        result = await call_tool(client)

    assert result["isError"]
    assert len(upstream.requests) == len(issuer.requests) == 2


@pytest.mark.parametrize(
    "caller", [Caller(subject="agent", credential="static-key"), Caller(subject="dev")]
)
async def test_only_a_verified_token_is_exchanged(
    upstream: WireUpstream, issuer: WireUpstream, serving: Serving, caller: Caller
) -> None:
    server_rules = rules(upstream, issuer, caller)

    async with serving(TOOL, upstream=upstream.url, rules=server_rules) as client:
        result = await call_tool(client)

    assert "no access token that could be exchanged" in result["content"][0]["text"]
    assert upstream.requests == issuer.requests == []


@pytest.mark.parametrize(
    "refusal",
    [
        answer("400 Bad Request", b'{"error": "invalid_grant"}'),
        answer("500 Broken", b"{}"),
        answer("200 OK", b"[]"),
        issuer_answer(token_type="N_A"),
        b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\nConnection: close\r\n\r\n{",
    ],
)
async def test_without_a_token_nothing_is_sent_to_the_api(
    upstream: WireUpstream, issuer: WireUpstream, serving: Serving, refusal: bytes
) -> None:
    issuer.answer = lambda _: refusal

    async with serving(TOOL, upstream=upstream.url, rules=rules(upstream, issuer)) as client:
        result = await call_tool(client)

    assert result["isError"]
    assert upstream.requests == []


async def test_the_token_goes_to_the_api_alone(
    upstream: WireUpstream, issuer: WireUpstream, serving: Serving
) -> None:
    async with upstream_running() as other_upstream:
        tool = replace(TOOL, route=Route("GET", "/it", base_url=other_upstream.url), hints=HINTS)
        server_rules = rules(upstream, issuer)
        rule = server_rules[1]
        assert isinstance(rule, TokenExchanger)
        rule._settings.model_fields_set.discard("upstream")

        async with serving(tool, upstream=upstream.url, rules=server_rules) as client:
            result = await call_tool(client)

    assert "not meant for the host of this tool" in result["content"][0]["text"]
    assert upstream.requests == issuer.requests == other_upstream.requests == []


def test_a_server_that_cannot_show_itself_to_the_issuer_does_not_start() -> None:
    settings = TokenExchangeSettings(
        upstream="https://api.test", exchange_client_id=SecretStr("server")
    )

    with pytest.raises(ValueError, match="EXCHANGE_CLIENT_ID and EXCHANGE_CLIENT_SECRET"):
        TokenExchanger(settings, "canary/1", RequestedToken("https://issuer.test/token"))
