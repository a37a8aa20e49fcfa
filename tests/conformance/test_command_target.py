"""Servers started by a command: awaited, observed and stopped."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
from itertools import cycle
from pathlib import Path

import pytest
from base_server import ConformingServer, serving
from server_commands import PATHS, SERVE, ends, line, listens
from tests.time_limits import ends_within

from mcpgen.conformance import CheckOptions, CheckStatus
from mcpgen.conformance.run_config import RunConfig, run_checks
from mcpgen.conformance.targets.command import (
    FREE_PORTS,
    UnusableTarget,
    free_port,
    run_server,
    split_command,
)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program that serves the conforming server."""
    path = tmp_path / "my server.py"
    path.write_text(SERVE.format(paths=PATHS, make="ConformingServer"))
    return path


def test_a_command_serves_until_the_block_ends(program: Path) -> None:
    command = split_command(line(program), "")

    with run_server(command, 120) as server:
        problem, is_listening = server.problem, listens(command.port)

    assert (problem, is_listening) == ("", True)
    assert ends(command.port)


def test_children_of_a_command_are_stopped_with_it(tmp_path: Path, program: Path) -> None:
    parent = tmp_path / "parent.py"
    parent.write_text(
        f"import subprocess, sys, time\n"
        f"subprocess.Popen([sys.executable, {str(program)!r}])\ntime.sleep(60)\n"
    )
    command = split_command(line(parent), "")

    with run_server(command, 120) as server:
        assert server.problem == ""

    assert ends(command.port)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells orphans")
def test_child_outside_the_process_group_is_stopped(tmp_path: Path, program: Path) -> None:
    parent = tmp_path / "parent.py"
    parent.write_text(
        f"import subprocess, sys\n"
        f"subprocess.Popen([sys.executable, {str(program)!r}], start_new_session=True)\n"
        "import time; time.sleep(60)\n"
    )
    command = split_command(line(parent), "")

    with run_server(command, 120) as server:
        assert server.problem == ""

    assert ends(command.port)


def test_command_is_stopped_when_the_checker_is_killed(program: Path) -> None:
    command = split_command(line(program), "http://127.0.0.1:{port}/mcp")
    source = (
        "import time\n"
        "from mcpgen.conformance.targets.command import Command, run_server\n"
        f"with run_server(Command({command.words!r}, {command.url!r}, {command.port}), 20) as served:\n"
        "    print(served.problem, flush=True)\n    time.sleep(60)\n"
    )

    with subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE) as checker:
        assert checker.stdout is not None
        assert checker.stdout.readline() == b"\n"
        checker.send_signal(signal.SIGKILL)

    assert ends(command.port)


def test_ended_command_is_reported_with_its_last_lines() -> None:
    command = split_command(line("-c", 'print("one"); raise SystemExit("no such setting")'), "")

    report = run_checks(RunConfig(command.url, command=command))

    (outcome,) = report.outcomes
    assert outcome.check.id == "command-serves"
    assert outcome.status is CheckStatus.FAILED
    assert outcome.saw == "the command ended with code 1\none\nno such setting"


def test_command_that_never_listens_fails_at_the_deadline() -> None:
    command = split_command(line("-c", "import time; time.sleep(60)"), "")

    with ends_within(50):
        report = run_checks(RunConfig(command.url, CheckOptions(deadline=1), command))

    # After the 60 s of the command it would say that the command ended.
    assert "nothing listens at" in report.outcomes[0].saw


def test_server_that_ends_during_the_checks_fails(tmp_path: Path) -> None:
    program = tmp_path / "mortal.py"
    program.write_text(SERVE.format(paths=PATHS, make="Mortal"))
    command = split_command(line(program), "")

    report = run_checks(RunConfig(command.url, CheckOptions(timeout=30), command))

    first = report.outcomes[0]
    assert (first.check.id, first.status) == ("command-serves", CheckStatus.FAILED)
    assert first.saw.startswith("the command ended with code 7\n")
    assert "cannot ping" in first.saw


def test_server_already_listening_is_not_taken_for_the_command(program: Path) -> None:
    with serving(ConformingServer()) as url:
        command = split_command(line(program), url)
        report = run_checks(RunConfig(command.url, command=command))

    assert "before the command was started" in report.outcomes[0].saw


def test_a_command_line_is_split_but_nothing_in_it_is_expanded() -> None:
    command = split_command("python3 -m 'my server' $HOME ; `ls` --port={port}", "")

    assert command.words[1:6] == ("-m", "my server", "$HOME", ";", "`ls`")
    assert command.words[6] == f"--port={command.port}"
    assert command.url == f"http://127.0.0.1:{command.port}/mcp"


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("", ""),
        ("python3 'unclosed", ""),
        ("no-such-command-at-all", ""),
        ("python3", "http://127.0.0.1:99999/mcp"),
    ],
)
def test_a_command_that_cannot_be_run_is_refused(text: str, url: str) -> None:
    with pytest.raises(UnusableTarget):
        split_command(text, url)


def test_the_variables_of_a_command_hold_its_port(tmp_path: Path) -> None:
    program = tmp_path / "port.py"
    program.write_text(
        "import os, http.server\n"
        "http.server.HTTPServer(('127.0.0.1', int(os.environ['PORT'])),"
        " http.server.SimpleHTTPRequestHandler).serve_forever()\n"
    )
    command = split_command(line(program), "")

    with run_server(command, 120) as server:
        connection = http.client.HTTPConnection("127.0.0.1", command.port, timeout=60)
        connection.request("GET", "/")
        status = connection.getresponse().status
        connection.close()

    assert server.problem == ""
    assert status == 200
    assert os.environ.get("PORT") != str(command.port)


def test_port_in_use_is_not_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    free = free_port()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        used_port = listener.getsockname()[1]
        choices = cycle([used_port, free])
        monkeypatch.setattr("random.SystemRandom.choice", lambda *_: next(choices))
        chosen_port = free_port()
        choices = cycle([used_port])

        with pytest.raises(OSError, match="no free port"):
            free_port()

    assert chosen_port == free
    assert free in FREE_PORTS
