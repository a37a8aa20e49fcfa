"""Access tokens by the client credentials grant, and the protection of the client secret."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import pytest
from base_server import ConformingServer, ReceivedRequest, Reply, serving

from mcpgen.conformance.run_config import RunConfig, run_checks
from mcpgen.conformance.targets.credentials import (
    OAuthClient,
    TokenError,
    access_token,
    transport_problem,
)


class TokenEndpoint(BaseHTTPRequestHandler):
    """A token endpoint; requests are kept in `requests`."""

    requests: list[tuple[str, dict[str, list[str]]]]
    takes_basic = True
    refusal = ""
    answer: dict[str, Any]

    def do_POST(self) -> None:
        """Keeps the request and answers."""
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        value = self.headers.get("Authorization", "")
        self.requests.append((value, form))
        is_valid = not self.refusal and bool(value if self.takes_basic else "client_secret" in form)
        error = {"error": self.refusal or "invalid_client"}
        body = json.dumps(self.answer if is_valid else error).encode()
        self.send_response(200 if is_valid else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the tests' output is not a log."""


@contextmanager
def issuing(**members: Any) -> Iterator[tuple[str, type[TokenEndpoint]]]:
    """The URL of a token endpoint, and its requests."""
    handler = type("Handler", (TokenEndpoint,), {"requests": [], **members})
    http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{http.server_address[1]}/token", handler
    finally:
        http.shutdown()
        thread.join()
        http.server_close()


GOOD = {"access_token": "t0ken-of-the-client", "token_type": "Bearer"}


class EchoesToken(ConformingServer):
    """A server that requires the token and echoes the token in errors."""

    def guard(self, request: ReceivedRequest) -> Reply | None:
        """401 without the token."""
        authorization = request.headers.get("authorization", "")
        is_authorized = authorization == f"Bearer {GOOD['access_token']}"
        return super().guard(request) or (None if is_authorized else Reply(401))

    def unknown_method(self, method: str) -> dict[str, Any]:
        """An error that contains the token."""
        content = {"type": "text", "text": f"You are {GOOD['access_token']}"}
        return {"content": [content], "isError": True}


def test_fetched_token_is_sent_and_redacted() -> None:
    with issuing(answer=GOOD) as (address, issuer), serving(EchoesToken()) as url:
        client = OAuthClient(address, "me", "the/secret", "pets:read", url)
        report = run_checks(RunConfig(url, client=client))

    basic = base64.b64encode(b"me:the%2Fsecret").decode()
    assert report.revisions
    assert issuer.requests == [
        (
            f"Basic {basic}",
            {
                "grant_type": ["client_credentials"],
                "scope": ["pets:read"],
                "resource": [url],
            },
        )
    ]
    assert GOOD["access_token"] not in str(report)
    assert "[redacted]" in str(report)


def test_secret_is_sent_in_the_body_after_basic_is_refused() -> None:
    with issuing(answer=GOOD, takes_basic=False) as (address, issuer):
        token = access_token(OAuthClient(address, "me", "secret"), 5)

    assert token == GOOD["access_token"]
    assert issuer.requests[-1][1]["client_secret"] == ["secret"]


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"answer": {}}, "HTTP 200"),
        ({"answer": {"access_token": "x", "token_type": "mac"}}, "not a Bearer token"),
        ({"answer": {"access_token": "a\r\nb", "token_type": "bearer"}}, "not a Bearer token"),
        ({"answer": ["x"]}, "HTTP 200"),
    ],
)
def test_token_answer_without_a_token_is_an_error(members: dict[str, Any], expected: str) -> None:
    with issuing(**members) as (address, _), pytest.raises(TokenError, match=expected):
        access_token(OAuthClient(address, "me", "the-secret"), 5)


def test_refusal_is_reported_without_the_secret() -> None:
    client = OAuthClient("", "me", "the-secret")

    with issuing(answer={}, takes_basic=False, refusal="the-secret is wrong") as (address, _):
        message = refusal_of(replace(client, token_url=address))

    assert message.endswith("HTTP 401, [redacted] is wrong")


def refusal_of(client: OAuthClient) -> str:
    """Why there is no token for the client."""
    with pytest.raises(TokenError) as error:
        access_token(client, 5)
    return str(error.value)


def test_unreachable_token_endpoint_is_an_error() -> None:
    with pytest.raises(TokenError, match="connection refused"):
        access_token(OAuthClient("http://127.0.0.1:9/token", "me", "secret"), 5)


@pytest.mark.parametrize(
    ("url", "is_secure"),
    [
        ("https://login.example/token", True),
        ("http://127.0.0.1:8080/token", True),
        ("http://login.example/token", False),
        ("ftp://login.example", False),
        ("https://[bad", False),
        ("", False),
    ],
)
def test_secrets_require_https(url: str, is_secure: bool) -> None:
    assert (transport_problem(url) == "") is is_secure
