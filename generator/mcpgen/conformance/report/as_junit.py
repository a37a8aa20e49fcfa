"""A report as JUnit XML, the format CI systems show."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from mcpgen.conformance.model import Outcome, Report, Status

ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot carry."""


def as_junit(report: Report) -> str:
    """One test suite with one test case per outcome; warnings pass and are told in `system-out`."""
    counts = report.counts
    suite = ElementTree.Element(
        "testsuite",
        name=_legal(f"mcpgen check {report.target}"),
        tests=str(len(report.outcomes)),
        failures=str(counts[Status.FAILED]),
        errors="0",
        skipped=str(counts[Status.NOT_APPLICABLE]),
        time=f"{report.seconds:.3f}",
    )
    for outcome in report.outcomes:
        _case(suite, outcome)
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _case(suite: ElementTree.Element, outcome: Outcome) -> None:
    check = outcome.check
    about = ", ".join(part for part in (outcome.tool, outcome.revision) if part)
    name = _legal(f"{check.id} [{about}]" if about else check.id)
    case = ElementTree.SubElement(suite, "testcase", classname=f"mcpgen.{check.profile}", name=name)
    told = f"expected: {outcome.expected}\nsaw: {outcome.saw}\n{check.clause}: {check.url}"
    if outcome.status is Status.FAILED:
        failure = ElementTree.SubElement(
            case, "failure", message=check.sentence, type=check.level.value
        )
        failure.text = _legal(told)
    elif outcome.status is Status.NOT_APPLICABLE:
        ElementTree.SubElement(case, "skipped", message="the server never declared it")
    elif outcome.status is Status.WARNING:
        ElementTree.SubElement(case, "system-out").text = _legal(f"{check.sentence}\n{told}")


def _legal(text: str) -> str:
    return ILLEGAL.sub("�", text)
