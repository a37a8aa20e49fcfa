"""The function of a server on AWS Lambda: events, responses, time-outs and refused settings."""

from __future__ import annotations

import asyncio
import gc
import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http.client import RemoteDisconnected
from typing import Any

import pytest
from pydantic_settings import SettingsConfigDict
from tests.generated.lambda_runtime_api import RuntimeApi, event_of
from tests.runtime.apps import create_app
from tests.runtime.conftest import CanarySettings

from mcpgen_runtime.hooks import Call, Hooks, Result
from mcpgen_runtime.server.app import App, ServerInfo, StartupError
from mcpgen_runtime.server.aws_lambda import MARGIN_SECONDS, LambdaFunction, read_event
from mcpgen_runtime.server.sessions import Sessions, SessionSettings
from mcpgen_runtime.settings import ServerSettings
from mcpgen_runtime.tool import Argument, Hints, Tool

HEADERS = {"content-type": "application/json", "accept": "application/json", "host": "localhost"}
EVENTS = {**HEADERS, "accept": "application/json, text/event-stream"}
STARTS: list[str] = []


@dataclass
class Remaining:
    """The context of an invocation."""

    seconds: float = 30

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until the time-out."""
        return int(self.seconds * 1000)


async def answer(call: Call) -> Result:
    """Reports progress, and waits for some seconds."""
    await call.progress(1, 2)
    await asyncio.sleep(call.arguments["seconds"])
    return Result.text("é" * call.arguments.get("size", 1))


ARGUMENTS = tuple(Argument(name, "handler", {"type": "number"}) for name in ("seconds", "size"))
WAIT = Tool("wait", "", "", None, Hints(True, False, True), ARGUMENTS)


def create(settings: ServerSettings) -> App:
    """Creates a server, and counts the starts."""
    STARTS.append("create")
    return create_app(
        ServerInfo("canary", "Canary", "1"), (WAIT,), (), settings, Hooks({"wait": answer})
    )


@pytest.fixture(name="function")
def function_fixture() -> Iterator[LambdaFunction]:
    """A started function."""
    function = LambdaFunction(CanarySettings, create)
    yield function
    function.close()


def test_garbage_collection_is_disabled_until_the_function_has_started() -> None:
    collects: list[bool] = []

    def start(settings: ServerSettings) -> App:
        collects.append(gc.isenabled())
        return create(settings)

    gc.disable()
    try:
        function = LambdaFunction(CanarySettings, start)
        collects.append(gc.isenabled())
    finally:
        gc.enable()
    function.close()

    assert collects == [False, True]


def call(headers: dict[str, str] = HEADERS, stage: str = "$default", **arguments: Any) -> Any:
    """Returns the event of a call."""
    params = {
        "name": "wait",
        "arguments": {"seconds": 0, **arguments},
        "_meta": {"progressToken": "p"},
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return event_of("POST", "/mcp", headers, json.dumps(message).encode(), stage=stage)


def test_application_starts_once_for_all_events(function: LambdaFunction) -> None:
    STARTS.clear()

    answers = [function.handle(call(), Remaining()) for _ in range(3)]

    assert STARTS == []
    assert [json.loads(answer["body"])["result"]["isError"] for answer in answers] == [False] * 3


@pytest.mark.parametrize(
    ("event", "status"),
    [
        (call(), 200),
        (call(EVENTS), 200),
        (call(stage="prod"), 200),
        (event_of("GET", "/healthz", HEADERS), 200),
        (event_of("GET", "/readyz", HEADERS, stage="prod"), 200),
        (event_of("GET", "/mcp", HEADERS), 405),
        (event_of("POST", "/prod/mcp", HEADERS), 404),
        (event_of("POST", "/mcp", {**HEADERS, "host": "other.example"}), 421),
        ({"version": "1.0", "httpMethod": "POST", "path": "/mcp"}, 400),
        ({**call(), "rawPath": None}, 400),
        ({**call(), "body": "é=", "isBase64Encoded": True}, 400),
        ({"Records": []}, 400),
    ],
)
def test_event_is_answered_with_the_status_of_the_request(
    function: LambdaFunction, event: Any, status: int
) -> None:
    response = function.handle(event, Remaining())

    assert response["statusCode"] == status
    assert set(response) == {"statusCode", "headers", "body", "isBase64Encoded"}
    assert "connection" not in response["headers"]


def test_encoded_body_cookies_query_and_client_reach_the_application() -> None:
    event = event_of("POST", "/mcp", {"X-Name": "v"}, b"\xff", is_base64=True)
    event |= {"rawQueryString": "a=b", "cookies": ["a=1", "b=2"]}

    scope, body = read_event(event)

    assert body == b"\xff"
    assert scope["query_string"] == b"a=b"
    assert scope["client"][0] == "192.0.2.1"
    assert {(b"x-name", b"v"), (b"cookie", b"a=1; b=2")} <= {*scope["headers"]}


def test_call_is_cancelled_before_the_time_out_of_the_function(function: LambdaFunction) -> None:
    seconds = MARGIN_SECONDS + 0.1

    late_response = function.handle(call(seconds=60), Remaining(seconds))
    stream_response = function.handle(call(EVENTS, seconds=60), Remaining(seconds))
    next_response = function.handle(call(), Remaining())

    assert late_response["statusCode"] == 504
    assert "longer than the function may run" in late_response["body"]
    # The head of the stream was sent: the client gets the messages until then.
    assert stream_response["statusCode"] == 200
    assert "notifications/progress" in stream_response["body"]
    assert next_response["statusCode"] == 200


def test_response_above_the_limit_is_an_error(function: LambdaFunction) -> None:
    # `é` has six bytes as `\u00e9` in JSON.
    response = function.handle(call(size=1_100_000), Remaining())

    assert response["statusCode"] == 500
    assert "larger than the 6 MB" in response["body"]


class LambdaSettings(SessionSettings):
    model_config = SettingsConfigDict(env_prefix="CANARY_")
    registers: bool = False


def _with_sessions(settings: LambdaSettings) -> App:
    identity = ServerInfo("canary", "Canary", "1")
    sessions = Sessions(settings)
    return create_app(identity, (WAIT,), (), settings, Hooks({"wait": answer}), sessions=sessions)


@pytest.mark.parametrize(
    ("variables", "asks", "reasons"),
    [
        ((), False, ["sessions live in one process: set CANARY_SESSIONS=false"]),
        (
            ("CANARY_REGISTERS=true",),
            False,
            ["CANARY_SESSIONS=false", "; a registration is", "set CANARY_REGISTERS=false"],
        ),
        (("CANARY_SESSIONS=false",), True, ["CANARY_STATE_KEY is not set"]),
        (("CANARY_SESSIONS=false", "CANARY_PORT=many"), False, ["CANARY_PORT: Input should be"]),
    ],
)
def test_settings_that_lambda_cannot_obey_are_refused_at_the_start(
    monkeypatch: pytest.MonkeyPatch, variables: Sequence[str], asks: bool, reasons: Sequence[str]
) -> None:
    for variable in variables:
        monkeypatch.setenv(*variable.split("="))

    with pytest.raises(StartupError) as error:
        LambdaFunction(LambdaSettings, _with_sessions, asks=asks)

    assert all(reason in str(error.value) for reason in reasons)


def test_streamed_response_arrives_in_pieces_and_reports_its_end(
    function: LambdaFunction, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = RuntimeApi()
    monkeypatch.setenv("AWS_LAMBDA_RUNTIME_API", f"127.0.0.1:{api.server_address[1]}")
    whole_invocation, cut_invocation = None, None

    def invoke() -> None:
        nonlocal whole_invocation, cut_invocation
        whole_invocation = api.invoke(call(EVENTS, seconds=0.3))
        cut_invocation = api.invoke(call(EVENTS, seconds=60), MARGIN_SECONDS + 0.3)
        api.waiting.put(None)

    threads = [threading.Thread(target=invoke), threading.Thread(target=api.serve_forever)]
    for thread in threads:
        thread.start()
    with pytest.raises(RemoteDisconnected, match="closed connection"):
        function.run()
    api.shutdown()
    for thread in threads:
        thread.join()
    api.server_close()

    assert whole_invocation
    assert cut_invocation
    status, headers, body = whole_invocation.response
    _head, (first_time, progress), *_, (last_time, _) = whole_invocation.chunks
    assert (status, headers["content-type"]) == (200, "text/event-stream")
    assert b"notifications/progress" in progress
    assert last_time - first_time > 0.2
    assert body.count(b"data:") == 2
    assert whole_invocation.trailers == {}
    assert cut_invocation.trailers == {"lambda-runtime-function-error-type": "Function.BrokenOff"}
