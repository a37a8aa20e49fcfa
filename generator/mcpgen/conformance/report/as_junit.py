"""A report as JUnit XML, the format CI systems show."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from mcpgen.conformance.exchange import mark_invisible
from mcpgen.conformance.model import CheckOutcome, CheckStatus, Report
from mcpgen.conformance.report.grouping import profiles_of, worst

ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow."""

COMMAND = re.compile(r"(?m)(?<=^):(?=:)|#(?=#(?:\[|vso\[))")
"""The first character of a workflow command (`::`, `##[`), which CI systems would execute from a
log.
"""

Case = tuple[str, str, str]
"""Check id, tool and revision of a test case."""


def as_junit(report: Report) -> str:
    """A JUnit XML test suite with one test case for each check, tool and revision.

    Warnings pass with a text in `system-out`; known violations are skipped; blocked checks are
    errors.
    """
    cases: dict[Case, list[CheckOutcome]] = {}
    for outcome in report.outcomes:
        cases.setdefault((outcome.check.id, outcome.tool, outcome.revision), []).append(outcome)
    statuses = [worst(outcome.status for outcome in outcomes) for outcomes in cases.values()]
    suite = ElementTree.Element(
        "testsuite",
        name=legal(f"mcpgen check {report.target}"),
        tests=str(len(cases)),
        failures=str(statuses.count(CheckStatus.FAILED)),
        errors=str(statuses.count(CheckStatus.BLOCKED)),
        skipped=str(statuses.count(CheckStatus.NOT_APPLICABLE) + statuses.count(CheckStatus.KNOWN)),
        time=f"{report.seconds:.3f}",
    )
    for outcomes, status in zip(cases.values(), statuses, strict=True):
        _case(suite, [outcome for outcome in outcomes if outcome.status is status], status)
    ElementTree.indent(suite)
    text = ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"
    return COMMAND.sub(lambda match: f"&#{ord(match[0])};", text)


def _case(suite: ElementTree.Element, outcomes: list[CheckOutcome], status: CheckStatus) -> None:
    first, check = outcomes[0], outcomes[0].check
    about = ", ".join(part for part in (first.tool, first.revision) if part)
    name = legal(f"{check.id} [{about}]" if about else check.id)
    classname = f"mcpgen.{profiles_of(first)[0]}"
    case = ElementTree.SubElement(suite, "testcase", classname=classname, name=name, time="0")
    findings = [f"expected: {outcome.expected}\nsaw: {outcome.saw}" for outcome in outcomes]
    text = "\n".join([*findings, f"{check.clause}: {check.url}"])
    if status is CheckStatus.FAILED:
        failure = ElementTree.SubElement(
            case, "failure", message=check.sentence, type=check.level.value
        )
        failure.text = legal(text)
    elif status is CheckStatus.BLOCKED:
        message = f"blocked by {first.blocked_by}"
        ElementTree.SubElement(case, "error", message=message, type="blocked").text = legal(text)
    elif status is CheckStatus.NOT_APPLICABLE:
        ElementTree.SubElement(case, "skipped", message="the server never declared it")
    elif status is CheckStatus.KNOWN:
        ElementTree.SubElement(case, "skipped", message="known: the baseline lists it")
    elif status is CheckStatus.WARNING:
        ElementTree.SubElement(case, "system-out").text = legal(f"{check.sentence}\n{text}")


def legal(text: str) -> str:
    """Returns a text without characters that XML forbids or CI systems execute."""
    lines = (line.lstrip() if line.lstrip().startswith("::") else line for line in text.split("\n"))
    return ILLEGAL.sub("�", mark_invisible("\n".join(lines).replace("\r", " ")))
