"""Servers that a command starts, and access tokens that a client fetches."""

from __future__ import annotations

import base64
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from samples import SERVE
from zoo_server import Asked, Reply, ZooServer, serving

from mcpgen.conformance import Options, Status
from mcpgen.conformance.assignment import Assignment, carried_out
from mcpgen.conformance.targets.command import Unusable, command
from mcpgen.conformance.targets.command import serving as started
from mcpgen.conformance.targets.credentials import (
    Client,
    NoToken,
    access_token,
    transport_problem,
)

HERE = Path(__file__).parent
PATHS = [str(HERE), str(HERE.parent / "broken")]


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program that serves a correct server."""
    path = tmp_path / "my server.py"
    path.write_text(SERVE.format(paths=PATHS, make="ZooServer"))
    return path


def line(*words: object) -> str:
    """A command line that runs Python with these words."""
    return " ".join(f"'{word}'" for word in (sys.executable, *words))


def listens(port: int) -> bool:
    """Whether something accepts connections there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def ends(port: int) -> bool:
    """Whether nothing listens there before long."""
    deadline = time.monotonic() + 10
    while listens(port) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not listens(port)


def test_a_command_serves_until_the_block_ends(program: Path) -> None:
    asked = command(line(program), "")

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
    asked = command(line(parent), "")

    with started(asked, 20) as served:
        assert served.problem == ""

    assert ends(asked.port)


def test_a_command_is_stopped_when_whoever_checks_is_killed(program: Path) -> None:
    asked = command(line(program), "http://127.0.0.1:{port}/mcp")
    source = (
        "import time\n"
        "from mcpgen.conformance.targets.command import Command, serving\n"
        f"with serving(Command({asked.words!r}, {asked.url!r}, {asked.port}), 20) as served:\n"
        "    print(served.problem, flush=True)\n    time.sleep(60)\n"
    )

    with subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE) as checker:
        assert checker.stdout is not None
        assert checker.stdout.readline() == b"\n"
        checker.send_signal(signal.SIGKILL)

    assert ends(asked.port)


def test_a_command_that_ends_is_told_with_its_last_lines() -> None:
    asked = command(line("-c", 'print("one"); raise SystemExit("no such setting")'), "")

    report = carried_out(Assignment(asked.url, command=asked))

    (outcome,) = report.outcomes
    assert outcome.check.id == "command-serves"
    assert outcome.status is Status.FAILED
    assert outcome.saw == "the command ended with code 1\none\nno such setting"


def test_a_command_that_never_listens_is_given_up_at_the_deadline() -> None:
    asked = command(line("-c", "import time; time.sleep(60)"), "")
    before = time.monotonic()

    report = carried_out(Assignment(asked.url, Options(deadline=1), asked))

    assert "nothing listens at" in report.outcomes[0].saw
    assert time.monotonic() - before < 15


def test_a_server_that_dies_while_it_is_checked_is_told(tmp_path: Path) -> None:
    program = tmp_path / "mortal.py"
    program.write_text(SERVE.format(paths=PATHS, make="Mortal"))
    asked = command(line(program), "")

    report = carried_out(Assignment(asked.url, Options(timeout=2), asked))

    first = report.outcomes[0]
    assert (first.check.id, first.status) == ("command-serves", Status.FAILED)
    assert first.saw.startswith("the command ended with code 7\n")
    assert "cannot ping" in first.saw


def test_a_server_that_was_there_before_is_not_taken_for_the_commands(program: Path) -> None:
    with serving(ZooServer()) as url:
        asked = command(line(program), url)
        report = carried_out(Assignment(asked.url, command=asked))

    assert "before the command was started" in report.outcomes[0].saw


def test_a_command_line_is_split_but_nothing_in_it_is_expanded() -> None:
    asked = command("python3 -m 'my server' $HOME ; `ls` --port={port}", "")

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
    with pytest.raises(Unusable):
        command(text, url)


