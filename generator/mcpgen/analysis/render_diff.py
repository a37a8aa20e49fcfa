"""Renders the difference of two listings of tools as text, JSON and Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.analysis.change_kinds import ChangedThing, CompatibilityClass, ToolChange
from mcpgen.analysis.diff import ListingDiff
from mcpgen.analysis.render_text import counted
from mcpgen.conformance.exchange import printable
from mcpgen.conformance.report.as_markdown import MAX_COMMENT, code
from mcpgen.conformance.strict_json import Json

_MAX_NAME = 80
"""Characters shown of the name of a tool or of an argument."""
_MAX_VALUE = 90
"""Characters shown of the old and of the new value in a line of text."""
_MAX_CELL = 120
"""Characters shown of a name or a value in a cell of a Markdown table."""


def diff_as_text(diff: ListingDiff) -> str:
    """Renders the changes by tool, with `!` before a breaking change, and totals on the last line."""
    return "\n".join([*_diff_lines(diff), _change_totals(diff)]) + "\n"


def diff_as_json(diff: ListingDiff) -> dict[str, Json]:
    """Renders the difference as JSON; docs/tools.md describes every member."""
    (old_tools, new_tools), (old_bytes, new_bytes) = diff.tools, diff.bytes
    return {
        "old": {"target": diff.old, "tools": old_tools, "bytes": old_bytes},
        "new": {"target": diff.new, "tools": new_tools, "bytes": new_bytes},
        "breaking": len(diff.breaking_changes),
        "changes": [
            {
                "change": change.change.value,
                "kind": change.kind.value,
                "tool": change.tool,
                "place": change.place or change.reason,
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
    """Renders the difference as Markdown for a comment of a pull request: a table of breaking changes,
    and a folded table of safe changes.

    Text of servers and descriptions stands in code spans, so links, mentions and markup stay inert.
    """
    return "\n".join(_markdown_lines(diff)) + "\n"


def _diff_lines(diff: ListingDiff) -> Iterator[str]:
    last_entry = None
    for change in diff.changes:
        if (change.kind, change.tool) != last_entry:
            name = printable(change.tool, _MAX_NAME)
            yield f"{_kind_prefix(change)}{name}{_size_change(diff, change)}"
            last_entry = (change.kind, change.tool)
        sign = "!" if change.meaning.is_breaking else " "
        yield f" {sign} {_describe_change(change)}"


def _kind_prefix(change: ToolChange) -> str:
    """Returns `resource ` or `prompt `, `""` for a tool."""
    return "" if change.kind is ChangedThing.TOOL else f"{change.kind} "


def _size_change(diff: ListingDiff, change: ToolChange) -> str:
    """Returns ` (+12 bytes)` for a tool of another size than before, else `""`."""
    if change.kind is not ChangedThing.TOOL or change.tool not in diff.sizes:
        return ""
    before, after = diff.sizes[change.tool]
    return f" ({after - before:+,} bytes)"


def _describe_change(change: ToolChange) -> str:
    """Returns one change in words, with old and new value and the broken uses."""
    place = f"`{printable(change.place, _MAX_NAME)}`: " if change.place else ""
    shown_values = [printable(text, _MAX_VALUE) for text in (change.before, change.after) if text]
    values = f" ({' → '.join(shown_values)})" if shown_values else ""
    reason = f"; {change.reason}" if change.reason else ""
    broken = f" [breaks {_broken_uses(change)}]" if change.meaning.is_breaking else ""
    return f"{place}{change.meaning.words}{values}{reason}{broken}"


def _broken_uses(change: ToolChange) -> str:
    uses = {"saved references": change.meaning.references, "callers": change.meaning.callers}
    return " and ".join(
        use for use, compatibility in uses.items() if compatibility is CompatibilityClass.BREAKING
    )


def _change_totals(diff: ListingDiff) -> str:
    (old_tools, new_tools), (old_bytes, new_bytes) = diff.tools, diff.bytes
    if not diff.changes:
        return f"no difference: {counted(new_tools, 'tool')}, {new_bytes:,} bytes"
    return (
        f"{counted(len(diff.changes), 'change')}, {len(diff.breaking_changes):,} breaking; tools "
        f"{old_tools:,} → {new_tools:,}; bytes {old_bytes:,} → {new_bytes:,} "
        f"({new_bytes - old_bytes:+,})"
    )


def _markdown_lines(diff: ListingDiff) -> Iterator[str]:
    sign = "❌" if diff.breaking_changes else "✅"
    yield f"## {sign} MCP tools: {code(diff.old)} → {code(diff.new)}"
    yield ""
    yield _change_totals(diff)
    safe_changes = [change for change in diff.changes if not change.meaning.is_breaking]
    breaking_rows = [_change_row(change) for change in diff.breaking_changes]
    remaining = MAX_COMMENT
    if breaking_rows:
        yield from ("", "### Breaking", "", *_change_table(breaking_rows, remaining))
        # Safe changes get the characters that breaking changes leave; none if that is negative.
        remaining -= sum(map(len, breaking_rows))
    if safe_changes:
        summary = counted(len(safe_changes), "safe change")
        safe_rows = [_change_row(change) for change in safe_changes]
        yield from ("", f"<details><summary>{summary}</summary>", "")
        yield from (*_change_table(safe_rows, remaining), "", "</details>")


def _change_table(rows: list[str], room: int) -> Iterator[str]:
    """Yields a table of the first rows, of at most `room` characters, and the number of other rows."""
    yield "| tool | change | was | is | saved references | callers |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for number, row in enumerate(rows):
        room -= len(row)
        if room < 0:
            yield f"\n… and {counted(len(rows) - number, 'more change')}."
            return
        yield row


def _change_row(change: ToolChange) -> str:
    place = f"{_code_cell(change.place)}: " if change.place else ""
    reason = f"; {change.reason}" if change.reason else ""
    cells = [
        _kind_prefix(change) + _code_cell(change.tool),
        f"{place}{change.meaning.words}{reason}",
        _code_cell(change.before),
        _code_cell(change.after),
        change.meaning.references.value,
        change.meaning.callers.value,
    ]
    return f"| {' | '.join(cells)} |"


def _code_cell(text: str) -> str:
    """Returns text as a code span that cannot end a table cell; `""` for empty text."""
    return code(printable(text, _MAX_CELL)).replace("|", "\\|") if text else ""
