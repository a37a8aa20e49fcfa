"""A report reads well in a terminal and parses as JSON and as JUnit XML."""

from __future__ import annotations

import json
from xml.etree import ElementTree

from mcpgen.conformance import (
    TABLE,
    Outcome,
    Report,
    Status,
    as_json,
    as_junit,
    as_text,
    explain,
)

PING = TABLE["ping-answers"]
NAME = TABLE["universal-tool-name"]
REPORT = Report(
    "http://127.0.0.1:1/mcp",
    (
        Outcome(PING, Status.PASSED, revision="2025-06-18"),
        Outcome(NAME, Status.WARNING, "a short name", "getPet", "getPet"),
        Outcome(PING, Status.FAILED, "an answer", "HTTP 500 \x1b[31m", "", "2025-03-26"),
        Outcome(PING, Status.FAILED, "an answer", "HTTP 500", "", "2025-11-25"),
        Outcome(PING, Status.NOT_APPLICABLE, revision="2024-11-05"),
    ),
    ("2025-03-26", "2025-06-18"),
    ("2 of 3 tools were not called",),
    1.25,
)


def test_text_tells_failures_first_and_ends_with_the_summary() -> None:
    lines = as_text(REPORT).splitlines()

    assert lines[1] == "failed: ping-answers (MUST)"
    assert "  more: mcpgen explain ping-answers" in lines
    assert "  - expected [2025-03-26, 2025-11-25]: an answer" in lines
    assert "  - expected getPet: a short name" in lines
    assert lines.index("warning: universal-tool-name (HOST)") > 1
    assert "note: 2 of 3 tools were not called" in lines
    assert lines[-1].startswith("FAILED: 1 passed, 2 failed, 1 warnings, 1 not applicable in 1.2")


def test_text_tells_one_reason_for_many_checks_once() -> None:
    checks = list(TABLE.values())[:5]
    outcomes = tuple(Outcome(check, Status.FAILED, "an answer", "nobody") for check in checks)

    lines = as_text(Report("http://127.0.0.1:1/mcp", outcomes)).splitlines()

    ids = ", ".join(check.id for check in checks)
    assert lines[1:4] == [
        f"failed: 5 checks for one reason: {ids}",
        "  - expected: an answer",
        "    saw: nobody",
    ]


def test_verbose_text_has_a_line_for_what_passed() -> None:
    assert "passed: ping-answers [2025-06-18]" in as_text(REPORT, verbose=True).splitlines()


def test_json_has_every_outcome_and_survives_a_round_trip() -> None:
    found = json.loads(json.dumps(as_json(REPORT)))

    assert found["failed"] is True
    assert found["counts"] == {"passed": 1, "failed": 2, "warning": 1, "not applicable": 1}
    assert [o["id"] for o in found["outcomes"]] == [o.check.id for o in REPORT.outcomes]
    assert found["outcomes"][1]["tool"] == "getPet"


def test_junit_is_well_formed_even_with_control_characters() -> None:
    suite = ElementTree.fromstring(as_junit(REPORT))

    assert suite.attrib["tests"] == "5"
    assert suite.attrib["failures"] == "2"
    assert len(suite.findall("testcase/failure")) == 2
    assert len(suite.findall("testcase/skipped")) == 1


def test_report_without_outcomes_has_failed() -> None:
    assert Report("http://x/", ()).failed


def test_every_check_is_explained() -> None:
    for id, check in TABLE.items():
        text = explain(id)

        assert text is not None
        assert text.startswith(f"{id} ({check.level}, {check.profile})")
        assert all(part in text for part in (check.sentence, check.explanation, check.fix))
        assert check.url.startswith("https://")


def test_unknown_check_is_not_explained() -> None:
    assert explain("no-such-check") is None
