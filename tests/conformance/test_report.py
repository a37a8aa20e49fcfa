"""A report reads well in a terminal, and parses as JSON and as JUnit XML."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from report_fixtures import NAME, PING, SMALL, hostile_report

from mcpgen.conformance import (
    TABLE,
    CheckOutcome,
    CheckStatus,
    Report,
    as_html,
    as_json,
    as_junit,
    as_markdown,
    as_text,
    report_schema,
)
from mcpgen.conformance.schemas import schema_problem, value_problem

SUITE = ("name", "tests", "failures", "errors", "skipped", "time")
CASE = ("name", "classname", "time")
OUTCOMES = {"failure", "skipped", "system-out"}
"""Allowed children of a test case and their required attributes, by the schemas of Jenkins and
Surefire.
"""


def test_text_shows_failures_first_and_the_summary_last() -> None:
    lines = as_text(SMALL).splitlines()

    assert lines[1] == "failed: ping-answers (MUST)"
    assert "  more: mcpgen explain ping-answers" in lines
    assert "  - expected [2025-03-26, 2025-11-25]: an answer" in lines
    assert "  - expected getPet: a short name" in lines
    assert lines.index("warning: universal-tool-name (HOST)") > 1
    assert "note: 2 of 3 tools were not called" in lines
    assert lines[-1].startswith(
        "FAILED: 0 passed, 1 failed, 1 warned, 1 known, 0 not applicable in 1.2"
    )


def test_text_has_a_line_for_each_profile() -> None:
    lines = as_text(SMALL).splitlines()

    assert lines[-3:-1] == ["profile protocol: 1 failed", "profile universal: 1 warned, 1 known"]


def test_text_shows_a_common_cause_once() -> None:
    checks = list(TABLE.values())[:5]
    outcomes = tuple(
        CheckOutcome(check, CheckStatus.FAILED, "an answer", "nobody") for check in checks
    )

    lines = as_text(Report("http://127.0.0.1:1/mcp", outcomes)).splitlines()

    ids = ", ".join(check.id for check in checks)
    assert lines[1:4] == [
        f"failed: 5 checks for one reason: {ids}",
        "  - expected: an answer",
        "    saw: nobody",
    ]


def test_text_names_only_some_of_very_many_checks() -> None:
    checks = list(TABLE.values())[:50]
    outcomes = tuple(
        CheckOutcome(check, CheckStatus.FAILED, "an answer", "nobody") for check in checks
    )

    text = as_text(Report("http://127.0.0.1:1/mcp", outcomes))

    assert "failed: 50 checks for one reason: " in text
    assert f"{checks[5].id} and 44 more\n" in text
    assert checks[6].id not in text


def test_text_shows_one_expectation_for_many_tools_once() -> None:
    outcomes = tuple(
        CheckOutcome(
            NAME, CheckStatus.FAILED, "a short name", f"{number} characters", f"tool{number}"
        )
        for number in range(20)
    )
    outcome = CheckOutcome(NAME, CheckStatus.FAILED, "a short name", "280 more of this kind")

    lines = as_text(Report("x", (*outcomes, outcome))).splitlines()

    assert lines[5:9] == [
        "  - expected: a short name",
        "    tool0: 0 characters",
        "    tool1: 1 characters",
        "    tool2: 2 characters",
    ]
    assert lines[9].startswith("    and of tool3, tool4,")
    assert lines[10] == "    and 280 more of this kind"


def test_text_shows_an_equal_observation_once() -> None:
    outcomes = [
        CheckOutcome(NAME, CheckStatus.FAILED, "a title", "none", name) for name in ("a", "b")
    ]

    lines = as_text(Report("x", tuple(outcomes))).splitlines()

    assert lines[5:8] == ["  - expected: a title", "    saw: none", "    of a, b"]


def test_facts_with_two_sources_name_their_own_source() -> None:
    first, second = (replace(NAME, clause=host, url=f"http://{host}/") for host in ("one", "two"))
    report = Report(
        "x",
        (
            CheckOutcome(first, CheckStatus.FAILED, "40", "50"),
            CheckOutcome(second, CheckStatus.FAILED, "30", "50"),
        ),
    )

    for text in (as_text(report), as_markdown(report), as_html(report)):
        assert "http://one/" in text
        assert "http://two/" in text


def test_text_indents_what_was_seen_on_several_lines() -> None:
    outcome = CheckOutcome(PING, CheckStatus.FAILED, "a server", "it ended\nTraceback\n  File")

    lines = as_text(Report("x", (outcome,))).splitlines()

    assert lines[6:9] == ["    saw: it ended", "      | Traceback", "      |   File"]


def test_text_contains_no_terminal_or_ci_commands() -> None:
    outcome = CheckOutcome(
        PING, CheckStatus.FAILED, "x\x1b]0;owned\x07", "a\r\n::stop-commands::x\u202e"
    )

    text = as_text(Report("x", (outcome,), notes=("\x1b[2J",)))

    assert not {"\x1b", "\x07", "\r", "\u202e"} & set(text)
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())


def test_text_is_colored_on_request() -> None:
    text = as_text(SMALL, paint=lambda text, status: f"<{status}>{text}</>")

    assert "<failed>failed</>: ping-answers (MUST)" in text
    assert "\n<failed>FAILED</>: " in text


def test_verbose_text_has_a_line_for_passed_checks() -> None:
    assert "passed: ping-answers [2025-06-18]" in as_text(SMALL, verbose=True).splitlines()


def test_json_has_every_outcome_and_survives_a_round_trip() -> None:
    content = json.loads(json.dumps(as_json(SMALL)))

    assert content["failed"] is True
    assert content["counts"] == {
        "passed": 1,
        "failed": 2,
        "warning": 1,
        "known": 1,
        "blocked": 0,
        "not applicable": 1,
    }
    assert [o["id"] for o in content["outcomes"]] == [o.check.id for o in SMALL.outcomes]
    assert content["outcomes"][1]["tool"] == "getPet"
    assert content["tools"][0]["name"] == "getPet"
    assert content["tools"][0]["tokens"] * 4 >= content["tools"][0]["bytes"]
    assert content["measurements"][0]["buckets"][-1] == {"below": None, "count": 0}


@pytest.mark.parametrize("report", [SMALL, hostile_report(), Report("x", ())])
def test_json_has_the_shape_of_its_schema(report: Report) -> None:
    content = json.loads(json.dumps(as_json(report)))

    assert schema_problem(report_schema()) == ""
    assert value_problem(report_schema(), content) == ""


def test_the_schema_of_the_json_names_every_member() -> None:
    properties = report_schema()["properties"]

    assert list(properties) == list(as_json(SMALL))
    assert list(properties["outcomes"]["items"]["properties"]) == list(
        as_json(SMALL)["outcomes"][0]
    )


@pytest.mark.parametrize("report", [SMALL, hostile_report()])
def test_junit_has_the_structure_that_ci_systems_read(report: Report) -> None:
    suite = ElementTree.fromstring(as_junit(report))

    cases = suite.findall("testcase")
    assert suite.tag == "testsuite"
    assert set(suite.attrib) == set(SUITE)
    assert all(set(case.attrib) == set(CASE) for case in cases)
    assert all({child.tag for child in case} <= OUTCOMES for case in cases)
    assert {child.tag for child in suite} == {"testcase"}
    assert int(suite.attrib["tests"]) == len(cases)
    assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure"))
    assert int(suite.attrib["skipped"]) == len(suite.findall("testcase/skipped"))


def test_junit_names_each_test_case_once() -> None:
    twice = CheckOutcome(PING, CheckStatus.FAILED, "another answer", "HTTP 502", "", "2025-03-26")

    suite = ElementTree.fromstring(as_junit(replace(SMALL, outcomes=(*SMALL.outcomes, twice))))

    names = [case.attrib["name"] for case in suite.findall("testcase")]
    failure = suite.find("testcase[@name='ping-answers [2025-03-26]']/failure")
    assert len(names) == len(set(names)) == 6
    assert failure is not None
    assert failure.text is not None
    assert failure.text.count("saw:") == 2


def test_report_without_outcomes_has_failed() -> None:
    assert Report("http://x/", ()).failed
