"""Servers that a command starts: waited for, watched and stopped."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from base_server import ConformingServer, serving
from server_commands import PATHS, SERVE, ends, line, listens
from tests.time_limits import ends_within

from mcpgen.conformance import CheckOptions, CheckStatus
from mcpgen.conformance.run_config import RunConfig, run_checks
from mcpgen.conformance.targets.command import UnusableTarget, split_command
from mcpgen.conformance.targets.command import run_server as started


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program that serves a correct server."""
    path = tmp_path / "my server.py"
    path.write_text(SERVE.format(paths=PATHS, make="ConformingServer"))
    return path


def test_a_command_serves_until_the_block_ends(program: Path) -> None:
    asked = split_command(line(program), "")

    with started(asked, 20) as served:
        problem, there = served.problem, listens(asked.port)

    assert (problem, there) == ("", True)
    assert ends(asked.port)


def test_children_of_a_command_are_stopped_with_it(tmp_path: Path, program: Path) -> None:
    parent = tmp_path / "parent.py"
    parent.write_text(
        f"import subprocess, sys, time\n"
        f"subprocess.Popen([sys.executable, {str(program)!r}])\ntime.sleep(60)\n"
    )
    asked = split_command(line(parent), "")

    with started(asked, 20) as served:
        assert served.problem == ""

    assert ends(asked.port)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells orphans")
def test_a_child_that_left_the_group_is_stopped_too(tmp_path: Path, program: Path) -> None:
    parent = tmp_path / "parent.py"
    parent.write_text(
        f"import subprocess, sys\n"
        f"subprocess.Popen([sys.executable, {str(program)!r}], start_new_session=True)\n"
        "import time; time.sleep(60)\n"
    )
    asked = split_command(line(parent), "")

    with started(asked, 20) as served:
        assert served.problem == ""

    assert ends(asked.port)


def test_a_command_is_stopped_when_whoever_checks_is_killed(program: Path) -> None:
    asked = split_command(line(program), "http://127.0.0.1:{port}/mcp")
    source = (
        "import time\n"
        "from mcpgen.conformance.targets.command import Command, run_server\n"
        f"with run_server(Command({asked.words!r}, {asked.url!r}, {asked.port}), 20) as served:\n"
        "    print(served.problem, flush=True)\n    time.sleep(60)\n"
    )

    with subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE) as checker:
        assert checker.stdout is not None
        assert checker.stdout.readline() == b"\n"
        checker.send_signal(signal.SIGKILL)

    assert ends(asked.port)


def test_a_command_that_ends_is_told_with_its_last_lines() -> None:
    asked = split_command(line("-c", 'print("one"); raise SystemExit("no such setting")'), "")

    report = run_checks(RunConfig(asked.url, command=asked))

    (outcome,) = report.outcomes
    assert outcome.check.id == "command-serves"
    assert outcome.status is CheckStatus.FAILED
    assert outcome.saw == "the command ended with code 1\none\nno such setting"


def test_a_command_that_never_listens_is_given_up_at_the_deadline() -> None:
    asked = split_command(line("-c", "import time; time.sleep(60)"), "")

    with ends_within(50):
        report = run_checks(RunConfig(asked.url, CheckOptions(deadline=1), asked))

    # After the 60 s of the command it would say that the command ended.
    assert "nothing listens at" in report.outcomes[0].saw


def test_a_server_that_dies_while_it_is_checked_is_told(tmp_path: Path) -> None:
    program = tmp_path / "mortal.py"
    program.write_text(SERVE.format(paths=PATHS, make="Mortal"))
    asked = split_command(line(program), "")

    report = run_checks(RunConfig(asked.url, CheckOptions(timeout=2), asked))

    first = report.outcomes[0]
    assert (first.check.id, first.status) == ("command-serves", CheckStatus.FAILED)
    assert first.saw.startswith("the command ended with code 7\n")
    assert "cannot ping" in first.saw


def test_a_server_that_was_there_before_is_not_taken_for_the_commands(program: Path) -> None:
    with serving(ConformingServer()) as url:
        asked = split_command(line(program), url)
        report = run_checks(RunConfig(asked.url, command=asked))

    assert "before the command was started" in report.outcomes[0].saw


def test_a_command_line_is_split_but_nothing_in_it_is_expanded() -> None:
    asked = split_command("python3 -m 'my server' $HOME ; `ls` --port={port}", "")

    assert asked.words[1:6] == ("-m", "my server", "$HOME", ";", "`ls`")
    assert asked.words[6] == f"--port={asked.port}"
    assert asked.url == f"http://127.0.0.1:{asked.port}/mcp"


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
    asked = split_command(line(program), "")

    with started(asked, 20) as served:
        connection = http.client.HTTPConnection("127.0.0.1", asked.port, timeout=5)
        connection.request("GET", "/")
        status = connection.getresponse().status
        connection.close()

    assert served.problem == ""
    assert status == 200
    assert os.environ.get("PORT") != str(asked.port)
