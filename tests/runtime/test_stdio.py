"""A server over stdio: framing, errors, shutdown, and the official client in both eras."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

import pytest
from mcp.client import Client, ClientRequestContext
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitRequestParams, ElicitResult
from tests.runtime.stdio_client import (
    COMMAND,
    HANDSHAKE,
    MODERN,
    PATIENCE,
    SERVER,
    environment,
    modern,
    reading,
    request,
    serve_stdio,
)
from tests.runtime.test_cli import ROOT
from tests.thorough import keep

from mcpgen_runtime.server.stdio import read_lines

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the tests send POSIX signals")


def call(name: str, id: Any = 1, **arguments: Any) -> dict[str, Any]:
    """Returns a call of the older revisions."""
    return request("tools/call", id, name=name, arguments=arguments)


def text_of(answer: Any) -> str:
    """Returns the text of a call's result."""
    text: str = answer["result"]["content"][0]["text"]
    return text


def parameters(**variables: str) -> StdioServerParameters:
    """Returns the parameters of the official client."""
    command, *arguments = COMMAND
    return StdioServerParameters(
        command=command, args=arguments, env=environment(**variables), cwd=ROOT
    )


async def accept(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
    """Answers a question of the server."""
    return ElicitResult(action="accept", content={"sure": True})


@pytest.mark.anyio
@pytest.mark.parametrize(
    "mode",
    keep(
        ["legacy", "auto", MODERN],
        {"legacy", MODERN},
        "chooses one of the other two modes",
        {"auto"},
    ),
)
async def test_official_client_lists_calls_and_answers_questions(mode: str) -> None:
    progress_values: list[float] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        progress_values.append(progress)

    transport = stdio_client(parameters())
    async with Client(transport, mode=mode, elicitation_callback=accept) as client:
        tools = (await client.list_tools()).tools
        tool_result = await client.call_tool("ask", {})
        tell_result = await client.call_tool("tell", {}, progress_callback=hear)
        with pytest.raises(MCPError) as unknown_error:
            await client.call_tool("nothing", {})
        error_result = await client.call_tool("large", {"size": "many"})
        large_result = await client.call_tool("large", {"size": 3_000_000})

    assert [tool.name for tool in tools] == ["echo", "prints", "ask", "tell", "wait", "large"]
    assert tool_result.content[0].text == "accept {'sure': True}"  # type: ignore[union-attr]
    assert (tell_result.is_error, progress_values) == (False, [1])
    assert unknown_error.value.error.code == -32602
    assert error_result.is_error
    assert len(large_result.content[0].text) == 3_000_001  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "revision",
    keep(HANDSHAKE, {"2025-11-25"}, "repeats the proof in older revisions", HANDSHAKE[:-1]),
)
def test_every_older_revision_is_negotiated(revision: str) -> None:
    with serve_stdio() as server:
        result = server.initialize(revision)
        tools_answer = server.answer(request("tools/list"))
        code = server.close()

    assert result["protocolVersion"] == revision
    assert len(tools_answer["result"]["tools"]) == 6
    assert code == 0


def test_newest_revision_needs_no_handshake() -> None:
    with serve_stdio() as server:
        result = server.answer(modern("server/discover"))
        unknown_error = server.answer(
            modern("tools/list", 2, meta={"io.modelcontextprotocol/protocolVersion": "2099-01-01"})
        )

    assert result["result"]["supportedVersions"] == [MODERN]
    assert unknown_error["error"]["code"] == -32022


def test_output_of_hooks_and_child_processes_goes_to_standard_error() -> None:
    with serve_stdio() as server:
        server.initialize()
        answer = server.answer(call("prints"))
        server.close()
        errors = server.errors().splitlines()
        last_message = server.receive()

    assert text_of(answer) == "read ''"
    assert {"printed", "written", "echoed"} <= {*errors}
    assert last_message is None


