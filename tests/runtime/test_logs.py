"""Logs: one line for each failed call, and no line that a text from outside could forge."""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import aiohttp
import pytest
from tests.runtime.conftest import Serving, WireUpstream
from tests.runtime.test_rate_limits import message

from mcpgen_runtime.hooks import Call, Hooks
from mcpgen_runtime.observability.logs import JsonFormatter, TextFormatter
from mcpgen_runtime.observability.request_id import RequestIds
from mcpgen_runtime.result import Result
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.settings import ServerSettings
from mcpgen_runtime.tool import Argument, Hints, Route, Tool

pytestmark = pytest.mark.anyio

WORDS = Argument("words", "query", {"type": "string"})
TOOL = Tool("get", "Get", "", Route("GET", "/it"), Hints(True, False, True), (WORDS,))
PACKAGE = "mcpgen_runtime"


class Collecting(logging.Handler):
    """Collects log lines."""

    def __init__(self, formatter: logging.Formatter) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.setFormatter(formatter)

    def emit(self, record: logging.LogRecord) -> None:
        """Records the formatted line."""
        self.lines.append(self.format(record))


@contextmanager
def collect_logs(formatter: logging.Formatter, level: int = logging.INFO) -> Iterator[list[str]]:
    """Collects the log lines of the server."""
    handler = Collecting(formatter)
    logger = logging.getLogger(PACKAGE)
    logger.addHandler(handler)
    logger.setLevel(level)
    try:
        yield handler.lines
    finally:
        logger.removeHandler(handler)
        logger.setLevel(logging.NOTSET)


def members(line: str) -> dict[str, Any]:
    """Returns the members of a JSON line without time, duration and logger."""
    read: dict[str, Any] = json.loads(line)
    assert read.pop("time").endswith("+00:00")
    assert 0 <= read.pop("durationMs") < 10_000
    assert read.pop("logger") == f"{PACKAGE}.server.calls"
    return read


async def test_a_call_that_the_api_fails_is_one_line_with_status_host_and_duration(
    serving: Serving, upstream: WireUpstream
) -> None:
    upstream.answer = lambda _: b"HTTP/1.1 503 Oh\r\nContent-Length: 0\r\n\r\n"

    with collect_logs(JsonFormatter()) as lines:
        async with serving(TOOL, upstream=upstream.url) as client:
            await client.call("get", words="my-private-words")

    (line,) = lines
    assert members(line) == {
        "level": "warning",
        "message": "get: the API answered 503",
        "tool": "get",
        "outcome": "failure",
        "upstreamStatus": 503,
        "upstreamHost": f"127.0.0.1:{upstream.port}",
    }


async def test_a_line_of_text_says_the_same(serving: Serving, upstream: WireUpstream) -> None:
    upstream.answer = lambda _: b"HTTP/1.1 404 Oh\r\nContent-Length: 0\r\n\r\n"

    with collect_logs(TextFormatter()) as lines:
        async with serving(TOOL, upstream=upstream.url) as client:
            await client.call("get")

    time, level, logger, text = lines[0].split(" ", 3)
    assert time.endswith("+00:00")
    assert (level, logger) == ("WARNING", f"{PACKAGE}.server.calls:")
    assert text.startswith("get: the API answered 404 tool=get outcome=failure durationMs=")
    assert text.endswith(f" upstreamStatus=404 upstreamHost=127.0.0.1:{upstream.port}")


async def test_a_broken_connection_is_logged_with_its_cause_and_the_id_of_the_request(
    serving: Serving,
) -> None:
    with collect_logs(JsonFormatter()) as lines:
        async with serving(TOOL, upstream="http://127.0.0.1:9", rules=[RequestIds()]) as client:
            await client.post(message("get"), X_Request_Id="abc")

    line = members(lines[0])
    assert line["message"] == "get: the API refuses the connection"
    assert line["upstreamHost"] == "127.0.0.1:9"
    assert line["cause"].startswith("ECONNREFUSED: ")
    assert line["requestId"] == "abc"


async def test_a_lost_connection_is_logged_with_the_error_of_the_client(
    serving: Serving, upstream: WireUpstream
) -> None:
    upstream.answer, upstream.closes = (lambda _: b""), True

    with collect_logs(JsonFormatter()) as lines:
        async with serving(TOOL, upstream=upstream.url) as client:
            await client.call("get")

    assert members(lines[0])["cause"] == "ServerDisconnectedError"


async def test_too_many_open_files_are_told(serving: Serving) -> None:
    class Exhausted(aiohttp.TCPConnector):
        """Gets no socket from the system."""

        async def _create_connection(self, req: Any, *_: Any) -> Any:
            fault = OSError(24, os.strerror(24))
            raise aiohttp.ClientConnectorError(req.connection_key, fault)

    def client_without_sockets() -> aiohttp.ClientSession:
        return aiohttp.ClientSession(connector=Exhausted(limit=0))

    with collect_logs(TextFormatter()) as lines:
        hooks = Hooks({}, client=client_without_sockets)
        async with serving(TOOL, upstream="http://api.example", hooks=hooks) as client:
            await client.call("get")

    assert 'cause="EMFILE: Too many open files"' in lines[0]
    assert "upstreamHost=api.example" in lines[0]


