"""Renders a report as JSON."""

from __future__ import annotations

import json
import math
from importlib.resources import files

from mcpgen.conformance.model import CheckOutcome, Comparison, Measurement, Report, StatusChange
from mcpgen.conformance.report.grouping import columns
from mcpgen.conformance.sizes import size_of
from mcpgen.conformance.strict_json import Json

VERSION = 1


def as_json(report: Report) -> dict[str, Json]:
    """The report as a JSON object that matches `report_schema()`."""
    return {
        "version": VERSION,
        "target": report.target,
        "failed": report.failed,
        "seconds": round(report.seconds, 3),
        "revisions": list(report.revisions),
        "judged_as": list(report.judged_as),
        "notes": list(report.notes),
        "counts": {status.value: count for status, count in report.counts.items()},
        "profiles": [
            {
                "word": column.word,
                "title": column.title,
                "counts": {status.value: count for status, count in column.counts.items()},
            }
            for column in columns(report)
        ],
        "outcomes": [_outcome(outcome) for outcome in report.outcomes],
        "tools": [
            {"name": str(tool.get("name")), "bytes": size.bytes, "tokens": size.tokens}
            for tool in report.tools
            for size in (size_of(tool),)
        ],
        "measurements": [_measurement(measurement) for measurement in report.measurements],
        "comparison": _comparison(report.comparison) if report.comparison else None,
    }


def report_schema() -> dict[str, Json]:
    """The JSON Schema of a report (2020-12)."""
    text = files(__package__).joinpath("report.schema.json").read_text("utf-8")
    schema: dict[str, Json] = json.loads(text)
    return schema


def _outcome(outcome: CheckOutcome) -> dict[str, Json]:
    check = outcome.check
    return {
        "id": check.id,
        "status": outcome.status.value,
        "level": check.level.value,
        "profile": check.profile,
        "profiles": list(outcome.profiles),
        "sentence": check.sentence,
        "clause": check.clause,
        "url": check.url,
        "revision": outcome.revision,
        "tool": outcome.tool,
        "expected": outcome.expected,
        "saw": outcome.saw,
        "blocked_by": outcome.blocked_by,
    }


def _comparison(comparison: Comparison) -> dict[str, Json]:
    return {
        "name": comparison.name,
        "worse": [_change(change) for change in comparison.worse],
        "better": [_change(change) for change in comparison.better],
        "added": list(comparison.added),
        "omitted": list(comparison.omitted),
    }


def _change(change: StatusChange) -> dict[str, Json]:
    return {
        "id": change.check,
        "revision": change.revision,
        "tool": change.tool,
        "before": change.before.value,
        "after": change.after.value,
    }


def _measurement(measurement: Measurement) -> dict[str, Json]:
    return {
        "name": measurement.name,
        "revision": measurement.revision,
        "unit": "ms",
        "cold": round(measurement.cold, 3),
        "count": measurement.count,
        "min": round(measurement.min, 3),
        "p50": round(measurement.p50, 3),
        "p95": round(measurement.p95, 3),
        "max": round(measurement.max, 3),
        "buckets": [
            {"below": None if math.isinf(bound) else bound, "count": count}
            for bound, count in measurement.buckets
        ],
    }
