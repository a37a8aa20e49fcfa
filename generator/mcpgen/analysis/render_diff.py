"""A difference as text, JSON and Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.analysis.change_kinds import ChangedThing, ChangeKind, ToolChange
from mcpgen.analysis.diff import ListingDiff
from mcpgen.analysis.render_text import counted
from mcpgen.conformance.exchange import printable
from mcpgen.conformance.report.as_markdown import MAX_COMMENT, code
from mcpgen.conformance.strict_json import Json

MAX_CHARACTERS = 90
"""Characters shown of the old and of the new value."""


def diff_as_text(diff: ListingDiff) -> str:
    """Returns the changes by tool with breaking ones marked, and totals on the last line."""
    return "\n".join([*_diff_lines(diff), _change_totals(diff)]) + "\n"


def diff_as_json(diff: ListingDiff) -> dict[str, Json]:
    """The difference as JSON; docs/tools.md describes every member."""
    return {
        "old": {"target": diff.old, "tools": diff.tools[0], "bytes": diff.bytes[0]},
        "new": {"target": diff.new, "tools": diff.tools[1], "bytes": diff.bytes[1]},
        "breaking": len(diff.breaking),
        "changes": [
            {
                "change": change.change.value,
                "kind": change.kind.value,
                "tool": change.tool,
                "place": change.place,
                "before": change.before,
                "after": change.after,
                "references": change.meaning.references.value,
                "callers": change.meaning.callers.value,
            }
            for change in diff.changes
        ],
        "sizes": [
            {"tool": tool, "before": before, "after": after}
            for tool, (before, after) in diff.sizes.items()
        ],
    }


def diff_as_markdown(diff: ListingDiff) -> str:
    """Returns the difference as Markdown for a comment of a pull request: breaking changes open,
    the rest folded.

    Text of servers and descriptions stands in code spans, so links, mentions and markup stay inert.
    """
    return "\n".join(_markdown_lines(diff)) + "\n"


def _diff_lines(diff: ListingDiff) -> Iterator[str]:
    last = None
    for change in diff.changes:
        if (change.kind, change.tool) != last:
            yield f"{_entry_kind(change)}{printable(change.tool, 80)}{_size_change(diff, change)}"
            last = (change.kind, change.tool)
        sign = "!" if change.meaning.breaking else " "
        yield f" {sign} {_describe_change(change)}"


def _entry_kind(change: ToolChange) -> str:
    """Returns the kind of entry, `""` for a tool."""
    return "" if change.kind is ChangedThing.TOOL else f"{change.kind} "


def _size_change(diff: ListingDiff, change: ToolChange) -> str:
    """By how many bytes the tool has grown, or `""`."""
    if change.kind is not ChangedThing.TOOL or change.tool not in diff.sizes:
        return ""
    before, after = diff.sizes[change.tool]
    return f" ({after - before:+,} bytes)"


def _describe_change(change: ToolChange) -> str:
    """Returns one change in words with old and new value."""
    place = f"`{printable(change.place, 80)}`: " if change.place and not _is_rename(change) else ""
    shown_values = [
        printable(text, MAX_CHARACTERS) for text in (change.before, change.after) if text
    ]
    values = f" ({' → '.join(shown_values)})" if shown_values else ""
    suffix = f"; {change.place}" if _is_rename(change) else ""
    broken = f" [breaks {_affected(change)}]" if change.meaning.breaking else ""
    return f"{place}{change.meaning.words}{values}{suffix}{broken}"


def _is_rename(change: ToolChange) -> bool:
    return change.change is ChangeKind.TOOL_RENAMED


def _affected(change: ToolChange) -> str:
    meaning = change.meaning
    sides = {"saved references": meaning.references, "callers": meaning.callers}
    return " and ".join(word for word, kind in sides.items() if kind == "breaking")


def _change_totals(diff: ListingDiff) -> str:
    if not diff.changes:
        return f"no difference: {counted(diff.tools[1], 'tool')}, {diff.bytes[1]:,} bytes"
    return (
        f"{counted(len(diff.changes), 'change')}, {len(diff.breaking):,} breaking; tools "
        f"{diff.tools[0]:,} → {diff.tools[1]:,}; bytes {diff.bytes[0]:,} → {diff.bytes[1]:,} "
        f"({diff.bytes[1] - diff.bytes[0]:+,})"
    )


def _markdown_lines(diff: ListingDiff) -> Iterator[str]:
    sign = "❌" if diff.breaking else "✅"
    yield f"## {sign} MCP tools: {code(diff.old)} → {code(diff.new)}"
    yield ""
    yield _change_totals(diff)
    safe = [change for change in diff.changes if not change.meaning.breaking]
    rows = [_tool_change_row(change) for change in diff.breaking]
    space = MAX_COMMENT
    if rows:
        yield from ("", "### Breaking", "", *_change_table(rows, space))
        space -= sum(map(len, rows))
    if safe:
        yield from ("", f"<details><summary>{counted(len(safe), 'safe change')}</summary>", "")
        yield from (
            *_change_table([_tool_change_row(change) for change in safe], space),
            "",
            "</details>",
        )


def _change_table(rows: list[str], room: int) -> Iterator[str]:
    """Yields the rows that fit; the rest is counted."""
    yield "| tool | change | was | is | saved references | callers |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for number, row in enumerate(rows):
        room -= len(row)
        if room < 0:
            yield f"\n… and {counted(len(rows) - number, 'more change')}."
            return
        yield row


def _tool_change_row(change: ToolChange) -> str:
    place = "" if not change.place or _is_rename(change) else f"{_code_cell(change.place)}: "
    words = f"{place}{change.meaning.words}" + (f"; {change.place}" if _is_rename(change) else "")
    meaning = change.meaning
    cells = [
        _entry_kind(change) + _code_cell(change.tool),
        words,
        _code_cell(change.before),
        _code_cell(change.after),
        meaning.references.value,
        meaning.callers.value,
    ]
    return f"| {' | '.join(cells)} |"


def _code_cell(text: str) -> str:
    """Returns text as a code span safe in a table cell; `""` for empty text."""
    return code(printable(text, 120)).replace("|", "\\|") if text else ""
