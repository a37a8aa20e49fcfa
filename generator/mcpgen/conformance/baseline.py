"""Known findings: a file of accepted findings, so that only new findings fail a run.

A baseline is JSON with an entry per line, sorted for reviews:

    {
      "version": 1,
      "known": [
        {"check": "ping-answers", "revision": "2025-06-18", "tool": ""}
      ]
    }

An entry covers every violation of a check in a revision (`""`: the check is made once) about a tool
(`""`: about no tool). A listed violation passes. An entry without a violation fails and has to be
removed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace

from mcpgen.conformance import strict_json
from mcpgen.conformance.checks import TABLE
from mcpgen.conformance.checks.run_checks import BASELINE_SHRINKS
from mcpgen.conformance.model import CheckOutcome, CheckStatus, Report

VERSION = 1
FAULTY = (CheckStatus.FAILED, CheckStatus.WARNING)
MEMBERS = {"check", "revision", "tool"}


class BaselineUnreadable(ValueError):
    """The file is not a baseline; the text of the error states the reason."""


@dataclass(frozen=True, slots=True, order=True)
class KnownFinding:
    """An entry: check id, protocol revision (or `""`), tool name (or `""`)."""

    check: str
    revision: str
    tool: str


def of(report: Report) -> frozenset[KnownFinding]:
    """Every violation in a report, warnings included."""
    return frozenset(
        _known_finding(outcome) for outcome in report.outcomes if outcome.status in FAULTY
    )


def format_baseline(findings: Iterable[KnownFinding]) -> str:
    """The JSON text of a baseline. Equal findings give equal bytes."""
    lines = [
        json.dumps({"check": finding.check, "revision": finding.revision, "tool": finding.tool})
        for finding in sorted(findings)
    ]
    entries = ",".join(f"\n    {line}" for line in lines)
    return f'{{\n  "version": {VERSION},\n  "known": [{entries}\n  ]\n}}\n'


def read_baseline(text: bytes) -> frozenset[KnownFinding]:
    """Reads the entries of a baseline. Raises BaselineUnreadable."""
    try:
        tree = strict_json.loads(text)
    except ValueError as error:
        raise BaselineUnreadable(str(error)) from error
    if not isinstance(tree, dict) or set(tree) != {"version", "known"}:
        raise BaselineUnreadable("it is not an object with `version` and `known`")
    if tree["version"] != VERSION or not isinstance(tree["known"], list):
        raise BaselineUnreadable(f"`version` is not {VERSION}, or `known` is not a list")
    return frozenset(_read_known_finding(entry) for entry in tree["known"])


def apply_baseline(report: Report, baseline: frozenset[KnownFinding]) -> Report:
    """Marks listed violations as KNOWN and adds a failure for each entry without a violation.

    Entries of checks that the run did not make are ignored.
    """
    outcomes = tuple(
        (
            replace(outcome, status=CheckStatus.KNOWN)
            if outcome.status in (*FAULTY, CheckStatus.BLOCKED)
            and _known_finding(outcome) in baseline
            else outcome
        )
        for outcome in report.outcomes
    )
    stale = tuple(_fixed_outcome(entry) for entry in sorted(_unmatched_entries(report, baseline)))
    return replace(report, outcomes=outcomes + stale)


def _unmatched_entries(
    report: Report, baseline: frozenset[KnownFinding]
) -> frozenset[KnownFinding]:
    """Entries of checks that were made without a matching violation."""
    checks = {(outcome.check.id, outcome.revision) for outcome in report.outcomes}
    # A check that could not be made, or was cut short, says nothing about its tools.
    incomplete = {
        (outcome.check.id, outcome.revision)
        for outcome in report.outcomes
        if outcome.status is CheckStatus.BLOCKED
        or (
            outcome.status in FAULTY
            and not outcome.tool
            and _known_finding(outcome) not in baseline
        )
    }
    return frozenset(
        entry
        for entry in baseline - of(report)
        if (entry.check, entry.revision) in checks - incomplete
    )


def _fixed_outcome(entry: KnownFinding) -> CheckOutcome:
    about = f" about `{entry.tool}`" if entry.tool else ""
    expected = f"`{entry.check}` is violated{about}, as the baseline says"
    saw = "it no longer is: remove the entry"
    return CheckOutcome(
        BASELINE_SHRINKS, CheckStatus.FAILED, expected, saw, entry.tool, entry.revision
    )


def _known_finding(outcome: CheckOutcome) -> KnownFinding:
    return KnownFinding(outcome.check.id, outcome.revision, outcome.tool)


def _read_known_finding(entry: strict_json.Json) -> KnownFinding:
    if not isinstance(entry, dict) or set(entry) != MEMBERS:
        raise BaselineUnreadable("an entry is not an object with `check`, `revision` and `tool`")
    if not all(isinstance(value, str) for value in entry.values()):
        raise BaselineUnreadable("a member of an entry is not a text")
    return KnownFinding(entry["check"], entry["revision"], entry["tool"])


def strangers(baseline: Iterable[KnownFinding]) -> list[str]:
    """Check ids in a baseline that do not exist, sorted."""
    return sorted({entry.check for entry in baseline} - TABLE.keys())
