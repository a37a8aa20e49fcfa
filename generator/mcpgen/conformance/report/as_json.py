"""A report for programs."""

from __future__ import annotations

from mcpgen.conformance.model import Outcome, Report
from mcpgen.conformance.strict_json import Json


def as_json(report: Report) -> dict[str, Json]:
    """The report as a JSON object.

    Members: `version` (of this shape, 1), `target`, `failed`, `seconds`, `revisions`, `notes`,
    `counts` (by status) and `outcomes`; an outcome has `id`, `status`, `level`, `profile`,
    `sentence`, `clause`, `url`, `revision`, `tool`, `expected` and `saw`, all strings.
    """
    return {
        "version": 1,
        "target": report.target,
        "failed": report.failed,
        "seconds": round(report.seconds, 3),
        "revisions": list(report.revisions),
        "notes": list(report.notes),
        "counts": {status.value: count for status, count in report.counts.items()},
        "outcomes": [_outcome(outcome) for outcome in report.outcomes],
    }


def _outcome(outcome: Outcome) -> dict[str, Json]:
    check = outcome.check
    return {
        "id": check.id,
        "status": outcome.status.value,
        "level": check.level.value,
        "profile": check.profile,
        "sentence": check.sentence,
        "clause": check.clause,
        "url": check.url,
        "revision": outcome.revision,
        "tool": outcome.tool,
        "expected": outcome.expected,
        "saw": outcome.saw,
    }
