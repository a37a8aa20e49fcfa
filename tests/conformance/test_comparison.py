"""`--compare`, `--badge` and `--sarif-artifact`: the difference of two runs, a badge, the file of findings."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from report_fixtures import HOSTILE, NAME, PING, SMALL, Sloppy, hostile_report
from test_check_command import program, run, usage_error

from mcpgen.conformance import (
    CheckOutcome,
    CheckStatus,
    EarlierReport,
    Report,
    ReportUnreadable,
    as_badge,
    as_html,
    as_json,
    as_markdown,
    as_text,
    compare_reports,
    read_earlier_report,
    report_schema,
)
from mcpgen.conformance.model import StatusChange
from mcpgen.conformance.schemas import value_problem

LATE = "2025-11-25"


@pytest.fixture(autouse=True)
def cwd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def earlier(report: Report) -> EarlierReport:
    """The report after a round trip through JSON."""
    return read_earlier_report(json.dumps(as_json(report)).encode(), "old.json")


def with_status(status: CheckStatus, tool: str = "") -> Report:
    """A report with a single outcome of `ping-answers` in 2025-11-25."""
    return Report("server", (CheckOutcome(PING, status, revision=LATE, tool=tool),))


def test_report_compared_with_itself_has_no_change() -> None:
    comparison = compare_reports(SMALL, earlier(SMALL))

    assert not any((comparison.worse, comparison.better, comparison.added, comparison.omitted))


@pytest.mark.parametrize("report", [SMALL, hostile_report()], ids=["small", "hostile"])
def test_output_of_the_command_is_read_like_the_report(report: Report) -> None:
    text = json.dumps({"version": 1, "report": as_json(report)}).encode()

    assert read_earlier_report(text, "old.json") == earlier(report)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (CheckStatus.PASSED, CheckStatus.WARNING),
        (CheckStatus.PASSED, CheckStatus.BLOCKED),
        (CheckStatus.WARNING, CheckStatus.FAILED),
        (CheckStatus.NOT_APPLICABLE, CheckStatus.FAILED),
        (CheckStatus.BLOCKED, CheckStatus.FAILED),
    ],
)
def test_status_that_became_worse_is_reported_and_better_the_other_way(
    before: CheckStatus, after: CheckStatus
) -> None:
    comparison = compare_reports(with_status(after), earlier(with_status(before)))
    reverse = compare_reports(with_status(before), earlier(with_status(after)))

    assert comparison.worse == (StatusChange(PING.id, LATE, "", before, after),)
    assert not comparison.better
    if before is not CheckStatus.NOT_APPLICABLE:
        assert reverse.better == (StatusChange(PING.id, LATE, "", after, before),)


def test_violation_about_another_tool_is_worse_for_one_tool_and_better_for_the_other() -> None:
    old, new = with_status(CheckStatus.FAILED, "a"), with_status(CheckStatus.FAILED, "b")

    comparison = compare_reports(new, earlier(old))

    assert [change.tool for change in comparison.worse] == ["b"]
    assert [change.tool for change in comparison.better] == ["a"]


def test_tool_among_the_counted_violations_of_the_earlier_report_is_no_change() -> None:
    old = replace(
        with_status(CheckStatus.FAILED, "a"),
        outcomes=(
            *with_status(CheckStatus.FAILED, "a").outcomes,
            *with_status(CheckStatus.FAILED).outcomes,
        ),
    )

    comparison = compare_reports(with_status(CheckStatus.FAILED, "b"), earlier(old))

    assert not comparison.worse


def test_checks_of_one_run_alone_are_named_and_not_worse() -> None:
    old = with_status(CheckStatus.PASSED)
    new = Report("server", (CheckOutcome(NAME, CheckStatus.FAILED),))

    comparison = compare_reports(new, earlier(old))

    assert not comparison.worse
    assert (comparison.added, comparison.omitted) == ((NAME.id,), (PING.id,))


def test_check_that_is_no_longer_applicable_is_named() -> None:
    new = with_status(CheckStatus.NOT_APPLICABLE)

    comparison = compare_reports(new, earlier(with_status(CheckStatus.PASSED)))

    assert comparison.omitted == (PING.id,)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"{", "JSON"),
        (b"[]", "no list `outcomes`"),
        (b'{"outcomes": [1]}', "no `id`, `revision` and `tool`"),
        (
            b'{"outcomes": [{"id": "a", "revision": "", "tool": "", "status": "great"}]}',
            "has the status 'great'",
        ),
        (
            b'{"outcomes": [{"id": "a", "revision": "", "tool": "", "status": []}]}',
            r"has the status \[\]",
        ),
    ],
)
def test_file_that_is_no_report_is_refused_with_the_reason(text: bytes, reason: str) -> None:
    with pytest.raises(ReportUnreadable, match=reason):
        read_earlier_report(text, "old.json")


def test_every_format_shows_the_changes() -> None:
    comparison = compare_reports(
        with_status(CheckStatus.FAILED), earlier(with_status(CheckStatus.PASSED))
    )
    report = replace(with_status(CheckStatus.FAILED), comparison=comparison)

    text, page = as_text(report), as_html(report)

    assert "compared with old.json: 1 worse, 0 better\n" in text
    assert "  worse: ping-answers [2025-11-25]: passed → failed\n" in text
    assert "1 worse, 0 better since <code>old.json</code>" in page
    assert '<section id="changes">' in page
    assert "| ` ping-answers ` |" in as_markdown(report) or "| `ping-answers` |" in as_markdown(
        report
    )
    assert not value_problem(report_schema(), as_json(report))


def test_hostile_names_of_tools_are_escaped_in_the_changes() -> None:
    changes = tuple(
        StatusChange(PING.id, "", text, CheckStatus.PASSED, CheckStatus.FAILED) for text in HOSTILE
    )
    comparison = compare_reports(SMALL, earlier(SMALL))
    report = replace(SMALL, comparison=replace(comparison, worse=changes))

    assert "<script>document" not in as_html(report)
    assert "\x1b" not in as_text(report)


def test_run_fails_only_if_a_check_became_worse(cwd: Path) -> None:
    command = program(cwd, Sloppy.__name__)
    first = run("--run", command, "--report", "json=old.json")

    unchanged_result = run("--run", command, "--compare", "old.json")
    report = json.loads((cwd / "old.json").read_text("utf-8"))["report"]
    for outcome in report["outcomes"]:
        if outcome["id"] == "ping-answers" and outcome["status"] == "failed":
            outcome["status"] = "passed"
    (cwd / "better.json").write_text(json.dumps(report), "utf-8")
    worse_result = run("--run", command, "--compare", "better.json")

    assert (first.exit_code, unchanged_result.exit_code, worse_result.exit_code) == (1, 0, 1)
    assert "compared with old.json: 0 worse, 0 better" in unchanged_result.stdout
    assert "worse: ping-answers" in worse_result.stdout


def test_comparison_refuses_a_baseline_and_a_file_that_is_no_report(cwd: Path) -> None:
    (cwd / "old.json").write_text("[]", "utf-8")

    result = run("http://127.0.0.1:9/mcp", "--compare", "old.json", "--write-baseline", "b.json")

    assert result.exit_code == 2
    assert "choose --compare or a baseline" in usage_error(result)
    assert "old.json is no JSON report of mcpgen check" in usage_error(result)


@pytest.mark.parametrize(
    ("report", "words"),
    [
        (SMALL, "1 failed"),
        (replace(SMALL, outcomes=SMALL.outcomes[:1]), "2025-11-25"),
        (replace(SMALL, outcomes=SMALL.outcomes[:2]), "2025-11-25, 1 warning"),
        (Report("server", ()), "failed"),
        (
            replace(with_status(CheckStatus.KNOWN), revisions=(LATE,)),
            "2025-11-25, 1 known failure",
        ),
        (
            replace(
                SMALL, outcomes=(*SMALL.outcomes[:2], *with_status(CheckStatus.KNOWN).outcomes)
            ),
            "2025-11-25, 1 known failure, 1 warning",
        ),
    ],
)
def test_badge_shows_the_verdict_and_has_no_external_resource(report: Report, words: str) -> None:
    text = as_badge(report)

    tree = ElementTree.fromstring(text)
    assert tree.attrib["aria-label"] == f"MCP: {words}"
    assert "href" not in text
    assert "url(" not in text


def test_badge_is_written_beside_the_report(cwd: Path) -> None:
    (cwd / "tools.json").write_text('{"tools": []}', "utf-8")

    result = run("tools.json", "--badge", "out/badge.svg")

    assert result.exit_code == 0
    assert (cwd / "out" / "badge.svg").read_text("utf-8").startswith("<svg ")


def test_sarif_findings_are_in_the_named_file_of_the_repository(cwd: Path) -> None:
    (cwd / "src").mkdir()
    (cwd / "src" / "server.py").write_text("", "utf-8")
    (cwd / "tools.json").write_text('{"tools": [{"name": "a"}]}', "utf-8")

    run("tools.json", "--report", "sarif=out.sarif", "--sarif-artifact", str(cwd / "src/server.py"))

    log = json.loads((cwd / "out.sarif").read_text("utf-8"))
    uris = {
        location["physicalLocation"]["artifactLocation"]["uri"]
        for result in log["runs"][0]["results"]
        for location in result["locations"]
    }
    assert uris == {"src/server.py"}


def test_sarif_artifact_outside_of_the_folder_is_refused(cwd: Path) -> None:
    (cwd / "tools.json").write_text('{"tools": []}', "utf-8")

    for path in ("missing.py", "/etc/hostname"):
        result = run("tools.json", "--sarif-artifact", path)

        assert result.exit_code == 2
        assert f"--sarif-artifact: {path} is no file below the current folder." in usage_error(
            result
        )
