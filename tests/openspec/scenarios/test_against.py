"""`mcpgen scenarios --against`: scenarios performed against a running server of another author."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.forkserver import own_tests
from typer.testing import CliRunner, Result

from mcpgen.cli.app import app
from mcpgen.conformance.targets.command import free_port

SERVER = '''
import os
import sys

from mcp.server.mcpserver import MCPServer

server = MCPServer("shelf")


@server.tool()
def list_books() -> dict:
    """Lists the books."""
    return {"books": [{"id": "a", "title": os.environ.get("TITLE", "Ants")}], "next_cursor": "c2"}


@server.tool()
def get_book(book_id: str) -> dict:
    """Reads a book."""
    if book_id != "a":
        raise ValueError("not_found: no such book")
    return {"id": book_id, "title": "Ants"}


if len(sys.argv) > 1:
    server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
else:
    server.run("stdio")
'''

TEXT = """# Shelf

## Purpose

Tells what a shelf of books has to do for those who read it.

## Requirements

### Requirement: Books are listed

The server SHALL list books.

#### Scenario: Tools are listed

- **WHEN** a client calls `tools/list`
- **THEN** the response SHALL include exactly `list_books` and `get_book`

#### Scenario: Books are read

- **WHEN** a client calls `list_books`
- **THEN** the call SHALL succeed
- **AND** the result SHALL include `next_cursor`
- **AND** the books SHALL be pleasant

#### Scenario: A book is missing

- **WHEN** a client calls `get_book` with `book_id: "z"`
- **THEN** the call SHALL return an error result

#### Scenario: A false claim

- **WHEN** a client calls `get_book` with `book_id: "a"`
- **THEN** the result SHALL include `author`

#### Scenario: Nobody reads

- **WHEN** nobody reads
- **THEN** nothing happens
"""

COMPANION = """mcpgen: 1
fixtures:
  titled: {environment: {TITLE: Bees}}
  stubbed: {upstream: [{method: GET, path: /books, body: {}}]}
scenarios:
  "Books are read":
    given: titled
    call: {tool: list_books}
    then:
      - {step: 2, assert: {is_error: false}}
      - {step: 3, assert: {path: "**.title", contains: Bees}}
      - {step: 4, assert: {upstream: {count: 1}}}
  "A book is missing":
    given: stubbed
    call: {tool: get_book, arguments: {book_id: z}}
    then:
      - {step: 2, assert: {is_error: true}}
"""


def scenarios(*words: str) -> Result:
    return CliRunner().invoke(app, ["scenarios", *words])


@pytest.fixture(autouse=True)
def run_in_forks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs pytest in forks, since loading pytest and the SDK takes longer than the scenarios."""

    def run(
        command: list[str], *, cwd: Path, env: Mapping[str, str], **_: Any
    ) -> subprocess.CompletedProcess[str]:
        assert command[1:3] == ["-m", "pytest"]
        more = {name: value for name, value in env.items() if "PYTEST" not in name}
        return own_tests(cwd, *command[3:], more=more)

    monkeypatch.setattr("mcpgen.openspec.report.run_scenarios.subprocess.run", run)


@pytest.fixture
def spec(tmp_path: Path) -> str:
    (tmp_path / "spec.md").write_text(TEXT, "utf-8")
    (tmp_path / "server.py").write_text(SERVER, "utf-8")
    return str(tmp_path / "spec.md")


