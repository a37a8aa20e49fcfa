"""The command `mcpgen check`: targets, credentials, options, reports, exit codes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from base_server import ConformingServer, ReceivedRequest, Reply, serving
from report_fixtures import Mortal, Sloppy
from server_commands import PATHS, SERVE, ends, line
from tests.time_limits import ends_within
from typer.testing import CliRunner, Result

from mcpgen.cli.app import app
from mcpgen.cli.auth_options import (
    AuthOptions,
    OAuthOptions,
    resolve_credentials,
    resolve_header_options,
)


@pytest.fixture(autouse=True)
def cwd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, stdin: str = "") -> Result:
    """Runs `mcpgen check` with these arguments."""
    return CliRunner().invoke(app, ["check", *arguments], input=stdin)


def usage_error(result: Result) -> str:
    """The text of a usage error without line breaks."""
    return " ".join(result.stderr.split())


def program(folder: Path, make: str) -> str:
    """A command that serves a test server."""
    path = folder / "cli.py"
    path.write_text(SERVE.format(paths=PATHS, make=make))
    return line(path)


class Locked(ConformingServer):
    """A server that requires a token and echoes tokens in errors."""

    def guard(self, request: ReceivedRequest) -> Reply | None:
        """401 with the received credentials, unless the token is right."""
        authorization = request.headers.get("authorization", "")
        if authorization == "Bearer right-token":
            return super().guard(request)
        headers = {"Content-Type": "text/plain", "WWW-Authenticate": "Bearer"}
        return Reply(401, f"wrong: {authorization}".encode(), headers)


def test_a_server_behind_a_command_is_checked_and_stopped(cwd: Path) -> None:
    result = run("--run", program(cwd, "ConformingServer"), "--format", "json")

    tree = json.loads(result.stdout)
    port = int(re.search(r":(\d+)/mcp", tree["report"]["target"])[1])  # type: ignore[index]
    assert (result.exit_code, tree["status"]) == (0, "fit")
    assert tree["report"]["outcomes"][0]["id"] == "command-serves"
    assert ends(port)


def test_an_interrupted_check_stops_its_server(cwd: Path) -> None:
    command = [sys.executable, "-m", "mcpgen", "check", "--timeout", "30"]
    hangs = cwd / "hangs.py"
    hangs.write_text(
        "import os, socket, time\n"
        "s = socket.create_server(('127.0.0.1', int(os.environ['PORT'])))\n"
        "open('port', 'w').write(os.environ['PORT'])\n"
        "time.sleep(60)\n"
    )

    with subprocess.Popen([*command, "--run", line(hangs)], stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 120
        while not (text := _text(cwd / "port")) and time.monotonic() < deadline:
            time.sleep(0.3)
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        _, stderr = process.communicate(timeout=120)

    assert process.returncode == 2
    assert stderr == b"interrupted: unfinished changes are undone\n"
    assert ends(int(text))


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def test_token_from_the_environment_is_sent_to_the_server_only(
    cwd: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOD", "right-token")
    monkeypatch.setenv("WRONG", "wr0ng-token")
    kinds = ("text", "json", "junit", "sarif", "markdown", "html")
    reports = [part for kind in kinds for part in ("--report", f"{kind}=out.{kind}")]

    with serving(Locked()) as url:
        right = run(url, "--bearer-env", "GOOD")
        wrong_result = run(url, "--bearer-env", "WRONG", *reports)

    text = "".join((cwd / f"out.{kind}").read_text() for kind in kinds)
    assert right.exit_code == 0
    assert wrong_result.exit_code == 1
    assert "[redacted]" in wrong_result.stdout
    assert "wr0ng-token" not in wrong_result.output + text


class AcceptsOld(Locked):
    """A server that accepts an expired token."""

    def guard(self, request: ReceivedRequest) -> Reply | None:
        """Accepts the old token like the new one."""
        authorization = request.headers.get("authorization", "")
        headers = {
            **request.headers,
            "authorization": authorization.replace("old-token", "right-token"),
        }
        return super().guard(ReceivedRequest(request.method, headers, request.body, request.path))


def test_a_token_that_must_be_refused_comes_from_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GOOD", "right-token")
    monkeypatch.setenv("OLD", "old-token")
    options = ("--bearer-env", "GOOD", "--refused-token", "expired=OLD", "--only")

    with serving(AcceptsOld()) as url:
        result = run(url, *options, "auth-expired-401", "--profile", "security")

    assert result.exit_code == 1
    assert "HTTP 401 for the token called `expired`" in result.stdout
    assert "old-token" not in result.output


@pytest.mark.parametrize("token", ["expired", "=OLD", "expired=", "expired=NOWHERE"])
def test_malformed_refused_token_option_is_an_error(token: str) -> None:
    result = run("http://127.0.0.1:1/mcp", "--refused-token", token)

    assert result.exit_code == 2
    assert "--refused-token: " in usage_error(result)


def test_server_outside_the_trusted_domains_fails() -> None:
    options = ("--profile", "experience-workspace", "--only", "workspace-trusted-domain")

    with serving(ConformingServer()) as url:
        result_without_domains = run(url, *options)
        outside_result = run(url, *options, "--trusted-domain", "*.example.com,example.org")
        wrong_result = run(url, *options, "--trusted-domain", "https://example.com")

    assert (result_without_domains.exit_code, outside_result.exit_code, wrong_result.exit_code) == (
        0,
        1,
        2,
    )
    assert "a host name in *.example.com, example.org" in outside_result.stdout
    assert "`https://example.com` is no domain" in usage_error(wrong_result)


def test_pace_multiplies_the_time_limits_of_hosts() -> None:
    class TooSlowForPace(ConformingServer):
        """A server that is too slow for a host with a hundredth of its time limits."""

        def answer(self, request: ReceivedRequest) -> Reply:
            """An answer, late."""
            time.sleep(0.3)
            return super().answer(request)

    options = ("--profile", "experience-workspace", "--only", "workspace-opening-in-time")

    with serving(TooSlowForPace()) as url:
        fast_result = run(url, *options, "--pace", "0.01")
        slow_result = run(url, *options, "--pace", "100")

    assert (fast_result.exit_code, slow_result.exit_code) == (1, 0)


def test_secret_header_is_redacted_in_reports() -> None:
    with serving(Locked()) as url:
        result = run(url, "--header", "Authorization: Bearer wr0ng-token")

    assert "[redacted]" in result.stdout
    assert "wr0ng-token" not in result.output


def test_the_query_of_an_address_stands_in_no_report() -> None:
    with serving(ConformingServer()) as url:
        result = run(f"{url}?key=sesame")

    assert result.stdout.startswith(f"checked {url}?…\n")
    assert "sesame" not in result.output


def test_the_password_in_an_address_stands_in_no_report() -> None:
    with serving(ConformingServer()) as url:
        result = run(url.replace("//", "//bob:hunter%2B2@"), "--profile", "experience-workspace")

    assert result.stdout.startswith("checked http://…@127.0.0.1:")
    assert "no credentials in the address" in result.stdout
    assert "hunter" not in result.output


def test_invalid_header_option_is_not_echoed() -> None:
    result = run("http://127.0.0.1:9/mcp", "--header", "sk-very-secret", "--header", "a b: c")

    assert result.exit_code == 2
    assert "--header: a header has no colon" in usage_error(result)
    assert "the text before the colon is not the name of a header" in usage_error(result)
    assert "sk-very-secret" not in result.output


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        (("--header", "Bearer s3same:23"), "is not the name of a header"),
        (("--bearer-env", "s3same-token"), "give the name of a variable, not the value"),
        (("--refused-token", "s3same"), "a text is not WORD=VAR"),
        (("--refused-token", "expired=s3same"), "give the name of a variable, not the value"),
        (("--refused-token", "s3same=HOME", "--refused-token", "s3same=HOME"), "the same WORD"),
        (
            (
                *("--oauth-token-url", "http://me:s3same@login.example/token"),
                *("--oauth-client-id", "me", "--oauth-secret-env", "HOME"),
            ),
            "the URL is not https",
        ),
        (
            (
                *("--oauth-token-url", "https://login.example", "--oauth-client-id", "me"),
                *("--oauth-secret-env", "s3same"),
            ),
            "--oauth-secret-env: the environment has no variable of this name",
        ),
    ],
)
def test_a_secret_at_the_wrong_place_is_not_printed(option: tuple[str, ...], expected: str) -> None:
    result = run("http://127.0.0.1:9/mcp", *option)

    assert result.exit_code == 2
    assert expected in usage_error(result)
    assert "s3same" not in result.output


def test_a_client_secret_may_have_a_space_and_a_token_may_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SPACED", "open sesame")
    oauth = OAuthOptions("https://login.example/token", "me", "SPACED")
    problems: list[str] = []

    credentials = resolve_credentials(AuthOptions((), "", oauth), problems)
    resolve_credentials(AuthOptions((), "SPACED"), problems)

    assert credentials.client is not None
    assert credentials.client.secret == "open sesame"
    assert problems == [
        "--bearer-env: the value of SPACED has a space, a control character or a character outside "
        "of ASCII."
    ]


def test_resolved_credentials_show_no_secret() -> None:
    headers = ("Authorization: Bearer s3same", "X-Api-Key: s3same")

    credentials = resolve_header_options(headers, "")

    assert "s3same" not in repr(credentials)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--only", "host-tool-name"], "choose the profile of a host with --profile"),
        (["--only", "ping-answers,latency-list"], "choose `latency` with --profile"),
        (["--only", "deep-json-survived", "--profile", "security"], "it needs --active"),
        (["--only", "tool-result-shape", "--call", "none"], "--call none forbids"),
        (["--only", "ping-answers", "--skip", "ping-answers"], "--skip leaves it out"),
    ],
)
def test_requested_check_that_cannot_run_is_an_error(arguments: list[str], expected: str) -> None:
    result = run("http://127.0.0.1:9/mcp", *arguments)

    assert result.exit_code == 2
    assert expected in usage_error(result)


def test_saved_list_omits_checks_that_need_a_server(cwd: Path) -> None:
    (cwd / "tools.json").write_text("[]")

    result = run("tools.json", "--only", "ping-answers")

    assert result.exit_code == 2
    assert "`ping-answers` would not be made: it needs a running server" in usage_error(result)


def test_a_saved_list_is_checked_without_a_server(cwd: Path) -> None:
    (cwd / "tools.json").write_text(json.dumps({"tools": Sloppy().tools}))

    from_file = run("tools.json", "--format", "sarif", "--profile", "universal")
    from_input = run("-", "--profile", "universal", stdin=(cwd / "tools.json").read_text())

    (uri,) = {
        place["physicalLocation"]["artifactLocation"]["uri"]
        for result in json.loads(from_file.stdout)["runs"][0]["results"]
        for place in result["locations"]
    }
    assert uri == "tools.json"
    assert "universal-tool-name" in from_file.stdout
    assert from_input.stdout.startswith("checked standard input\n")


def test_all_mistakes_are_reported_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_SUCH_VARIABLE", raising=False)

    result = run(
        *("http://127.0.0.1:9/mcp", "--header", "novalue", "--bearer-env", "NO_SUCH_VARIABLE"),
        *("--oauth-client-id", "me", "--profile", "universl", "--only", "ping-answer"),
        *("--skip", "nope", "--baseline", "missing.json", "--report", "pdf=x", "--report", "html"),
    )

    assert result.exit_code == 2
    for part in (
        "--header: a header has no colon",
        "--bearer-env: the environment has no NO_SUCH_VARIABLE",
        "--oauth-token-url is missing",
        "there is no profile `universl`. Did you mean universal?",
        "--only: there is no check `ping-answer`. Did you mean ping-answers",
        "--skip: there is no check `nope`",
        "--baseline: missing.json: No such file",
        "there is no format `pdf`",
        "`html` is not FORMAT=FILE",
    ):
        assert part in usage_error(result)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "name a TARGET, or a command with --run"),
        (["nowhere"], "neither a URL"),
        (["tools.json", "--run", "python3"], "with --run, TARGET is the server's URL"),
        (["tools.json", "--call", "all"], "--call is for the URL of a server"),
        (["tools.json", "--timeout", "3"], "--timeout is for the URL of a server or a project's"),
        (["tools.json", "--bearer-env", "HOME"], "--bearer-env is for the URL of a server"),
        (["broken.json"], "broken.json is not a saved answer to tools/list"),
        (["http://x/mcp", "--oauth-scope", "a"], "--oauth-scope needs --oauth-token-url"),
        (["http://x/mcp", "--oauth-resource", "u"], "--oauth-resource needs --oauth-token-url"),
        (["--run", "no-such-command"], "there is no command `no-such-command`"),
        (
            ["http://x/mcp", "--header", "Authorization: x", "--bearer-env", "TOKEN"],
            "set the same header: choose one",
        ),
        (["tools.json", "--baseline", "a", "--write-baseline", "b"], "one reads, the other writes"),
        (["tools.json", "--baseline", "broken.json"], "broken.json is no baseline"),
        (["tools.json", "--report", "html=a", "--report", "json=a"], "two reports"),
    ],
)
def test_incompatible_options_are_refused(
    cwd: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], expected: str
) -> None:
    monkeypatch.setenv("TOKEN", "t0ken")
    (cwd / "tools.json").write_text('{"tools": []}')
    (cwd / "broken.json").write_text('{"tools"')

    result = run(*arguments)

    assert (result.exit_code, result.stdout) == (2, "")
    assert expected in usage_error(result)


def test_json_format_applies_to_errors() -> None:
    result = run("nowhere", "--format", "json")

    tree = json.loads(result.stdout)
    assert (result.exit_code, tree["exit_code"], tree["status"]) == (2, 2, "error")
    assert "nowhere is neither a URL" in tree["error"]


def test_failed_token_request_is_reported_without_the_secret(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CLIENT_SECRET", "sesame-open")

    result = run(
        *("http://127.0.0.1:9/mcp", "--oauth-token-url", "http://127.0.0.1:9/token"),
        *("--oauth-client-id", "me", "--oauth-secret-env", "CLIENT_SECRET"),
    )

    assert result.exit_code == 2
    assert "no token from http://127.0.0.1:9/token: connection refused" in usage_error(result)
    assert "sesame" not in result.output


def test_written_baseline_lets_the_next_run_pass(cwd: Path) -> None:
    with serving(Sloppy()) as url:
        before = run(url)
        write_result = run(url, "--write-baseline", "known.json")
        after = run(url, "--baseline", "known.json", "--strict")
    with serving(ConformingServer()) as url:
        mended_result = run(url, "--baseline", "known.json")

    assert [result.exit_code for result in (before, write_result, after, mended_result)] == [
        1,
        0,
        0,
        1,
    ]
    assert "known.json: " in write_result.stderr
    assert "baseline-shrinks" in mended_result.stdout


def test_no_baseline_is_written_for_an_unreachable_server(cwd: Path) -> None:
    result = run("http://127.0.0.1:9/mcp", "--write-baseline", "known.json")

    assert result.exit_code == 1
    assert not (cwd / "known.json").exists()


def test_strict_takes_warnings_for_failures() -> None:
    server = ConformingServer()
    server.tools[0]["annotations"] = {}

    with serving(server) as url:
        gentle = run(url, "--only", "universal-annotations", "--profile", "universal")
        strict = run(url, "--only", "universal-annotations", "--profile", "universal", "--strict")

    assert (gentle.exit_code, strict.exit_code) == (0, 1)


def test_words_of_an_option_may_stand_together_or_apart() -> None:
    with serving(ConformingServer()) as url:
        joint_result = run(url, "--only", "ping-answers,speaks-mcp", "--format", "json")
        separate_result = run(
            url, "--only", "ping-answers", "--only", "speaks-mcp", "--format", "json"
        )

    ids = [
        {outcome["id"] for outcome in json.loads(result.stdout)["report"]["outcomes"]}
        for result in (joint_result, separate_result)
    ]
    assert ids == [{"ping-answers", "speaks-mcp"}] * 2


def test_a_run_ends_at_its_deadline() -> None:
    class SlowAnswers(ConformingServer):
        """A server with slow answers."""

        def answer(self, request: ReceivedRequest) -> Reply:
            """An answer, late."""
            time.sleep(0.4)
            return super().answer(request)

    with serving(SlowAnswers()) as url, ends_within(60):
        result = run(url, "--deadline", "2")

    assert result.exit_code == 1
    assert "the time allowed for all checks was over" in result.stdout


def test_reports_are_written_beside_the_text(cwd: Path) -> None:
    reports = ("html=out/page.html", "sarif=out/log.sarif", "junit=j.xml", "markdown=m.md")

    with serving(Sloppy()) as url:
        result = run(url, *(part for report in reports for part in ("--report", report)))

    assert result.stdout.startswith("checked http://127.0.0.1:")
    assert (cwd / "out/page.html").read_text().startswith("<!DOCTYPE html>")
    assert json.loads((cwd / "out/log.sarif").read_text())["version"] == "2.1.0"
    assert ElementTree.fromstring((cwd / "j.xml").read_text()).tag == "testsuite"
    assert (cwd / "m.md").read_text().startswith("## ❌ MCP conformance of ")


def test_unwritable_report_is_a_one_line_error(cwd: Path) -> None:
    (cwd / "file").write_text("")

    with serving(ConformingServer()) as url:
        result = run(url, "--report", "html=file/page.html")

    assert result.exit_code == 2
    assert re.fullmatch(r"error: file(/page.html)?: .+\n", result.stderr)


def test_the_help_of_the_command_loads_no_check() -> None:
    code = (
        "import sys\n"
        "from mcpgen.cli.app import app\n"
        "try:\n    app(['check', '--help'])\nexcept SystemExit:\n    pass\n"
        "print([name for name in sys.modules if name.startswith('mcpgen.conformance')],"
        " file=sys.stderr)\n"
    )

    completed = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "100"},
    )

    assert completed.stderr == "[]\n"


def test_check_of_a_server_loads_no_stage_of_a_build(cwd: Path) -> None:
    (cwd / "tools.json").write_text('{"tools": []}', "utf-8")
    code = (
        "import sys\n"
        "from mcpgen.cli.app import app\n"
        "try:\n    app(['check', 'tools.json'])\nexcept SystemExit:\n    pass\n"
        "print(*sys.modules, sep='\\n', file=sys.stderr)\n"
    )

    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=cwd, check=True
    )

    stages = ("emit", "lower", "parse", "read", "write", "ir", "openspec", "lint", "smoke_test")
    heavy = {f"mcpgen.{stage}" for stage in stages} | {"jinja2", "black", "yaml", "mcp", "pydantic"}
    modules = set(completed.stderr.split())
    assert "mcpgen.conformance.checks" in modules
    assert not modules & heavy


def test_server_that_ends_during_the_checks_is_reported_with_its_last_lines(cwd: Path) -> None:
    result = run("--run", program(cwd, Mortal.__name__), "--timeout", "2")

    assert result.exit_code == 1
    assert "failed: command-serves (OWN)" in result.stdout
    assert "    saw: the command ended with code 7" in result.stdout
    assert "      | cannot ping" in result.stdout