async def test_a_call_of_an_unknown_tool_is_one_line(serving: Serving) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "no\nsuch"}}

    with collect_logs(TextFormatter(), logging.INFO) as lines:
        async with serving(TOOL, upstream="http://api.example") as client:
            await client.post(message)

    (line,) = [line for line in lines if "does not exist" in line]
    assert line.endswith('a tool was called that does not exist tool="no\\nsuch" outcome=unknown')


async def test_calls_that_succeed_are_logged_at_the_level_debug_alone(
    serving: Serving, upstream: WireUpstream
) -> None:
    with collect_logs(JsonFormatter()) as by_default:
        async with serving(TOOL, upstream=upstream.url) as client:
            await client.call("get")
    with collect_logs(JsonFormatter(), logging.DEBUG) as debugging:
        async with serving(TOOL, upstream=upstream.url) as client:
            await client.call("get")

    assert by_default == []
    assert members(debugging[0])["message"] == "get: done"


async def test_refusals_and_wrong_arguments_are_no_warnings(
    serving: Serving, upstream: WireUpstream
) -> None:
    async def deny(call: Call) -> Result:
        return Result.denied({"outcome": "denied"})

    other_tool = replace(TOOL, name="other")
    with collect_logs(JsonFormatter()) as lines:
        async with serving(
            TOOL, other_tool, upstream=upstream.url, hooks=Hooks({"other": deny})
        ) as client:
            await client.call("get", words=1)
            await client.call("other")

    assert [(members(line)["level"], members(line)["message"]) for line in lines] == [
        ("info", "get: the arguments are not accepted"),
        ("info", "other: denied"),
    ]


async def test_a_tool_without_a_handler_is_a_warning_and_blames_no_argument(
    serving: Serving, upstream: WireUpstream
) -> None:
    with collect_logs(JsonFormatter()) as lines:
        async with serving(replace(TOOL, route=None), upstream=upstream.url) as client:
            await client.call("get")

    assert [(members(line)["level"], members(line)["message"]) for line in lines] == [
        ("warning", "get: failed, no request was sent to the API")
    ]


async def test_a_call_that_its_client_gives_up_is_logged(
    serving: Serving, upstream: WireUpstream
) -> None:
    class GivingUp(Middleware):
        """Cancels every call, as a client that disconnects does."""

        async def call(self, invocation: object, finish: object) -> Result:
            """Cancels the call."""
            raise asyncio.CancelledError

    with collect_logs(JsonFormatter()) as lines:
        async with serving(TOOL, upstream=upstream.url, rules=[GivingUp()]) as client:
            with pytest.raises(BaseException):  # noqa: B017, PT011
                await client.call("get")

    assert members(lines[0])["outcome"] == "cancelled"


async def test_an_error_of_a_hook_is_one_record_with_its_traceback(
    serving: Serving, upstream: WireUpstream
) -> None:
    async def greet(call: Call) -> Result:
        raise LookupError("first\n2026-01-01T00:00:00 forged\u2028\x1b[2J")

    with collect_logs(TextFormatter()) as lines:
        async with serving(TOOL, upstream=upstream.url, hooks=Hooks({"get": greet})) as client:
            error_text = await client.error("get")

    (record,) = lines
    first_line, *traceback_lines = record.split("\n")
    assert "ERROR" in first_line
    assert "get: the server or its hook failed" in first_line
    assert traceback_lines[0] == f"    Reference {error_text.split()[-1].rstrip('.')}"
    assert all(line.startswith("    ") for line in traceback_lines)
    assert "    2026-01-01T00:00:00 forged\\u2028\\x1b[2J" in traceback_lines
    assert len(record.splitlines()) == len(traceback_lines) + 1


@pytest.mark.parametrize("formatter", [TextFormatter(), JsonFormatter()])
def test_a_text_from_outside_neither_begins_a_line_nor_carries_control_characters(
    formatter: logging.Formatter,
) -> None:
    hostile = "a\r\nb\x85c\u2028d\u2029e\x1b]52;\x07f\x9bg\u202eh\ud800"
    record = logging.makeLogRecord({"msg": "%s", "args": (hostile,), "levelname": "WARNING"})
    record.members = {"cause": hostile}

    line = formatter.format(record)

    assert len(line.splitlines()) == 1
    assert line.isprintable()
    assert line.encode()


def test_the_environment_chooses_format_and_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_FORMAT", "JSON")
    monkeypatch.setenv("LOG_LEVEL", "debug")

    server_settings = ServerSettings()

    assert (server_settings.log_format, server_settings.log_level) == ("json", "debug")
    assert (ServerSettings.model_fields["log_format"].default) == "text"
