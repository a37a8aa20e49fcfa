"""Report of a listing as terminal text and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mcpgen.analysis.report import HostReport, HostVerdict, ListingReport, Reason, ToolRow
from mcpgen.analysis.sizes import FAMILIES, estimate_tokens
from mcpgen.conformance.exchange import printable
from mcpgen.conformance.strict_json import Json

MAX_NAME = 44
"""Columns of the longest name shown in full; hosts accept 40 characters."""

PASSIVE = {HostVerdict.REJECTS: "rejected by", HostVerdict.DEGRADES: "degraded by"}
"""Words before the hosts of a verdict."""

MAX_HOSTS = 3
"""Hosts named in the line of a tool; the rest is counted."""

MAX_REASONS = 3
"""Reasons shown per host; the rest is counted."""


def listing_as_text(report: ListingReport, rows: tuple[ToolRow, ...]) -> str:
    """Returns the table of `rows`, then totals, hosts and size reductions."""
    return "\n".join(_report_lines(report, rows)) + "\n"


def counted(number: int, word: str) -> str:
    """Returns number and noun: `1 tool`, `2 tools`."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def _report_lines(report: ListingReport, rows: tuple[ToolRow, ...]) -> Iterator[str]:
    yield f"{printable(report.listing.name, 200)}: {counted(len(report.rows), 'tool')}"
    yield ""
    if rows:
        yield from _tool_table(rows)
    if len(rows) < len(report.rows):
        yield f"… and {len(report.rows) - len(rows):,} more (--limit shows them)"
    yield ""
    yield from _total_lines(report)
    yield ""
    yield from _host_lines(report.acceptance)
    yield from _savings_lines(report)
    for note in report.listing.notes:
        yield f"note: {printable(note, 400)}"


def _tool_table(rows: tuple[ToolRow, ...]) -> Iterator[str]:
    names = [printable(row.name, MAX_NAME) for row in rows]
    width = max([4, *map(len, names)])
    yield f"{'tool':{width}}  {'bytes':>8}  {'≈ tokens':>8}  {'arguments':>9}  hosts"
    for name, row in zip(names, rows, strict=True):
        weight = row.weight
        numbers = f"{weight.bytes:>8,}  {weight.tokens:>8,}  {weight.arguments:>9}"
        yield f"{name:{width}}  {numbers}  {_row_hosts(row)}".rstrip()


def _row_hosts(row: ToolRow) -> str:
    parts = [
        f"{word} {_name_hosts(hosts)}"
        for verdict, word in PASSIVE.items()
        if (hosts := row.hosts(verdict))
    ]
    return "; ".join(parts)


def _name_hosts(hosts: tuple[str, ...]) -> str:
    more = f" and {len(hosts) - MAX_HOSTS} more" if len(hosts) > MAX_HOSTS else ""
    return ", ".join(hosts[:MAX_HOSTS]) + more


def _total_lines(report: ListingReport) -> Iterator[str]:
    estimates = ", ".join(f"{FAMILIES[word].title} {n:,}" for word, n in report.tokens.items())
    yield f"total: {report.bytes:,} bytes; tokens, estimated: {estimates}"


def _host_lines(acceptance: HostReport) -> Iterator[str]:
    """Yields the hosts that accept all tools, then every host with its reasons."""
    accepting = acceptance.taking_all
    yield f"hosts: {len(accepting)} of {len(acceptance.hosts)} take all of it as it is"
    for verdict in (HostVerdict.REJECTS, HostVerdict.DEGRADES, HostVerdict.ADVISES):
        for host in acceptance.of(verdict):
            reasons = [reason for reason in acceptance.reasons if reason.host == host]
            yield from (f"  {host} {line}" for line in _expectation_lines(reasons))


def _expectation_lines(reasons: list[Reason]) -> Iterator[str]:
    """Yields each expectation of a host once, for all tools that violate the expectation."""
    counts = Counter((reason.verdict, reason.expected) for reason in reasons)
    first: dict[tuple[HostVerdict, str], Reason] = {}
    for reason in reasons:
        first.setdefault((reason.verdict, reason.expected), reason)
    ranked = sorted(first, key=lambda key: (key[0] is not HostVerdict.REJECTS, -counts[key]))
    for key in ranked[:MAX_REASONS]:
        reason = first[key]
        where = f" ({counted(counts[key], 'time')})" if reason.tool else ""
        expectation = reason.expected.partition(": ")[2] or reason.expected
        remedy = f"; {reason.remedy}" if reason.remedy else ""
        line = f"{reason.verdict.value}: {expectation}; saw {reason.saw}{where}{remedy}"
        yield printable(line, 300)
    if len(ranked) > MAX_REASONS:
        yield f"has {counted(len(ranked) - MAX_REASONS, 'more reason')}"


def _savings_lines(report: ListingReport) -> Iterator[str]:
    if not report.savings:
        return
    yield ""
    yield "what would be saved:"
    for saving in report.savings:
        share = 100 * saving.saved / report.bytes
        remaining = f"{saving.bytes:,} bytes, {counted(saving.tools, 'tool')} left"
        yield f"  {saving.saved:>9,} bytes ({share:.0f} %)  {saving.setting} ({remaining})"


def listing_as_json(report: ListingReport, rows: tuple[ToolRow, ...]) -> dict[str, Json]:
    """Returns the report with these rows as JSON."""
    acceptance = report.acceptance
    return {
        "target": report.listing.name,
        "totals": {
            "tools": len(report.rows),
            "bytes": report.bytes,
            "tokens": dict(report.tokens),
            "hosts": {verdict.value: list(acceptance.of(verdict)) for verdict in HostVerdict},
        },
        "tools": [_row_as_json(row) for row in rows],
        "reasons": [_reason_as_json(reason) for reason in acceptance.by_tool.get("", ())],
        "savings": [
            {
                "choice": saving.choice,
                "setting": saving.setting,
                "tools": saving.tools,
                "bytes": saving.bytes,
                "saved": saving.saved,
                "dropped": list(saving.dropped),
            }
            for saving in report.savings
        ],
        "notes": list(report.listing.notes),
    }


def _row_as_json(row: ToolRow) -> dict[str, Json]:
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
        "reasons": [_reason_as_json(reason) for reason in row.reasons],
    }


def _reason_as_json(reason: Reason) -> dict[str, Json]:
    return {
        "host": reason.host,
        "verdict": reason.verdict.value,
        "check": reason.check,
        "expected": reason.expected,
        "saw": reason.saw,
        "remedy": reason.remedy,
    }
