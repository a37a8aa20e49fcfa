"""Upstream credentials: choice of scheme, destination, and no leaks."""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs

import pytest
from pydantic import SecretStr
from tests.runtime.conftest import (
    CanarySettings,
    Serving,
    WireRequest,
    WireUpstream,
    upstream_running,
)

from mcpgen_runtime.hooks import Call, Hooks
from mcpgen_runtime.result import Result
from mcpgen_runtime.server.calls import ToolCaller
from mcpgen_runtime.tool import Argument, Hints, Route, Tool
from mcpgen_runtime.upstream.client import UpstreamClient
from mcpgen_runtime.upstream.credentials import SecurityScheme
from mcpgen_runtime.upstream.oauth_client import ClientCredentialsTokens
from mcpgen_runtime.upstream.secret_store import SecretStore
from mcpgen_runtime.validation.definitions import SchemaStore

pytestmark = pytest.mark.anyio

SECRET = "canary-s3cr3t-value"
HINTS = Hints(read_only=True, destructive=False, idempotent=True)

KEY = SecurityScheme("key", "apiKey", place="header", name="X-Key", setting="key")
LOGIN = SecurityScheme("login", "basic", setting="login")
OAUTH = SecurityScheme("oauth", "oauth2", setting="oauth")


def tool(*security: tuple[str, ...], **more: Any) -> Tool:
    """Returns a tool with the given security alternatives."""
    return Tool("t", "T", "", Route("GET", "/t", security=security), HINTS, **more)