MALFORMED = [
    (b"no JSON", -32700),
    (b"null", -32700),
    (b'{"jsonrpc": "2.0"', -32700),
    (b"\xff\xfe", -32700),
    (b"[" * 100_000, -32700),
    (b"5", -32600),
    (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600),
    (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', -32600),
    (b'{"jsonrpc": "2.0", "id": 1, "method": 5}', -32600),
    (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', -32600),
    (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', -32600),
    (b"[]", -32600),
    (b'"' + b"x" * 5_000_000 + b'"', -32600),
]


def test_malformed_lines_are_answered_and_the_next_line_is_served() -> None:
    with serve_stdio() as server:
        server.initialize()
        answers = [
            (line[:50], server.answer(line)["error"]["code"], server.answer(request("ping", 2)))
            for line, _ in MALFORMED
        ]

    pong = {"jsonrpc": "2.0", "id": 2, "result": {}}
    assert answers == [(line[:50], code, pong) for line, code in MALFORMED]


def test_empty_lines_and_malformed_notifications_are_not_answered() -> None:
    with serve_stdio() as server:
        server.initialize()
        server.send(b"", b"  \r", {"jsonrpc": "2.0", "method": 5})
        server.send({"jsonrpc": "2.0", "id": 9, "result": {}})
        answer = server.answer(request("ping", 2))

    assert answer["id"] == 2


def test_line_may_end_with_a_carriage_return() -> None:
    with serve_stdio() as server:
        server.initialize()
        answer = server.answer(json.dumps(request("ping", 2)).encode() + b"\r")

    assert answer["result"] == {}


def test_batch_is_answered_in_the_only_revision_with_batches() -> None:
    with serve_stdio() as server:
        server.initialize("2025-03-26")
        notification = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {}}
        server.send([notification])
        answers = server.answer(
            [call("echo", "a"), notification, request("ping"), 5, request("initialize", 7)]
        )

    assert [answer["id"] for answer in answers] == ["a", 1, None, 7]
    assert [answer["error"]["code"] for answer in answers[2:]] == [-32600, -32600]


def test_id_of_a_request_under_way_is_refused() -> None:
    with serve_stdio() as server:
        server.initialize("2025-03-26")
        batch = server.answer([call("echo", 1), request("ping")])
        server.send(call("wait", 2, seconds=0.5))
        answer = server.answer(request("ping", 2))
        code = server.close()
        last_answer = server.receive()

    assert ["error" in response for response in batch] == [False, True]
    assert answer["error"]["message"] == "This id is that of another request under way"
    assert text_of(last_answer) == "waited"
    assert code == 0


def test_cancelled_call_ends_without_an_answer() -> None:
    with serve_stdio() as server:
        server.initialize()
        server.send(call("wait", "w"))
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled"}
        server.send({**cancel, "params": {"requestId": "w"}})
        answer = server.answer(request("ping", 2))
        code = server.close()
        errors = server.errors()
        last_message = server.receive()

    assert answer["id"] == 2
    assert (code, last_message) == (0, None)
    assert "cancelled" in errors


def test_messages_pass_the_rules_as_the_local_user() -> None:
    with serve_stdio() as server:
        server.initialize()
        answers = [server.answer(call("echo", id, text="é")) for id in range(11)]

    assert json.loads(text_of(answers[0])) == {"text": "é", "caller": "local", "has_id": True}
    assert answers[10]["error"]["code"] == -32002
    assert answers[10]["error"]["data"]["limit"] == 10


def test_calls_under_way_are_answered_after_the_end_of_input() -> None:
    with serve_stdio() as server:
        server.initialize()
        server.send(call("wait", "w", seconds=0.5))
        code = server.close()
        answer = server.receive()

    assert text_of(answer) == "waited"
    assert code == 0


def test_question_without_an_answer_ends_with_the_input() -> None:
    with serve_stdio() as server:
        server.initialize(elicitation={})
        question = server.answer(call("ask", "a"))
        code = server.close()
        answer = server.receive()

    assert question["method"] == "elicitation/create"
    assert "about to end" in json.dumps(answer)
    assert code == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_ends_the_server_while_calls_run(number: signal.Signals) -> None:
    with serve_stdio(CANARY_GRACE_SECONDS="0") as server:
        server.initialize()
        server.send(call("wait", "w"))
        server.answer(request("ping", 2))
        server.process.send_signal(number)
        # The call would take ten minutes.
        code = server.process.wait(PATIENCE)
        answer = server.receive()
        errors = server.errors()

    assert code == 0
    assert answer["id"] == "w"
    assert "Traceback" not in errors


IN_ANOTHER_THREAD = f"""
import runpy, signal, threading, time

threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM, signal.SIGINT))
runpy.run_module("{SERVER}", run_name="__main__")
"""
"""A server whose main thread gets no signal: the loop waits while another thread gets it."""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_that_another_thread_gets_ends_the_server(number: signal.Signals) -> None:
    command = (sys.executable, "-c", IN_ANOTHER_THREAD, *COMMAND[3:])
    with (
        subprocess.Popen(
            command,
            env=environment(CANARY_GRACE_SECONDS="0"),
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process,
        reading(process) as server,
    ):
        server.initialize()
        server.answer(request("ping", 2))
        process.send_signal(number)
        code = process.wait(PATIENCE)
        errors = server.errors()

    assert code == 0
    assert "Traceback" not in errors


def test_server_ends_when_the_client_closes_its_output() -> None:
    with subprocess.Popen(
        COMMAND,
        env=environment(),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(b"no JSON\n")
        process.stdin.flush()
        code = process.wait(PATIENCE)
        errors = process.stderr.read()

    assert code == 0
    assert b"Traceback" not in errors


def test_slow_reader_gets_every_answer_and_delays_no_signal() -> None:
    count, size = 40, 1_000_000
    with serve_stdio() as server:
        server.initialize()
        server.lines.maxsize = 1
        server.send(*(call("large", id, size=size) for id in range(count)))
        time.sleep(1)
        answers = [server.receive() for _ in range(count)]

    assert sorted(answer["id"] for answer in answers) == [*range(count)]
    assert {len(text_of(answer)) for answer in answers} == {size + 1}


def test_blocked_output_delays_the_end_by_the_grace_time_at_most() -> None:
    with subprocess.Popen(
        COMMAND,
        env=environment(CANARY_GRACE_SECONDS="1"),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdin
        assert process.stdout
        messages = [modern("tools/call", 1, name="large", arguments={"size": 1_000_000})]
        process.stdin.write(b"".join(json.dumps(message).encode() + b"\n" for message in messages))
        process.stdin.flush()
        os.read(process.stdout.fileno(), 1)
        process.terminate()
        code = process.wait(PATIENCE)

    assert code == 0


HTTP_SETTINGS = {
    "CANARY_ALLOWED_ORIGINS": "https://app.example.com",
    "CANARY_ALLOWED_HOSTS": "*",
    "CANARY_WORKERS": "2",
    "CANARY_ENABLED": "false",
}


@pytest.mark.parametrize(
    "variable",
    keep(
        HTTP_SETTINGS,
        {"CANARY_ALLOWED_ORIGINS"},
        "repeats the proof with another setting",
        {*HTTP_SETTINGS} - {"CANARY_ALLOWED_ORIGINS"},
    ),
)
def test_setting_that_needs_http_is_refused_at_the_start(variable: str) -> None:
    settings: Any = {variable: HTTP_SETTINGS[variable]}
    with serve_stdio(**settings) as server:
        code = server.process.wait(PATIENCE)
        errors = server.errors()
        line = server.receive()

    assert code == 2
    assert errors.startswith(f"canary_mcp: cannot serve over stdio: {variable}")
    assert line is None


@pytest.mark.parametrize(
    "option",
    keep(
        ["--port", "--host", "--workers"],
        {"--port"},
        "repeats the proof with another option",
        {"--host", "--workers"},
    ),
)
def test_address_is_refused_with_stdio(option: str) -> None:
    with serve_stdio(option, "1") as server:
        code = server.process.wait(PATIENCE)
        errors = server.errors()

    assert code == 2
    assert f"--stdio takes no {option}" in errors


def test_lines_of_a_file_are_read_up_to_the_limit() -> None:
    source, sink = os.pipe()
    os.write(sink, b"one\n\n" + b"x" * 11 + b"\n" + b"y" * 10 + b"\nlast")
    os.close(sink)

    lines = [*read_lines(source, 10)]
    os.close(source)

    assert lines == [b"one", b"", None, b"y" * 10, b"last"]
