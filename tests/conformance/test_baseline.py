"""A baseline lets known findings pass, and only shrinks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from base_server import ConformingServer, serving
from report_fixtures import PING, SMALL, Sloppy

from mcpgen.conformance import CallableTools, CheckOptions, CheckOutcome, CheckStatus, Report, check
from mcpgen.conformance.baseline import (
    BaselineUnreadable,
    KnownFinding,
    apply_baseline,
    format_baseline,
    of,
    read_baseline,
    strangers,
)
from mcpgen.conformance.redaction import redact_report
from mcpgen.conformance.run_config import PassCriteria, apply_criteria

OPTIONS = CheckOptions(call=CallableTools.ALL, timeout=30)


def report_on(server: ConformingServer) -> Report:
    """The report on a test server."""
    with serving(server) as url:
        return check(url, OPTIONS)


def test_known_findings_pass() -> None:
    known_findings = of(report_on(Sloppy()))

    report = apply_baseline(report_on(Sloppy()), known_findings)

    assert known_findings
    assert not report.failed
    assert report.counts[CheckStatus.KNOWN] >= len(known_findings)


def test_unlisted_findings_fail() -> None:
    known_findings = of(report_on(Sloppy()))
    later = Sloppy()
    later.tools[0]["inputSchema"] = {}

    report = apply_baseline(report_on(later), known_findings)

    failed_checks = {o.check.id for o in report.outcomes if o.status is CheckStatus.FAILED}
    assert "input-schema-object" in failed_checks
    assert "ping-answers" not in failed_checks


def test_stale_entry_fails() -> None:
    known_findings = of(report_on(Sloppy()))

    report = apply_baseline(report_on(ConformingServer()), known_findings)

    outcomes = [o for o in report.outcomes if o.check.id == "baseline-shrinks"]
    assert report.failed
    assert {
        KnownFinding(o.expected.split("`")[1], o.revision, o.tool) for o in outcomes
    } == known_findings


def test_entry_of_an_omitted_check_is_ignored() -> None:
    known_findings = frozenset({KnownFinding("tool-name-legal", "", "getPet")})

    report = apply_baseline(Report("x", (CheckOutcome(PING, CheckStatus.PASSED),)), known_findings)

    assert not report.failed


def test_entries_are_not_stale_when_the_server_is_down() -> None:
    known_findings = of(report_on(Sloppy()))

    report = apply_baseline(check("http://127.0.0.1:9/mcp", OPTIONS), known_findings)

    assert "baseline-shrinks" not in {outcome.check.id for outcome in report.outcomes}
    assert report.failed


def test_baseline_round_trip() -> None:
    known_findings = {*of(SMALL), KnownFinding("ping-answers", "", 'a "tool"\n\u202e')}

    text = format_baseline(known_findings)

    assert read_baseline(text.encode()) == known_findings
    assert format_baseline(sorted(known_findings, reverse=True)) == text
    assert text.count("\n    {") == len(known_findings)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"version": 2, "known": []}',
        '{"version": 1, "known": {}}',
        '{"version": 1, "known": [{"check": "x"}]}',
        '{"version": 1, "known": [{"check": 1, "revision": "", "tool": ""}]}',
        '{"version": 1, "version": 1, "known": []}',
    ],
)
def test_file_that_is_not_a_baseline_is_refused(text: str) -> None:
    with pytest.raises(BaselineUnreadable):
        read_baseline(text.encode())


def test_unknown_check_ids_are_named() -> None:
    known_findings = {KnownFinding("ping-answers", "", ""), KnownFinding("ping-anwsers", "", "")}

    assert strangers(known_findings) == ["ping-anwsers"]


def test_strict_takes_warnings_for_failures_but_not_known_ones() -> None:
    only_warned = replace(SMALL, outcomes=SMALL.outcomes[1:2])

    strict = apply_criteria(only_warned, PassCriteria(strict=True))
    report = apply_criteria(only_warned, PassCriteria(strict=True, known=of(only_warned)))

    assert not only_warned.failed
    assert strict.failed
    assert not report.failed


SECRET = "s3cret/t+ken=="


@pytest.mark.parametrize(
    "text",
    [
        SECRET,
        f"bad token {SECRET}!",
        "s3cret%2Ft%2Bken%3D%3D",
        f"{'x' * 40}{SECRET[:9]}…",
    ],
)
def test_no_report_shows_a_secret(text: str) -> None:
    outcome = CheckOutcome(PING, CheckStatus.FAILED, text, text, text)
    tools = ({"name": text, "inputSchema": {"properties": {text: [text]}}},)

    report = redact_report(Report(text, (outcome,), (), (text,), 0.0, tools), [SECRET])

    assert SECRET[:6] not in str(report)
    assert "[redacted]" in report.target


def test_report_without_secrets_is_unchanged() -> None:
    assert redact_report(SMALL, ["", "abc"]) is SMALL