def answer(status: str, body: bytes, *headers: str) -> bytes:
    """Returns a raw answer of JSON."""
    head = [f"HTTP/1.1 {status}", "Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*head, *headers, "", ""]).encode() + body


async def test_api_key_travels_in_a_header(upstream: WireUpstream, serving: Serving) -> None:
    async with serving(tool(("key",)), schemes=(KEY,), upstream=upstream.url, key=SECRET) as client:
        await client.call("t")

    assert upstream.requests[0].all("x-key") == [SECRET]


async def test_api_key_travels_in_the_query(upstream: WireUpstream, serving: Serving) -> None:
    scheme = SecurityScheme("key", "apiKey", place="query", name="api key", setting="key")

    async with serving(
        tool(("key",)), schemes=(scheme,), upstream=upstream.url, key="a&b"
    ) as client:
        await client.call("t")

    assert upstream.requests[0].target == "/t?api%20key=a%26b"


async def test_api_key_travels_in_a_cookie(upstream: WireUpstream, serving: Serving) -> None:
    scheme = SecurityScheme("key", "apiKey", place="cookie", name="sid", setting="key")

    async with serving(
        tool(("key",)), schemes=(scheme,), upstream=upstream.url, key=SECRET
    ) as client:
        await client.call("t")

    assert upstream.requests[0].all("cookie") == [f"sid={SECRET}"]


async def test_basic_takes_name_and_password(upstream: WireUpstream, serving: Serving) -> None:
    async with serving(
        tool(("login",)),
        schemes=(LOGIN,),
        upstream=upstream.url,
        login_username="jo",
        login_password=SECRET,
    ) as client:
        await client.call("t")

    pair = base64.b64encode(f"jo:{SECRET}".encode()).decode()
    assert upstream.requests[0].all("authorization") == [f"Basic {pair}"]


@pytest.mark.parametrize("alternative", [("login", "key"), ("key", "login")])
async def test_a_key_in_the_header_of_another_scheme_gives_way_to_it(
    upstream: WireUpstream, serving: Serving, alternative: tuple[str, ...]
) -> None:
    key = SecurityScheme("key", "apiKey", place="header", name="Authorization", setting="key")

    async with serving(
        tool(alternative),
        schemes=(key, LOGIN),
        upstream=upstream.url,
        key=SECRET,
        login_username="jo",
        login_password="b",
    ) as client:
        await client.call("t")

    assert upstream.requests[0].all("authorization") == ["Basic am86Yg=="]


async def test_first_alternative_with_every_credential_wins(
    upstream: WireUpstream, serving: Serving
) -> None:
    guarded_tool = tool(("login", "key"), (), ("key",), ("oauth",))

    async with serving(
        guarded_tool,
        schemes=(KEY, LOGIN, OAUTH),
        upstream=upstream.url,
        key=SECRET,
        oauth="other-token",
    ) as client:
        await client.call("t")

    assert upstream.requests[0].all("x-key") == [SECRET]
    assert upstream.requests[0].all("authorization") == []


async def test_empty_alternative_needs_nothing(upstream: WireUpstream, serving: Serving) -> None:
    async with serving(tool(("key",), ()), schemes=(KEY,), upstream=upstream.url) as client:
        result = await client.call("t")

    assert not result["isError"]
    assert len(upstream.requests) == 1


async def test_without_credentials_nothing_is_sent_and_the_variables_are_named(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with serving(
        tool(("key", "login"), ("unheard-of",)), schemes=(KEY, LOGIN), upstream=upstream.url
    ) as client:
        message = await client.error("t")

    assert "CANARY_KEY and CANARY_LOGIN_USERNAME with CANARY_LOGIN_PASSWORD" in message
    assert upstream.requests == []


async def test_argument_cannot_stand_in_for_a_credential(
    upstream: WireUpstream, serving: Serving
) -> None:
    argument = Argument("x_key", "header", {"type": "string"}, to=("x-key",), style="simple")

    async with serving(
        tool(("key",), arguments=(argument,)), schemes=(KEY,), upstream=upstream.url, key=SECRET
    ) as client:
        await client.call("t", x_key="forged")

    assert upstream.requests[0].all("x-key") == [SECRET]


async def test_credential_that_http_cannot_carry_is_refused_without_showing_it(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with serving(
        tool(("key",)), schemes=(KEY,), upstream=upstream.url, key="a\r\nX-Evil: 1"
    ) as client:
        message = await client.error("t")

    assert "Evil" not in message
    assert upstream.requests == []


@pytest.mark.parametrize("status", ["200 OK", "403 Forbidden", "302 Found"])
async def test_secret_that_the_api_repeats_is_taken_out(
    upstream: WireUpstream,
    serving: Serving,
    status: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    body = json.dumps({"you sent": SECRET, "in": base64.b64encode(SECRET.encode()).decode()})
    upstream.answer = lambda _: answer(status, body.encode(), f"Location: /x?key={SECRET}")

    async with serving(tool(("key",)), schemes=(KEY,), upstream=upstream.url, key=SECRET) as client:
        result = await client.call("t")

    assert upstream.requests[0].all("x-key") == [SECRET]
    assert SECRET not in json.dumps(result)
    assert base64.b64encode(SECRET.encode()).decode() not in json.dumps(result)
    assert SECRET not in caplog.text


async def test_basic_credential_that_the_api_repeats_is_taken_out(
    upstream: WireUpstream, serving: Serving
) -> None:
    pair = base64.b64encode(f"john:{SECRET}".encode()).decode()
    body = json.dumps({"headers": {"Authorization": f"Basic {pair}"}})
    upstream.answer = lambda _: answer("200 OK", body.encode())

    async with serving(
        tool(("login",)),
        schemes=(LOGIN,),
        upstream=upstream.url,
        login_username="john",
        login_password=SECRET,
    ) as client:
        result = await client.call("t")

    assert upstream.requests[0].all("authorization") == [f"Basic {pair}"]
    assert pair not in json.dumps(result)


class TokenApi:
    """API that issues tokens and accepts only the newest token."""

    def __init__(self, seconds: int | None, *, form_only: bool = False) -> None:
        self.seconds = seconds
        self.form_only = form_only
        self.issued = 0
        self.good = ""

    def answer(self, request: WireRequest) -> bytes:
        """Returns a new token, or 200 or 401 by the token of the request."""
        if request.target == "/token":
            if self.form_only and request.all("authorization"):
                return answer("401 Unauthorized", b'{"error": "invalid_client"}')
            self.issued += 1
            self.good = f"issued-token-{self.issued}"
            lifetime = {} if self.seconds is None else {"expires_in": self.seconds}
            return answer("200 OK", json.dumps({"access_token": self.good, **lifetime}).encode())
        is_valid = request.all("authorization") == [f"Bearer {self.good}"]
        return answer("200 OK" if is_valid else "401 Unauthorized", b"{}")


def client_credentials(upstream: WireUpstream) -> dict[str, Any]:
    """Returns a server with the client credentials grant at the upstream."""
    scheme = SecurityScheme(
        "oauth",
        "oauth2",
        token_url=f"{upstream.url}/token",
        scopes=("read", "write"),
        setting="oauth",
    )
    return {
        "schemes": (scheme,),
        "upstream": upstream.url,
        "oauth_client_id": "me",
        "oauth_client_secret": SECRET,
    }


async def test_token_is_fetched_once_and_kept(upstream: WireUpstream, serving: Serving) -> None:
    issuer = TokenApi(3600)
    upstream.answer = issuer.answer

    async with serving(tool(("oauth",)), **client_credentials(upstream)) as client:
        results = [await client.call("t") for _ in range(3)]

    assert issuer.issued == 1
    assert not any(result["isError"] for result in results)
    assert upstream.requests[0].body == b"grant_type=client_credentials&scope=read+write"


async def test_token_that_is_not_accepted_any_more_is_renewed_once(
    upstream: WireUpstream, serving: Serving
) -> None:
    issuer = TokenApi(3600)
    upstream.answer = issuer.answer

    async with serving(tool(("oauth",)), **client_credentials(upstream)) as client:
        await client.call("t")
        issuer.good = "revoked"
        renewed_result = await client.call("t")
        upstream.answer = lambda request: (
            issuer.answer(request) if request.target == "/token" else answer("401 No", b"{}")
        )
        error = await client.error("t")

    assert not renewed_result["isError"]
    assert issuer.issued == 3
    assert "401" in error


@pytest.mark.parametrize("seconds", [pytest.param(10**400, id="huge"), "soon", [1]])
async def test_token_with_a_lifetime_that_is_no_number_of_seconds_is_a_failure(
    upstream: WireUpstream, serving: Serving, seconds: Any
) -> None:
    body = json.dumps({"access_token": "issued-token", "expires_in": seconds}).encode()
    upstream.answer = lambda _: answer("200 OK", body)

    async with serving(tool(("oauth",)), **client_credentials(upstream)) as client:
        message = await client.error("t")

    assert "its issuer's answer is not understood" in message


async def test_empty_token_is_a_failure(upstream: WireUpstream, serving: Serving) -> None:
    upstream.answer = lambda _: answer("200 OK", b'{"access_token": ""}')

    async with serving(tool(("oauth",)), **client_credentials(upstream)) as client:
        message = await client.error("t")

    assert "its issuer's answer is not understood" in message
    assert [request.target for request in upstream.requests] == ["/token"]


async def test_issuer_that_reads_only_the_form_is_given_the_form(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = TokenApi(60, form_only=True).answer

    async with serving(tool(("oauth",)), **client_credentials(upstream)) as client:
        result = await client.call("t")

    assert not result["isError"]
    assert b"client_secret=" in upstream.requests[1].body


def password_flow(upstream: WireUpstream, url: str = "token", **settings: str) -> dict[str, Any]:
    """Returns a server with the password grant."""
    scheme = SecurityScheme("oauth", "oauth2", password_url=url, scopes=("read",), setting="oauth")
    user = {"oauth_username": "jo", "oauth_password": SECRET}
    return {"schemes": (scheme,), "upstream": upstream.url, **user, **settings}


@pytest.mark.parametrize(("url", "target"), [("token", "/v1/token"), ("/token", "/token")])
async def test_a_user_is_shown_to_an_issuer_below_the_api(
    upstream: WireUpstream, serving: Serving, url: str, target: str
) -> None:
    upstream.answer = lambda _: answer("200 OK", b'{"access_token": "t0ken"}')
    settings = password_flow(upstream, url) | {"upstream": f"{upstream.url}/v1"}

    async with serving(tool(("oauth",)), **settings) as client:
        await client.call("t")
        await client.call("t")

    wire_request, *calls = upstream.requests
    assert wire_request.target == target
    assert parse_qs(wire_request.body.decode()) == {
        "grant_type": ["password"],
        "username": ["jo"],
        "password": [SECRET],
        "scope": ["read"],
    }
    assert wire_request.all("authorization") == []
    assert [call.all("authorization") for call in calls] == [["Bearer t0ken"]] * 2


async def test_a_user_and_a_client_are_shown_together(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda _: answer("200 OK", b'{"access_token": "t0ken"}')
    settings = password_flow(upstream, oauth_client_id="me", oauth_client_secret="it")

    async with serving(tool(("oauth",)), **settings) as client:
        await client.call("t")

    basic = base64.b64encode(b"me:it").decode()
    assert upstream.requests[0].all("authorization") == [f"Basic {basic}"]
    assert b"client_id" not in upstream.requests[0].body


async def test_a_client_without_a_secret_names_itself_in_the_form(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda _: answer("200 OK", b'{"access_token": "t0ken"}')

    async with serving(tool(("oauth",)), **password_flow(upstream, oauth_client_id="me")) as client:
        await client.call("t")

    assert parse_qs(upstream.requests[0].body.decode())["client_id"] == ["me"]


async def test_a_password_that_is_refused_is_shown_once_and_to_nobody_else(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda _: answer("400 No", b'{"error": "invalid_grant"}')
    settings = password_flow(upstream, oauth_client_id="me", oauth_client_secret="it")

    async with serving(tool(("oauth",)), **settings) as client:
        message = await client.error("t")

    assert message == "The API gives no access token: its issuer answered 400."
    assert len(upstream.requests) == 1


async def test_a_ready_token_is_taken_before_the_password(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with serving(tool(("oauth",)), **password_flow(upstream, oauth="ready")) as client:
        await client.call("t")

    assert upstream.requests[0].all("authorization") == ["Bearer ready"]


async def test_a_ready_token_is_sent_where_the_scheme_has_no_token_address(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with serving(
        tool(("oauth",)), schemes=(OAUTH,), upstream=upstream.url, oauth="ready"
    ) as client:
        await client.call("t")

    assert upstream.requests[0].all("authorization") == ["Bearer ready"]


async def test_secret_is_not_sent_to_a_token_address_without_tls(serving: Serving) -> None:
    scheme = SecurityScheme("oauth", "oauth2", token_url="http://192.0.2.1/token", setting="oauth")

    async with serving(
        tool(("oauth",)),
        schemes=(scheme,),
        upstream="http://127.0.0.1:9",
        oauth_client_id="me",
        oauth_client_secret=SECRET,
    ) as client:
        message = await client.error("t")

    assert "not https" in message


@asynccontextmanager
async def calls_of(url: str) -> AsyncIterator[ToolCaller]:
    """Yields calls to the API at a URL, with credentials."""

    class UpstreamUrlSettings(CanarySettings):
        upstream: str = url

    settings = UpstreamUrlSettings(key=SecretStr(SECRET))
    async with UpstreamClient(settings, "canary/1") as api:
        yield ToolCaller(
            api,
            SecretStore((KEY,), settings),
            Hooks(),
            (),
            10,
            SchemaStore(),
            ClientCredentialsTokens,
        )


def other_host_tool(url: str, *security: tuple[str, ...], is_trusted: bool = False) -> Tool:
    """Returns a tool with a base URL for the operation."""
    return Tool("t", "T", "", Route("GET", "/t", security, "", url, trusted=is_trusted), HINTS)


async def test_no_credential_goes_to_another_host_than_the_api(upstream: WireUpstream) -> None:
    async with upstream_running() as other_upstream, calls_of(upstream.url) as calls:
        result = await calls.call(other_host_tool(other_upstream.url, ("key",)), {})

    assert result.failed
    assert "`credentials.own_hosts`" in str(result.content[0]["text"])
    assert other_upstream.requests == []


async def test_a_credential_goes_to_a_host_that_the_user_has_named(upstream: WireUpstream) -> None:
    async with upstream_running() as other_upstream, calls_of(upstream.url) as calls:
        await calls.call(other_host_tool(other_upstream.url, ("key",), is_trusted=True), {})

    assert other_upstream.requests[0].all("x-key") == [SECRET]


async def test_a_credential_goes_to_another_path_of_the_api(upstream: WireUpstream) -> None:
    async with calls_of(f"{upstream.url}/v1") as calls:
        await calls.call(other_host_tool(f"{upstream.url}/v2", ("key",)), {})

    assert upstream.requests[0].target == "/v2/t"
    assert upstream.requests[0].all("x-key") == [SECRET]


@pytest.mark.parametrize("security", [(), ((),), ((), ("key",)), (("key",), ())])
async def test_a_request_that_may_go_without_a_credential_goes_without_to_another_host(
    upstream: WireUpstream, security: tuple[tuple[str, ...], ...]
) -> None:
    async with upstream_running() as other_upstream, calls_of(upstream.url) as calls:
        result = await calls.call(other_host_tool(other_upstream.url, *security), {})

    assert not result.failed
    assert other_upstream.requests[0].all("x-key") == []


async def test_a_request_of_a_handler_takes_no_credential_to_another_host(
    upstream: WireUpstream,
) -> None:
    async def handler(call: Call) -> Result:
        await call.request("GET", "/u", security=["key"])
        return Result.of({})

    tool = other_host_tool("https://there-is-no-such-host.invalid", ("key",))
    async with calls_of(upstream.url) as calls:
        result = await calls.call(replace(tool, answer=handler), {})

    assert "`credentials.own_hosts`" in str(result.content[0]["text"])
