"""A survey for programs; docs/tools.md describes every member."""

from __future__ import annotations

from mcpgen.analysis.host_verdicts import HostVerdict, Reason
from mcpgen.analysis.report import ListingReport, ToolRow
from mcpgen.analysis.token_estimates import FAMILIES, estimate_tokens
from mcpgen.conformance.strict_json import Json


def listing_as_json(found: ListingReport, rows: tuple[ToolRow, ...]) -> dict[str, Json]:
    """The survey, with these of its rows, as JSON."""
    judgement = found.judgement
    return {
        "target": found.surface.name,
        "totals": {
            "tools": len(found.rows),
            "bytes": found.bytes,
            "tokens": dict(found.tokens),
            "hosts": {verdict.value: list(judgement.of(verdict)) for verdict in HostVerdict},
        },
        "tools": [_row(row) for row in rows],
        "reasons": [_reason(reason) for reason in judgement.by_tool.get("", ())],
        "savings": [
            {
                "choice": saving.choice,
                "setting": saving.setting,
                "tools": saving.tools,
                "bytes": saving.bytes,
                "saved": saving.saved,
                "dropped": list(saving.dropped),
            }
            for saving in found.savings
        ],
        "notes": list(found.surface.notes),
    }


def _row(row: ToolRow) -> dict[str, Json]:
    weight = row.weight
    return {
        "name": row.name,
        "operation": row.operation,
        "bytes": weight.bytes,
        "tokens": {family: estimate_tokens(weight.bytes, family) for family in FAMILIES},
        "arguments": weight.arguments,
        "parts": {
            "inputSchema": weight.schema,
            "outputSchema": weight.output,
            "description": weight.text,
        },
        "rejected_by": list(row.hosts(HostVerdict.REJECTS)),
        "degraded_by": list(row.hosts(HostVerdict.DEGRADES)),
        "reasons": [_reason(reason) for reason in row.reasons],
    }


def _reason(reason: Reason) -> dict[str, Json]:
    return {
        "host": reason.host,
        "verdict": reason.verdict.value,
        "check": reason.check,
        "expected": reason.expected,
        "saw": reason.saw,
    }
