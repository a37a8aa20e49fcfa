"""A difference as text, JSON and Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.analysis.change_kinds import ChangedThing, ChangeKind, ToolChange
from mcpgen.analysis.diff import ListingDiff
from mcpgen.analysis.render.as_text import counted
from mcpgen.conformance.exchange import printable
from mcpgen.conformance.report.as_markdown import LONGEST, code
from mcpgen.conformance.strict_json import Json

ROOM = 90
"""Characters of old and new value on one line."""


def diff_as_text(found: ListingDiff) -> str:
    """Returns the changes by tool with breaking ones marked, and totals on the last line."""
    return "\n".join([*_lines(found), _totals(found)]) + "\n"


def diff_as_json(found: ListingDiff) -> dict[str, Json]:
    """The difference as JSON; docs/tools.md describes every member."""
    return {
        "old": {"target": found.old, "tools": found.tools[0], "bytes": found.bytes[0]},
        "new": {"target": found.new, "tools": found.tools[1], "bytes": found.bytes[1]},
        "breaking": len(found.breaking),
        "changes": [
            {
                "change": one.change.value,
                "kind": one.kind.value,
                "tool": one.tool,
                "place": one.place,
                "before": one.before,
                "after": one.after,
                "references": one.meaning.references.value,
                "callers": one.meaning.callers.value,
            }
            for one in found.changes
        ],
        "sizes": [
            {"tool": tool, "before": before, "after": after}
            for tool, (before, after) in found.sizes.items()
        ],
    }


def diff_as_markdown(found: ListingDiff) -> str:
    """Returns the difference as a pull request comment: breaking changes open, the rest folded.

    Text of servers and descriptions stands in code spans, so links, mentions and markup stay inert.
    """
    return "\n".join(_markdown(found)) + "\n"


def _lines(found: ListingDiff) -> Iterator[str]:
    last = None
    for one in found.changes:
        if (one.kind, one.tool) != last:
            yield f"{_kind(one)}{printable(one.tool, 80)}{_grown(found, one)}"
            last = (one.kind, one.tool)
        sign = "!" if one.meaning.breaking else " "
        yield f" {sign} {_describe_change(one)}"


def _kind(one: ToolChange) -> str:
    """Returns the kind of entry, `""` for a tool."""
    return "" if one.kind is ChangedThing.TOOL else f"{one.kind} "


def _grown(found: ListingDiff, one: ToolChange) -> str:
    """By how many bytes the tool has grown, or `""`."""
    if one.kind is not ChangedThing.TOOL or one.tool not in found.sizes:
        return ""
    before, after = found.sizes[one.tool]
    return f" ({after - before:+,} bytes)"


def _describe_change(one: ToolChange) -> str:
    """Returns one change in words with old and new value."""
    place = f"`{printable(one.place, 80)}`: " if one.place and not _renamed(one) else ""
    seen = [printable(text, ROOM) for text in (one.before, one.after) if text]
    values = f" ({' → '.join(seen)})" if seen else ""
    known = f"; {one.place}" if _renamed(one) else ""
    broken = f" [breaks {_whom(one)}]" if one.meaning.breaking else ""
    return f"{place}{one.meaning.words}{values}{known}{broken}"


def _renamed(one: ToolChange) -> bool:
    return one.change is ChangeKind.TOOL_RENAMED


def _whom(one: ToolChange) -> str:
    meaning = one.meaning
    sides = {"saved references": meaning.references, "callers": meaning.callers}
    return " and ".join(word for word, kind in sides.items() if kind == "breaking")


def _totals(found: ListingDiff) -> str:
    if not found.changes:
        return f"no difference: {counted(found.tools[1], 'tool')}, {found.bytes[1]:,} bytes"
    return (
        f"{counted(len(found.changes), 'change')}, {len(found.breaking):,} breaking; tools "
        f"{found.tools[0]:,} → {found.tools[1]:,}; bytes {found.bytes[0]:,} → {found.bytes[1]:,} "
        f"({found.bytes[1] - found.bytes[0]:+,})"
    )


def _markdown(found: ListingDiff) -> Iterator[str]:
    sign = "❌" if found.breaking else "✅"
    yield f"## {sign} MCP tools: {code(found.old)} → {code(found.new)}"
    yield ""
    yield _totals(found)
    safe = [one for one in found.changes if not one.meaning.breaking]
    rows = [_row(one) for one in found.breaking]
    left = LONGEST
    if rows:
        yield from ("", "### Breaking", "", *_table(rows, left))
        left -= sum(map(len, rows))
    if safe:
        yield from ("", f"<details><summary>{counted(len(safe), 'safe change')}</summary>", "")
        yield from (*_table([_row(one) for one in safe], left), "", "</details>")


def _table(rows: list[str], room: int) -> Iterator[str]:
    """Yields the rows that fit; the rest is counted."""
    yield "| tool | change | was | is | saved references | callers |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for number, row in enumerate(rows):
        room -= len(row)
        if room < 0:
            yield f"\n… and {counted(len(rows) - number, 'more change')}."
            return
        yield row


def _row(one: ToolChange) -> str:
    place = "" if not one.place or _renamed(one) else f"{_cell(one.place)}: "
    words = f"{place}{one.meaning.words}" + (f"; {one.place}" if _renamed(one) else "")
    meaning = one.meaning
    cells = [
        _kind(one) + _cell(one.tool),
        words,
        _cell(one.before),
        _cell(one.after),
        meaning.references.value,
        meaning.callers.value,
    ]
    return f"| {' | '.join(cells)} |"


def _cell(text: str) -> str:
    """Returns text as a code span safe in a table cell; `""` for empty text."""
    return code(printable(text, 120)).replace("|", "\\|") if text else ""
