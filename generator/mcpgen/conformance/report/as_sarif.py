"""A report as SARIF 2.1.0, which code hosts show beside the code.

Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

from collections import Counter

from mcpgen.conformance.checks.texts import TEXTS
from mcpgen.conformance.exchange import mark_invisible
from mcpgen.conformance.model import Check, CheckStatus, Level, Report
from mcpgen.conformance.report.grouping import (
    VIOLATION_STATUSES,
    CheckSummary,
    Violation,
    blocked_checks,
    check_summaries,
    profiles_of,
)
from mcpgen.conformance.strict_json import Json
from mcpgen.sarif import (
    sarif_fingerprint,
    sarif_location,
    sarif_log,
    sarif_message,
    sarif_rule_name,
)

NOWHERE = "mcp-server"
"""The file of a finding about a server: there is none, but code hosts refuse a finding without."""

LEVELS = {CheckStatus.FAILED: "error", CheckStatus.WARNING: "warning", CheckStatus.KNOWN: "note"}
BINDING = {Level.MUST: "error", Level.OWN: "error", Level.SHOULD: "warning", Level.HOST: "warning"}


def as_sarif(report: Report, place: str = "") -> dict[str, Json]:
    """The violations of a report as a SARIF log with one run; `place` is the path of the file they
    are about, with slashes, if there is one.

    A violation in several revisions is one result. Its fingerprint stays the same while the check
    fails for the same tool, whatever the server says. What a baseline lists is suppressed.
    """
    summaries = check_summaries(report)
    rules = [_rule(summary) for summary in summaries]
    results = [
        result
        for index, summary in enumerate(summaries)
        for result in _results(summary, index, report.target, place)
    ]
    driver = {
        "name": "mcpgen check",
        "informationUri": "https://modelcontextprotocol.io/specification",
        "rules": rules,
    }
    properties: Json = {
        "target": report.target,
        "revisions": list(report.revisions),
        "judgedAs": list(report.judged_as),
    }
    if blocked := blocked_checks(report):
        notifications = [
            {
                "level": "error",
                "message": sarif_message(f"blocked by {cause}: {', '.join(c.id for c in checks)}"),
            }
            for cause, checks in blocked.items()
        ]
        invocation = {"executionSuccessful": True, "toolExecutionNotifications": notifications}
        return sarif_log(driver, results, properties=properties, invocations=[invocation])
    return sarif_log(driver, results, properties=properties)


def _rule(summary: CheckSummary) -> dict[str, Json]:
    check = summary.check
    words = dict.fromkeys(word for outcome in summary.outcomes for word in profiles_of(outcome))
    return {
        "id": check.id,
        "name": sarif_rule_name(check.id),
        "shortDescription": {"text": check.sentence},
        "fullDescription": {"text": check.explanation},
        "help": {"text": _help(check), "markdown": _help(check, markdown=True)},
        "helpUri": check.url,
        "defaultConfiguration": {"level": BINDING[check.level]},
        "properties": {"tags": ["mcp", *words]},
    }


def _help(check: Check, *, markdown: bool = False) -> str:
    """Why a check matters, what to do, an example, and where it comes from."""
    source = f"[{check.clause}]({check.url})" if markdown else f"{check.clause}: {check.url}"
    parts = [check.explanation, f"What to do: {check.fix}"]
    if example := TEXTS.get(check.id):
        fence = ("```\n", "\n```") if markdown else ("", "")
        parts += [f"Wrong:\n\n{example.bad.join(fence)}", f"Right:\n\n{example.good.join(fence)}"]
    return "\n\n".join([*parts, f"{check.level}: {source}"])


def _results(summary: CheckSummary, index: int, target: str, place: str) -> list[dict[str, Json]]:
    results: list[dict[str, Json]] = []
    before: Counter[str] = Counter()
    for violation in summary.violations:
        results.append(_sarif_result(summary.check, index, violation, target, place))
        tool = violation.tool
        results[-1]["partialFingerprints"] = sarif_fingerprint(
            summary.check.id, tool, str(before[tool])
        )
        before[tool] += 1
    assert all(violation.status in VIOLATION_STATUSES for violation in summary.violations)
    return results


def _sarif_result(
    check: Check, index: int, violation: Violation, target: str, place: str
) -> dict[str, Json]:
    about = f"`{violation.tool}`: " if violation.tool else ""
    text = f"{about}{check.sentence} Expected {violation.expected}; saw {violation.saw}"
    result: dict[str, Json] = {
        "ruleId": check.id,
        "ruleIndex": index,
        "level": LEVELS[violation.status],
        "message": sarif_message(mark_invisible(text)),
        "locations": [_location(violation.tool, target, place)],
        "properties": {"revisions": list(violation.revisions)},
    }
    if violation.status is CheckStatus.KNOWN:
        result["suppressions"] = [{"kind": "external", "justification": "listed in the baseline"}]
    return result


def _location(tool: str, target: str, place: str) -> dict[str, Json]:
    """The file, and within it the server and the tool."""
    logical = {"name": target, "fullyQualifiedName": target, "kind": "module"}
    if tool:
        logical = {"name": tool, "fullyQualifiedName": f"{target}#{tool}", "kind": "function"}
    return sarif_location(place or NOWHERE, logical)
