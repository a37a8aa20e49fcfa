"""Targets over stdio: `mcpgen check --stdio`, and `stdio:` as the target of other commands."""

from __future__ import annotations

import json
import shlex
import sys
import threading
from functools import partial, reduce

import pytest
import stdio
from tests.examples.agent_registry.registry_thread import registry
from typer.testing import CliRunner

from mcpgen.cli.app import app
from mcpgen.conformance import (
    TABLE,
    CallableTools,
    CheckOptions,
    CheckStatus,
    Report,
    check,
    server_info,
)
from mcpgen.conformance.checks.stdio import HTTP_ONLY, divided_messages
from mcpgen.conformance.stdio_probe import StdioRun, _request_key, is_message

SERVER = shlex.join((sys.executable, stdio.__file__, "OverStdio"))
DEAD = shlex.join((sys.executable, "-c", "import sys; sys.exit('no such database')"))


def run(*arguments: str) -> tuple[int, str]:
    """Runs a command; returns exit code and output."""
    result = CliRunner().invoke(app, arguments)
    return result.exit_code, result.output


def test_check_of_a_command_prints_the_report() -> None:
    options = (
        "--only",
        "ping-answers",
        "--only",
        "stdio-messages-only",
        "--only",
        "get-405-or-stream",
    )

    code, output = run("check", "--stdio", SERVER, "--format", "json", *options)

    report = json.loads(output)["report"]
    statuses = {(o["id"], o["status"]) for o in report["outcomes"] if o["revision"] == "2025-11-25"}
    assert code == 0
    assert report["target"] == f"stdio:{SERVER}"
    assert statuses == {
        ("ping-answers", "passed"),
        ("stdio-messages-only", "passed"),
        ("get-405-or-stream", "not applicable"),
    }


def test_checks_that_need_http_say_so() -> None:
    report = check(f"stdio:{SERVER}", CheckOptions(only=frozenset({"get-405-or-stream"})))

    saw_texts = {o.saw for o in report.outcomes}
    assert {o.status for o in report.outcomes} == {CheckStatus.NOT_APPLICABLE}
    assert saw_texts == {"it needs HTTP, which stdio does not have"}


def test_every_check_that_needs_http_exists() -> None:
    assert TABLE.keys() >= HTTP_ONLY


def test_server_that_ends_at_once_is_described_by_its_error() -> None:
    code, output = run("check", "--stdio", DEAD, "--only", "speaks-mcp")

    assert code == 1
    assert "the server ended with code 1: no such database" in output


@pytest.mark.parametrize("line", ["'[' + 'x' * 100_000", "'[' + '0, ' * 50_000 + '0]\\n'"])
def test_line_beyond_the_limit_is_named_and_is_no_stray_output(line: str) -> None:
    program = f"import sys, time; sys.stdin.readline(); print({line}, flush=True); time.sleep(600)"
    target = f"stdio:{shlex.join((sys.executable, '-c', program))}"
    options = CheckOptions(
        only=frozenset({"speaks-mcp", "stdio-messages-only"}), max_bytes=50_000, timeout=5
    )

    report = check(target, options)

    output = {o.check.id: (o.status, o.saw) for o in report.outcomes}
    assert output["speaks-mcp"][0] is CheckStatus.FAILED
    assert "the answer is larger than 50,000 bytes" in output["speaks-mcp"][1]
    assert output["stdio-messages-only"][0] is not CheckStatus.FAILED


def test_late_answer_to_a_malformed_message_is_waited_for() -> None:
    command = shlex.join((sys.executable, stdio.__file__, "SlowToRefuse"))

    report = check(f"stdio:{command}", CheckOptions(only=frozenset({"malformed-json-32700"})))

    assert CheckStatus.PASSED in {o.status for o in report.outcomes}
    assert not report.failed, report.outcomes


def test_server_that_stops_reading_does_not_stop_the_run() -> None:
    command = shlex.join((sys.executable, stdio.__file__, "StopsReading"))
    options = CheckOptions(only=frozenset({"stdio-slow-reader"}), timeout=1)

    reports: list[Report] = []
    # No signal interrupts a thread that waits for a lock, so the run has a thread of its own.
    running = threading.Thread(
        target=lambda: reports.append(check(f"stdio:{command}", options)), daemon=True
    )
    running.start()
    running.join(60)

    assert [{(o.status, o.saw) for o in report.outcomes} for report in reports] == [
        {(CheckStatus.WARNING, "0")}
    ]


