"""Text of documents and servers in the output: no terminal and no CI system interprets the text."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from mcpgen.cli.app import app
from mcpgen.cli.console import echo_report, inert
from mcpgen.conformance import TABLE, CheckOutcome, CheckStatus, Report, as_junit, as_sarif, as_text
from mcpgen.diagnostics import Diagnostic, Location, Severity
from mcpgen.diagnostics.codes import read as codes
from mcpgen.diagnostics.sarif import diagnostics_as_sarif as findings_as_sarif

HOSTILE = (
    "bad\n::stop-commands::x\n  ::error file=a.py::y\r##[add-mask]z\x1b]52;c;cHc=\x07\x9b31m\u202e"
)
"""Workflow commands, a clipboard sequence, a C1 control and a bidirectional override."""


def is_inert(text: str) -> bool:
    """True if no line is a CI command and no character is a control character."""
    lines = text.replace("\r", "\n").splitlines()
    commands = [line for line in lines if line.lstrip().startswith("::") or "##[" in line]
    return not commands and not any(sign in text for sign in "\x1b\x07\x9b\u202e\r")


def report() -> Report:
    """Returns a failed report with a server's text at every place."""
    check = TABLE["universal-tool-name"]
    outcomes = [
        CheckOutcome(check, CheckStatus.FAILED, HOSTILE, HOSTILE, f"{name}{HOSTILE}")
        for name in "ab"
    ]
    other_outcomes = [
        CheckOutcome(TABLE["universal-flat"], CheckStatus.FAILED, HOSTILE, HOSTILE),
        CheckOutcome(TABLE["universal-description"], CheckStatus.WARNING, HOSTILE, HOSTILE),
    ]
    return Report("http://127.0.0.1/mcp", (*outcomes, *other_outcomes), notes=(HOSTILE,))


def test_text_is_printed_without_what_a_terminal_or_a_ci_system_obeys() -> None:
    assert is_inert(inert(HOSTILE))
    assert inert("\x1b[31mred\x1b[0m a::b # [x]\n") == "\x1b[31mred\x1b[0m a::b # [x]\n"


@pytest.mark.parametrize("style", ["8", "5", "7", "30", "31;40", "38;5;0", ""])
def test_style_that_mcpgen_does_not_print_reaches_no_terminal(style: str) -> None:
    assert inert(f"\x1b[{style}mtext") == f"\ufffd[{style}mtext"


@pytest.mark.parametrize("space", ["\t", "\xa0", "\u2003", "\u3000", " \u202f "])
def test_white_space_before_a_command_of_github_does_not_hide_the_command(space: str) -> None:
    assert inert(f"a\n{space}::error::b\n\n::c") == f"a\n| {space}::error::b\n\n| ::c"


@pytest.mark.parametrize("words", [("--keep-going",), ("--check", "--keep-going"), ("-v",)])
def test_path_of_a_document_is_printed_inert_by_a_build(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MCPGEN_CACHE", str(tmp_path / "cache"))
    operation = {"operationId": "get_it", "responses": {"200": {"description": HOSTILE}}}
    odd_operation = {"parameters": [{"name": HOSTILE, "in": "nowhere"}], **operation}
    paths = {
        "/good": {"get": operation},
        f"/{HOSTILE}": {"get": odd_operation},
        "/{a}{a": {"get": odd_operation},
    }
    tree = {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": paths}
    (tmp_path / "api.json").write_text(json.dumps(tree))

    result = CliRunner().invoke(app, ["build", "api.json", "-o", "out", "--no-verify", *words])

    assert result.exit_code in (0, 1)
    assert is_inert(result.stdout)
    assert is_inert(result.stderr)


def test_report_of_a_server_has_no_line_of_the_server_at_its_beginning() -> None:
    text = as_text(report())

    assert is_inert(inert(text))
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())


def test_junit_and_sarif_carry_the_words_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    junit = as_junit(report())
    echo_report(json.dumps(as_sarif(report())), "sarif")
    sarif = capsys.readouterr().out

    texts = [failure.text or "" for failure in ElementTree.fromstring(junit).iter("failure")]
    assert is_inert(junit)
    assert any("::stop-commands::x" in text for text in texts)
    assert is_inert(sarif)
    assert "##[add-mask]" in json.dumps(json.loads(sarif))


def test_message_in_sarif_holds_no_link() -> None:
    link = "see [here](http://evil.example)"
    outcome = CheckOutcome(TABLE["universal-flat"], CheckStatus.FAILED, "flat", link)
    diagnostic = Diagnostic(codes.MISSING_FILE, Location("a.json"), link, "", Severity.ERROR)

    checks = json.dumps(as_sarif(Report("server", (outcome,))))
    findings = json.dumps(findings_as_sarif([diagnostic], lambda _: None, "mcpgen lint"))

    assert "[here]" not in checks
    assert "[here]" not in findings