@pytest.fixture
def command(tmp_path: Path) -> str:
    return f"{sys.executable} {tmp_path / 'server.py'}"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of one server for all tests, since the server keeps nothing between requests."""
    program = tmp_path_factory.mktemp("served") / "server.py"
    program.write_text(SERVER, "utf-8")
    port = free_port()
    words = [sys.executable, str(program), str(port)]
    with subprocess.Popen(words, stderr=subprocess.DEVNULL) as process:
        try:
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:
                with socket.socket() as probe:
                    if not probe.connect_ex(("127.0.0.1", port)):
                        break
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.terminate()


def keep_scenarios(spec: str, *titles: str) -> None:
    """Removes the other scenarios: over stdio each scenario starts a server."""
    head, *sections = Path(spec).read_text("utf-8").split("#### Scenario: ")
    names = [section for section in sections if section.split("\n", 1)[0] in titles]
    Path(spec).write_text("#### Scenario: ".join([head, *names]), "utf-8")


def statuses(result: Result) -> dict[str, str]:
    return {row["scenario"]: row["status"] for row in json.loads(result.stdout)["scenarios"]}


EXPECTED = {
    "Tools are listed": "passed",
    "Books are read": "partial",
    "A book is missing": "passed",
    "A false claim": "failed",
    "Nobody reads": "pending",
}


def test_scenarios_are_performed_over_stdio(spec: str, command: str) -> None:
    keep_scenarios(spec, "A false claim", "Nobody reads")

    result = scenarios(spec, "--against", command, "--format", "json")

    assert statuses(result) == {"A false claim": "failed", "Nobody reads": "pending"}
    assert result.exit_code == 1


def test_scenarios_are_performed_over_http(spec: str, url: str) -> None:
    result = scenarios(spec, "--against", url, "--format", "json")

    assert statuses(result) == EXPECTED
    rows = {row["scenario"]: row for row in json.loads(result.stdout)["scenarios"]}
    assert "author" in rows["A false claim"]["told"]
    assert rows["Books are read"]["told"] == "step 4"


def test_the_environment_of_a_fixture_reaches_a_command(spec: str, command: str) -> None:
    Path(spec).with_name("mcp.yaml").write_text(COMPANION, "utf-8")
    keep_scenarios(spec, "Books are read")

    result = scenarios(spec, "--against", command, "--format", "json")

    rows = {row["scenario"]: row for row in json.loads(result.stdout)["scenarios"]}
    assert (rows["Books are read"]["status"], rows["Books are read"]["bound"]) == ("partial", 3)
    assert rows["Books are read"]["told"].startswith("step 4 (requests to the upstream")


def test_a_fixture_with_an_upstream_needs_the_word_of_the_caller(spec: str, url: str) -> None:
    Path(spec).with_name("mcp.yaml").write_text(COMPANION, "utf-8")
    keep_scenarios(spec, "Books are read", "A book is missing")

    result_without_fixture = scenarios(spec, "--against", url, "--format", "json")
    result = scenarios(spec, "--against", url, "--given", "stubbed", "--format", "json")

    assert statuses(result_without_fixture)["A book is missing"] == "pending"
    assert "--given stubbed" in result_without_fixture.stdout
    assert statuses(result)["A book is missing"] == "passed"


API = """openapi: 3.0.3
info: {title: Shelf, version: "1"}
paths:
  /books: {get: {operationId: listBooks, responses: {"200": {description: Books.}}}}
"""


def test_a_request_of_the_api_calls_the_tool_of_its_operation(spec: str, command: str) -> None:
    path = Path(spec)
    text = path.read_text("utf-8").replace("a client calls `list_books`", "`GET /books` is called")
    path.write_text(text, "utf-8")
    keep_scenarios(spec, "Books are read")
    api = path.with_name("api.yaml")
    api.write_text(API, "utf-8")

    result = scenarios(spec, "--against", command, "--openapi", str(api), "--format", "json")

    (row,) = json.loads(result.stdout)["scenarios"]
    assert (row["status"], row["bound"]) == ("partial", 3)


def test_unbound_steps_are_skipped_in_junit(spec: str, url: str) -> None:
    result = scenarios(spec, "--against", url, "--format", "junit")

    suite = ElementTree.fromstring(result.stdout)
    counts = (suite.get("tests"), suite.get("failures"), suite.get("skipped"))
    assert counts == ("5", "1", "2")
    skipped_names = [case.get("name") for case in suite if case.find("skipped") is not None]
    assert skipped_names == ["Books are read", "Nobody reads"]


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("http://127.0.0.1:9/mcp", "127.0.0.1:9"),
        ("no-such-program --stdio", "no-such-program"),
        (f"{sys.executable} -c pass", "ended without an answer"),
        ("'", "No closing quotation"),
    ],
)
def test_an_unusable_server_is_told_with_exit_code_2(spec: str, target: str, reason: str) -> None:
    result = scenarios(spec, "--against", target)

    assert result.exit_code == 2
    assert reason in result.output.replace("\n", " ")


def test_a_server_without_answer_ends_after_the_time_limit(spec: str) -> None:
    command = f"{sys.executable} -c 'import time; time.sleep(60)'"

    result = scenarios(spec, "--against", command, "--timeout", "1")

    assert result.exit_code == 2
    assert "no answer within 1 s" in result.output.replace("\n", " ")


def test_a_secret_header_is_not_in_the_report(
    spec: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN_OF_THE_TEST", "sesame-sesame")

    result = scenarios(
        spec, "--against", f"{command} --token sesame-sesame", "--bearer-env", "TOKEN_OF_THE_TEST"
    )

    assert "sesame" not in result.output


def test_against_takes_requirements_only(tmp_path: Path, command: str) -> None:
    (tmp_path / "api.yaml").write_text("openapi: 3.1.0\n", "utf-8")

    result = scenarios(str(tmp_path / "api.yaml"), "--against", command)

    assert result.exit_code == 2


@pytest.mark.anyio
async def test_a_redirect_is_reported_with_the_address_of_the_server() -> None:
    from mcpgen.openspec.against.live_server import LiveResponse, LiveServer, ServerFailed

    async def exchange(_: Mapping[str, Any], __: Mapping[str, str]) -> LiveResponse:
        return LiveResponse("", 307, {"location": "http://shelf/mcp/"})

    with pytest.raises(
        ServerFailed, match=r"redirected \(307\); the server is at http://shelf/mcp/"
    ):
        await LiveServer(exchange).open()