def test_slow_reader_leaves_bytes_for_the_other_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_info, "StdioRun", partial(StdioRun, bytes_left=4_000_000))
    command = shlex.join((sys.executable, stdio.__file__, "LongList"))

    report = check(f"stdio:{command}", CheckOptions(only=frozenset({"stdio-slow-reader"})))

    assert {o.status for o in report.outcomes} == {CheckStatus.PASSED}, report.outcomes


def test_progress_of_a_call_that_was_given_up_is_no_violation() -> None:
    command = shlex.join((sys.executable, stdio.__file__, "ReportsLateProgress"))
    ids = {"tool-call-answered", "tool-result-every-revision", "progress-only-when-asked"}
    ids |= {"stdio-slow-reader", "malformed-json-32700"}
    options = CheckOptions(
        call=CallableTools.ALL, only=frozenset(ids), timeout=1, call_timeout=1, bad_calls=1
    )

    report = check(f"stdio:{command}", options)

    assert {o.status for o in report.outcomes if o.check.id == "progress-only-when-asked"} == {
        CheckStatus.PASSED
    }


def test_deep_id_of_a_response_does_not_end_the_run() -> None:
    identifier = reduce(lambda inner, _: [inner], range(sys.getrecursionlimit()), 1)

    assert _request_key(identifier)[0] is list


def test_run_reads_a_limited_number_of_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    run_of_few_bytes = partial(StdioRun, bytes_left=2_000)
    monkeypatch.setattr(server_info, "StdioRun", run_of_few_bytes)
    options = CheckOptions(only=frozenset({"speaks-mcp", "ping-answers", "tool-name-unique"}))

    report = check(f"stdio:{SERVER}", options)

    assert {"budget"} & {o.blocked_by for o in report.outcomes}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--stdio", "no-such-program --flag"), "there is no command `no-such-program`"),
        (("--stdio", "'open"), "cannot be split into words"),
        (("--stdio", "python", "http://localhost/mcp"), "--stdio takes the place of TARGET"),
        (("--stdio", "python", "--header", "a: b"), "not for a command over stdio"),
        (("http://localhost/mcp", "--only", "stdio-utf8"), "it needs --stdio"),
    ],
)
def test_wrong_use_is_explained(arguments: tuple[str, ...], message: str) -> None:
    code, output = run("check", *arguments)

    assert code == 2
    assert message in " ".join(output.replace("│", " ").split())


def test_tools_of_a_command_are_listed() -> None:
    code, output = run("tools", f"stdio:{SERVER}")

    assert code == 0, output
    assert "list_colours" in output


def test_two_commands_are_compared() -> None:
    code, output = run("diff", f"stdio:{SERVER}", f"stdio:{SERVER}")

    assert code == 0, output


def test_card_of_a_command_needs_an_address() -> None:
    refused_run = run("card", f"stdio:{SERVER}")
    code, output = run("card", f"stdio:{SERVER}", "--address", "https://mcp.example.com/mcp")

    assert refused_run[0] == 2
    assert "--address" in refused_run[1]
    assert code == 0, output
    assert "https://mcp.example.com/mcp" in output


def test_server_of_a_command_is_registered_with_its_address() -> None:
    address = "https://mcp.example.com/mcp"
    with registry() as counterpart:
        code, output = run(
            "register", f"stdio:{SERVER}", "--registry", counterpart.url, "--address", address
        )
        servers = counterpart.servers()

    assert code == 0, output
    assert address in json.dumps(servers)


def test_command_that_does_not_start_is_reported_by_every_command() -> None:
    code, output = run("tools", "stdio:no-such-program")

    assert code == 2
    assert "there is no command" in output


def test_message_on_several_lines_is_recognized() -> None:
    lines = [b"{\n", b' "jsonrpc": "2.0",\n', b' "method": "a"}\n', b"ready\n", b"{half\n"]

    messages, strays = divided_messages(lines)

    assert messages == [b"".join(lines[:3])]
    assert strays == lines[3:]


@pytest.mark.parametrize("value", [None, [], 5, "ping", {"method": "a"}, [{"jsonrpc": "2.0"}]])
def test_other_json_is_no_message(value: object) -> None:
    assert not is_message(value)
