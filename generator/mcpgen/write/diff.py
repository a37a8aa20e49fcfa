"""The difference between the project on disk and the output of a build, as text."""

from __future__ import annotations

import difflib
from pathlib import Path

from mcpgen.write.plan import Conflict, FileAction, FileChange, WritePlan

MAX_LINES = 400
MAX_FILE = 200_000
"""Characters of a file up to which files are compared by line; longer files take too long."""


def unified_diff(plan: WritePlan, folder: Path, *, max_lines: int = MAX_LINES) -> str:
    """A unified diff from disk to plan: changes, and files edited by hand. `""` without
    differences.

    At most about `max_lines` lines long; further files are listed with a line each.
    """
    differing: list[FileChange | Conflict] = sorted(
        [*plan.moves, *(c for c in plan.conflicts if c.obstacle is None)], key=lambda it: it.path
    )
    lines: list[str] = []
    for position, change in enumerate(differing):
        hunk = _hunk(change, folder)
        if len(lines) + len(hunk) > max_lines:
            rest = differing[position:]
            lines.append(f"… and {len(rest)} more:")
            lines += [f"  {_verb(other)} {other.path}" for other in rest[:max_lines]]
            if len(rest) > max_lines:
                lines.append(f"  … and {len(rest) - max_lines} more")
            break
        lines += hunk
    return "".join(f"{line}\n" for line in lines)


def _hunk(change: FileChange | Conflict, folder: Path) -> list[str]:
    """The diff of a file, without line ends."""
    old = _lines(_text_on_disk(folder / change.path))
    new = _lines(change.text)
    if max(len(side) for side in (change.text or "", "\n".join(old))) > MAX_FILE:
        return [f"{_verb(change)} {change.path} (too long to show)"]
    source = f"a/{change.path}" if old else "/dev/null"
    target = f"b/{change.path}" if change.text is not None else "/dev/null"
    return list(difflib.unified_diff(old, new, source, target, lineterm=""))


def _verb(change: FileChange | Conflict) -> str:
    """The planned action for the file, as a word."""
    if isinstance(change, Conflict):
        return "conflict"
    return {FileAction.CREATE: "create", FileAction.DELETE: "delete"}.get(change.action, "change")


def _text_on_disk(path: Path) -> str | None:
    try:
        return path.read_text("utf-8", errors="replace")
    except FileNotFoundError:
        return None


def _lines(text: str | None) -> list[str]:
    return (text or "").splitlines()
