"""Experience Workspace: the behavior of its client, and warnings of its checks."""

from __future__ import annotations

import time
from typing import Any

import pytest
from auth import Guarded
from base_server import ConformingServer, serving
from host_limits import PublicName

from mcpgen.conformance import CallableTools, CheckOptions, CheckOutcome, CheckStatus, check
from mcpgen.conformance.checks.experience_workspace import accepted_response
from mcpgen.conformance.exchange import HttpExchange

STREAM = {"content-type": "text/event-stream; charset=utf-8"}
FIRST = b'{"jsonrpc":"2.0","id":7,"result":{}}'
NEWS = b'{"jsonrpc":"2.0","method":"notifications/message"}'


def outcomes(
    server: ConformingServer, id: str, host: str = "127.0.0.1", **choices: Any
) -> list[tuple[CheckStatus, str]]:
    """Statuses and observations of a check of this host."""
    options = CheckOptions(profiles=("experience-workspace",), only=frozenset({id}), **choices)
    with serving(server) as url:
        result: tuple[CheckOutcome, ...] = check(url.replace("127.0.0.1", host), options).outcomes
    return [(outcome.status, outcome.saw) for outcome in result]


class Dawdling(ConformingServer):
    """A server with slow tools."""

    def run(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        time.sleep(0.35)
        return super().run(name, arguments)


@pytest.mark.parametrize(
    "body",
    [
        b"data: " + FIRST + b"\n\n",
        b"event: message\ndata: " + FIRST + b"\n\n",
        b"data: " + NEWS + b"\n\ndata: " + FIRST + b"\n\ndata: {}\n\n",
        b"data: " + FIRST[:10] + b"\ndata: " + FIRST[10:] + b"\n\n",
        b"data: not json\n\ndata: " + FIRST,
    ],
    ids=["plain", "named", "first of several", "in pieces", "after rubbish"],
)
def test_client_takes_the_first_response_of_a_stream(body: bytes) -> None:
    assert accepted_response(HttpExchange(200, STREAM, body)) == {
        "jsonrpc": "2.0",
        "id": 7,
        "result": {},
    }


@pytest.mark.parametrize(
    "exchange",
    [
        HttpExchange(200, STREAM, b"data:" + FIRST + b"\n\n"),
        HttpExchange(200, STREAM, b"data: " + NEWS + b"\r\n\r\ndata: " + FIRST + b"\r\n\r\n"),
        HttpExchange(200, STREAM, b"data: " + NEWS + b"\n\n"),
        HttpExchange(404, {"content-type": "application/json"}, FIRST),
        HttpExchange(200, {"content-type": "application/json"}, b"{"),
    ],
    ids=["no space", "carriage returns", "news only", "not found", "broken"],
)
def test_client_ignores_other_answers(exchange: HttpExchange) -> None:
    assert accepted_response(exchange) is None


def test_address_for_development_warns_and_a_public_one_without_tls_fails() -> None:
    near = outcomes(ConformingServer(), "workspace-https")
    far = outcomes(PublicName(), "workspace-https", host="127.1")

    assert near == [(CheckStatus.WARNING, near[0][1])]
    assert "which the host cannot reach" in near[0][1]
    assert far == [(CheckStatus.FAILED, "`http://127.1`")]


def test_server_in_a_trusted_domain_passes() -> None:
    result = outcomes(
        ConformingServer(), "workspace-trusted-domain", trusted_domains=("127.0.0.1",)
    )

    assert result == [(CheckStatus.PASSED, "")]


class CountInPlaceOfTools(ConformingServer):
    """A server with several pages whose first page has a number in place of the tools."""

    def list_tools(self, params: dict[str, Any]) -> dict[str, Any]:
        """The first page, or an empty last page."""
        return {"tools": []} if "cursor" in params else {"tools": 5, "nextCursor": "more"}


def test_page_without_a_list_of_tools_does_not_end_the_run() -> None:
    result = outcomes(CountInPlaceOfTools(), "workspace-first-page")

    assert result == [(CheckStatus.WARNING, "0 on the first page, and a `nextCursor`")]


def test_call_beyond_the_promise_warns_and_beyond_the_wait_fails() -> None:
    late_outcomes = outcomes(
        Dawdling(), "workspace-call-in-time", call=CallableTools.ALL, pace=0.02
    )
    slow_outcomes = outcomes(
        Dawdling(), "workspace-call-in-time", call=CallableTools.ALL, pace=0.001
    )

    assert {status for status, _ in late_outcomes} == {CheckStatus.WARNING}
    assert {status for status, _ in slow_outcomes} == {CheckStatus.FAILED}


def test_server_that_refuses_strangers_fails_closed() -> None:
    result = outcomes(Guarded(), "workspace-fails-closed", headers=Guarded.credentials)

    assert result == [(CheckStatus.PASSED, "")]


def test_public_server_without_authorization_warns() -> None:
    result = outcomes(PublicName(), "workspace-fails-closed", host="127.1")

    assert result == [(CheckStatus.WARNING, "it answers anyone: no credentials were given")]
