"""The caller's credential reaches only the intended API."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

import pytest
from pydantic import ValidationError
from tests.runtime.auth_servers import FixedCaller, entry, settings
from tests.runtime.conftest import Client, Serving, WireRequest, WireUpstream, upstream_running

from mcpgen_runtime.auth.authentication import Authentication
from mcpgen_runtime.auth.config import AuthConfig
from mcpgen_runtime.auth.passthrough import Passthrough, PassthroughSettings
from mcpgen_runtime.caller import Caller
from mcpgen_runtime.hooks import Call, Hooks
from mcpgen_runtime.result import Result
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.tool import Hints, Route, Tool
from mcpgen_runtime.upstream.credentials import SecurityScheme

pytestmark = pytest.mark.anyio

TOKEN = "canary-caller-t0ken"
KEY = "canary-caller-k3y"
HINTS = Hints(read_only=True, destructive=False, idempotent=True)
TOOL = Tool("get", "Get", "Gets it.", Route("GET", "/it"), HINTS)
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get"}}


def rules(upstream: str, *trusted_hosts: str, caller: Caller | None = None) -> Sequence[Middleware]:
    """Returns the rules of a server with passthrough of credentials to the given hosts."""
    rule = Passthrough(PassthroughSettings(upstream=upstream), trusted_hosts or ("127.0.0.1",))
    return (FixedCaller(caller), rule) if caller else (rule,)


async def call_with_headers(client: Client, **headers: str) -> dict[str, Any]:
    """Returns the result of a call with the given headers."""
    result: dict[str, Any] = (await client.post(CALL, **headers)).json()["result"]
    return result


def answer(status: str, body: bytes, *headers: str) -> bytes:
    """Returns a raw answer of JSON."""
    head = [f"HTTP/1.1 {status}", "Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*head, *headers, "", ""]).encode() + body


async def test_bearer_and_key_travel_to_a_trusted_host(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with serving(TOOL, upstream=upstream.url, rules=rules(upstream.url)) as client:
        result = await call_with_headers(client, Authorization=f"bearer {TOKEN}", X_Api_Key=KEY)

    (request,) = upstream.requests
    assert not result["isError"]
    assert request.all("authorization") == [f"Bearer {TOKEN}"]
    assert request.all("x-api-key") == [KEY]


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Basic abc"}, {"Authorization": " "}])
async def test_a_call_without_a_credential_is_an_error_and_sends_nothing(
    upstream: WireUpstream, serving: Serving, headers: dict[str, str]
) -> None:
    async with serving(TOOL, upstream=upstream.url, rules=rules(upstream.url)) as client:
        result = await call_with_headers(client, **headers)

    assert "showed no credential that could be handed on" in result["content"][0]["text"]
    assert upstream.requests == []


async def test_the_tools_can_be_seen_without_a_credential(
    upstream: WireUpstream, serving: Serving
) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    async with serving(TOOL, upstream=upstream.url, rules=rules(upstream.url)) as client:
        response = await client.post(message)

    assert [tool["name"] for tool in response.json()["result"]["tools"]] == ["get"]


async def test_two_credentials_of_a_kind_are_refused(
    upstream: WireUpstream, serving: Serving
) -> None:
    headers = [("Authorization", f"Bearer {TOKEN}"), ("Authorization", "Bearer other")]
    async with serving(TOOL, upstream=upstream.url, rules=rules(upstream.url)) as client:
        response = await client.http.post("/mcp", json=CALL, headers=headers)

    assert response.status_code == 400
    assert upstream.requests == []


async def test_a_token_in_the_query_is_no_credential(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with serving(TOOL, upstream=upstream.url, rules=rules(upstream.url)) as client:
        response = await client.http.post(f"/mcp?access_token={TOKEN}", json=CALL)

    assert response.json()["result"]["isError"]
    assert upstream.requests == []


async def test_an_operation_elsewhere_gets_no_credential_and_no_request(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with upstream_running() as other_upstream:
        other_url = f"http://localhost:{other_upstream.port}"
        tool = Tool("get", "Get", "", Route("GET", "/it", base_url=other_url), HINTS)
        settings = PassthroughSettings.model_construct(upstream=upstream.url)
        settings.model_fields_set.discard("upstream")
        rule = Passthrough(settings, ("127.0.0.1",))

        async with serving(tool, upstream=upstream.url, rules=(rule,)) as client:
            result = await call_with_headers(client, Authorization=f"Bearer {TOKEN}")

    assert "must not be sent to the host of this tool" in result["content"][0]["text"]
    assert upstream.requests == other_upstream.requests == []


@pytest.mark.parametrize("status", ["301", "302", "303", "307", "308"])
async def test_a_redirect_to_another_origin_carries_nothing_there(
    upstream: WireUpstream, serving: Serving, status: str
) -> None:
    async with upstream_running() as other_upstream:
        location = f"Location: http://127.0.0.1:{other_upstream.port}/it"
        upstream.answer = lambda _: answer(f"{status} Moved", b"", location)

        async with serving(TOOL, upstream=upstream.url, rules=rules(upstream.url)) as client:
            result = await call_with_headers(client, Authorization=f"Bearer {TOKEN}")

    assert result["isError"]
    assert other_upstream.requests == []


async def test_a_redirect_inside_the_api_keeps_the_credential(
    upstream: WireUpstream, serving: Serving
) -> None:
    def answer_request(request: WireRequest) -> bytes:
        if request.target == "/it":
            return answer("307 Moved", b"", "Location: /there")
        return answer("200 OK", b"{}")

    upstream.answer = answer_request
    async with serving(TOOL, upstream=upstream.url, rules=rules(upstream.url)) as client:
        await call_with_headers(client, Authorization=f"Bearer {TOKEN}")

    assert [request.all("authorization") for request in upstream.requests] == [
        [f"Bearer {TOKEN}"]
    ] * 2


async def test_a_verified_token_goes_on_and_the_key_beside_it(
    upstream: WireUpstream, serving: Serving
) -> None:
    ada = Caller(subject="ada", credential=TOKEN, token=True)
    middlewares = rules(upstream.url, caller=ada)

    async with serving(TOOL, upstream=upstream.url, rules=middlewares) as client:
        await call_with_headers(client, Authorization="Bearer another", X_Api_Key=KEY)

    (request,) = upstream.requests
    assert request.all("authorization") == [f"Bearer {TOKEN}"]
    assert request.all("x-api-key") == [KEY]


@pytest.mark.parametrize("header", ["Authorization", "X_Api_Key"])
async def test_a_key_of_this_server_opens_nothing_else(
    upstream: WireUpstream, serving: Serving, header: str
) -> None:
    agent = Caller(subject="agent", credential=KEY)
    value = f"Bearer {KEY}" if header == "Authorization" else KEY

    async with serving(
        TOOL, upstream=upstream.url, rules=rules(upstream.url, caller=agent)
    ) as client:
        result = await call_with_headers(client, **{header: value})

    assert "showed no credential that could be handed on" in result["content"][0]["text"]
    assert upstream.requests == []


@pytest.mark.parametrize("header", ["x-api-key", "X-API-Key"])
async def test_a_token_beside_a_key_is_one_too_many_where_either_lets_in(
    upstream: WireUpstream, serving: Serving, header: str
) -> None:
    caller_settings = settings(caller_keys=[entry(KEY, "agent")])
    server_rules = (
        Authentication(caller_settings, AuthConfig(key_header=header)),
        *rules(upstream.url),
    )

    async with serving(TOOL, upstream=upstream.url, rules=server_rules) as client:
        response = await client.post(CALL, Authorization=f"Bearer {TOKEN}", X_Api_Key=KEY)
        key_result = await call_with_headers(client, X_Api_Key=KEY)

    assert response.status_code == 400
    assert response.json()["error"]["data"]["error"] == "invalid_request"
    assert "showed no credential that could be handed on" in key_result["content"][0]["text"]
    assert upstream.requests == []


async def test_without_the_rule_nothing_of_the_caller_goes_on(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with serving(TOOL, upstream=upstream.url) as client:
        await call_with_headers(
            client, Authorization=f"Bearer {TOKEN}", X_Api_Key=KEY, Cookie=f"sid={TOKEN}"
        )

    (request,) = upstream.requests
    wire = f"{request.line}{request.headers}{request.body!r}"
    assert TOKEN not in wire
    assert KEY not in wire


async def test_other_headers_of_the_caller_stay_here(
    upstream: WireUpstream, serving: Serving
) -> None:
    scheme = SecurityScheme("key", "apiKey", place="header", name="X-Key", setting="key")
    tool = Tool("get", "Get", "", Route("GET", "/it", security=(("key",),)), HINTS)

    async with serving(
        tool, upstream=upstream.url, rules=rules(upstream.url), schemes=(scheme,), key="own-key"
    ) as client:
        await call_with_headers(
            client, Authorization=f"Bearer {TOKEN}", X_Key="theirs", Cookie="sid=theirs"
        )

    (request,) = upstream.requests
    wire = f"{request.line}{request.headers}{request.body!r}"
    assert request.all("x-key") == ["own-key"]
    assert "theirs" not in wire
    assert wire.count(TOKEN) == 1


async def test_what_is_known_of_the_request_is_kept(
    upstream: WireUpstream, serving: Serving
) -> None:
    callers: list[Caller] = []

    async def look(call: Call) -> Result:
        callers.append(call.caller)
        return Result.text("")

    middlewares = rules(upstream.url, caller=Caller(path={"place": "x"}))
    async with serving(
        TOOL, upstream=upstream.url, rules=middlewares, hooks=Hooks({"get": look})
    ) as client:
        await call_with_headers(client, Authorization=f"Bearer {TOKEN}")
        await call_with_headers(client, Authorization=f"Bearer {TOKEN}2")

    assert [caller.path for caller in callers] == [{"place": "x"}] * 2
    assert callers[0].subject != callers[1].subject
    assert TOKEN not in callers[0].subject


async def test_two_callers_at_once_keep_their_own(upstream: WireUpstream, serving: Serving) -> None:
    upstream.hold_seconds = 0.05
    upstream.answer = lambda request: answer("200 OK", request.all("x-api-key")[0][-1:].encode())

    async with serving(TOOL, upstream=upstream.url, rules=rules(upstream.url)) as client:
        results = await asyncio.gather(
            *(call_with_headers(client, X_Api_Key=f"{KEY}-{number}") for number in range(8))
        )

    assert [result["content"][0]["text"] for result in results] == [str(n) for n in range(8)]


@pytest.mark.parametrize("status", ["200 OK", "400 Bad Request", "401 Unauthorized", "302 Found"])
async def test_what_the_api_echoes_is_not_shown(
    upstream: WireUpstream,
    serving: Serving,
    status: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    echo = f'{{"message": "{TOKEN} and {KEY}", "{TOKEN}": ["{KEY}"]}}'.encode()
    upstream.answer = lambda _: answer(status, echo, f"Location: /x?t={TOKEN}&k={KEY}")

    async with serving(TOOL, upstream=upstream.url, rules=rules(upstream.url)) as client:
        response = await client.post(CALL, Authorization=f"Bearer {TOKEN}", X_Api_Key=KEY)

    for output in (response.text, caplog.text, str(response.headers)):
        assert TOKEN not in output
        assert KEY not in output


async def test_a_traceback_does_not_show_it(
    upstream: WireUpstream, serving: Serving, caplog: pytest.LogCaptureFixture
) -> None:
    async def raise_credential(call: Call) -> Result:
        raise RuntimeError(f"lost {call.caller.credential} {call.caller.headers}")

    async with serving(
        TOOL,
        upstream=upstream.url,
        rules=rules(upstream.url),
        hooks=Hooks({"get": raise_credential}),
    ) as client:
        response = await client.post(CALL, Authorization=f"Bearer {TOKEN}", X_Api_Key=KEY)

    assert "RuntimeError" in caplog.text
    for output in (response.text, caplog.text):
        assert TOKEN not in output
        assert KEY not in output


def test_a_caller_that_is_printed_does_not_show_it() -> None:
    caller = Caller(credential=TOKEN, headers={"bearer": TOKEN})

    assert TOKEN not in repr(caller)


def test_a_server_whose_api_is_not_trusted_does_not_start() -> None:
    settings = PassthroughSettings(upstream="https://evil.test")

    with pytest.raises(ValueError, match=r"https://evil\.test is not among the hosts"):
        Passthrough(settings, ("*.example.com",))


def test_the_environment_replaces_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUSTED_HOSTS", "*.other.test, only.test")
    settings = PassthroughSettings(upstream="https://api.other.test")

    Passthrough(settings, ("*.example.com",))

    assert settings.trusted_hosts == ("*.other.test", "only.test")


@pytest.mark.parametrize("hosts", ["*", "*.com", "https://example.com", "a.test,,b.test"])
def test_a_list_that_trusts_everything_or_nothing_readable_is_refused(hosts: str) -> None:
    with pytest.raises(ValidationError):
        PassthroughSettings(trusted_hosts=hosts)  # type: ignore[arg-type]