class Issuer(BaseHTTPRequestHandler):
    """A token endpoint; what it is asked for is kept in `asked`."""

    asked: list[tuple[str, dict[str, list[str]]]]
    takes_basic = True
    refusal = ""
    answer: dict[str, Any]

    def do_POST(self) -> None:
        """Takes down the request and answers it."""
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        given = self.headers.get("Authorization", "")
        self.asked.append((given, form))
        good = not self.refusal and bool(given if self.takes_basic else "client_secret" in form)
        error = {"error": self.refusal or "invalid_client"}
        body = json.dumps(self.answer if good else error).encode()
        self.send_response(200 if good else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the tests' output is not a log."""


@contextmanager
def issuing(**members: Any) -> Iterator[tuple[str, type[Issuer]]]:
    """The address of a token endpoint, and what it was asked."""
    handler = type("Handler", (Issuer,), {"asked": [], **members})
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


class Guarded(ZooServer):
    """A server that wants the token, and says it back."""

    def guard(self, asked: Asked) -> Reply | None:
        """401 without the token."""
        given = asked.headers.get("authorization", "")
        wanted = given == f"Bearer {GOOD['access_token']}"
        return super().guard(asked) or (None if wanted else Reply(401))

    def unknown_method(self, method: str) -> dict[str, Any]:
        """An answer that quotes the token where an error should stand."""
        return {"you": f"are {GOOD['access_token']}"}


def test_a_token_is_fetched_and_sent_and_stands_in_no_report() -> None:
    with issuing(answer=GOOD) as (address, issuer), serving(Guarded()) as url:
        client = Client(address, "me", "the/secret", "pets:read", url)
        report = carried_out(Assignment(url, client=client))

    basic = base64.b64encode(b"me:the%2Fsecret").decode()
    assert report.revisions
    assert issuer.asked == [
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


def test_a_secret_goes_into_the_body_where_basic_is_refused() -> None:
    with issuing(answer=GOOD, takes_basic=False) as (address, issuer):
        token = access_token(Client(address, "me", "secret"), 5)

    assert token == GOOD["access_token"]
    assert issuer.asked[-1][1]["client_secret"] == ["secret"]


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"answer": {}}, "HTTP 200"),
        ({"answer": {"access_token": "x", "token_type": "mac"}}, "not a Bearer token"),
        ({"answer": {"access_token": "a\r\nb", "token_type": "bearer"}}, "not a Bearer token"),
        ({"answer": ["x"]}, "HTTP 200"),
    ],
)
def test_an_answer_without_a_token_is_told(members: dict[str, Any], said: str) -> None:
    with issuing(**members) as (address, _), pytest.raises(NoToken, match=said):
        access_token(Client(address, "me", "the-secret"), 5)


def test_a_refusal_is_told_without_the_secret() -> None:
    client = Client("", "me", "the-secret")

    with issuing(answer={}, takes_basic=False, refusal="the-secret is wrong") as (address, _):
        told = refusal_of(replace(client, token_url=address))

    assert told.endswith("HTTP 401, [redacted] is wrong")


def refusal_of(client: Client) -> str:
    """Why there is no token for the client."""
    with pytest.raises(NoToken) as told:
        access_token(client, 5)
    return str(told.value)


def test_nobody_at_the_token_endpoint_is_told() -> None:
    with pytest.raises(NoToken, match="connection refused"):
        access_token(Client("http://127.0.0.1:9/token", "me", "secret"), 5)


@pytest.mark.parametrize(
    ("url", "good"),
    [
        ("https://login.example/token", True),
        ("http://127.0.0.1:8080/token", True),
        ("http://login.example/token", False),
        ("ftp://login.example", False),
        ("https://[bad", False),
        ("", False),
    ],
)
def test_secrets_travel_encrypted_only(url: str, good: bool) -> None:
    assert (transport_problem(url) == "") is good


def test_the_variables_of_a_command_hold_its_port(tmp_path: Path) -> None:
    program = tmp_path / "port.py"
    program.write_text(
        "import os, http.server\n"
        "http.server.HTTPServer(('127.0.0.1', int(os.environ['PORT'])),"
        " http.server.SimpleHTTPRequestHandler).serve_forever()\n"
    )
    asked = command(line(program), "")

    with started(asked, 20) as served:
        connection = http.client.HTTPConnection("127.0.0.1", asked.port, timeout=5)
        connection.request("GET", "/")
        status = connection.getresponse().status
        connection.close()

    assert served.problem == ""
    assert status == 200
    assert os.environ.get("PORT") != str(asked.port)
