"""The changes of a build on disk: a pure function of project, lock and disk; and their text.

`RULES` is the whole policy. A plan has either only possible changes, or conflicts; with a conflict
nothing is changed.
"""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from mcpgen.diagnostics import Code, Diagnostics, Location
from mcpgen.diagnostics.codes import write as codes
from mcpgen.ir.project import File, Owner, Project
from mcpgen.write.lock import Lock
from mcpgen.write.snapshot import Obstacle, ProjectSnapshot, file_digest, is_inside


class FileAction(StrEnum):
    """The action for a file."""

    CREATE = "create"
    REPLACE = "replace"
    KEEP = "keep"
    """A file of mcpgen that is up to date."""
    LEAVE = "leave"
    """The user's."""
    DELETE = "delete"
    FORGET = "forget"
    """A file in the lock, but neither on disk nor in the project."""


class State(StrEnum):
    """A file on disk compared with the lock."""

    ABSENT = "absent"
    SAME = "same"
    """As the lock says."""
    OTHER = "other"
    """Not as the lock says, or not in the lock."""


class PlannedOwner(StrEnum):
    """The owner of the project's file at a path."""

    NO = "no"
    OURS = "ours"
    USERS = "user's"


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file and the action; `text` is the planned content, or None. `permissions_of` is the path of
    the user's file whose permissions the new file gets, or `""`."""

    action: FileAction
    path: str
    text: str | None = None
    permissions_of: str = ""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A file that blocks the plan; `obstacle` is an entry on disk in the file's place."""

    code: Code
    path: str
    text: str | None = None
    obstacle: Obstacle | None = None


@dataclass(frozen=True, slots=True)
class WritePlan:
    """A change or a conflict for every file of the project and of the lock, in order of path.

    `files` and `ejected` are the lock's after the build.
    """

    changes: tuple[FileChange, ...]
    conflicts: tuple[Conflict, ...]
    files: Mapping[str, str]
    ejected: tuple[str, ...]

    @property
    def moves(self) -> tuple[FileChange, ...]:
        """The changes that touch the disk, in order of `changes`."""
        touching = (FileAction.CREATE, FileAction.REPLACE, FileAction.DELETE)
        return tuple(change for change in self.changes if change.action in touching)


RULES: Mapping[tuple[bool, State, PlannedOwner], FileAction | Code] = {
    # in the lock, on disk, in the project
    (False, State.ABSENT, PlannedOwner.OURS): FileAction.CREATE,
    (False, State.ABSENT, PlannedOwner.USERS): FileAction.CREATE,
    (False, State.OTHER, PlannedOwner.USERS): FileAction.LEAVE,
    (False, State.OTHER, PlannedOwner.OURS): codes.NOT_OURS,
    (True, State.SAME, PlannedOwner.OURS): FileAction.REPLACE,
    (True, State.OTHER, PlannedOwner.OURS): codes.EDITED,
    (True, State.ABSENT, PlannedOwner.OURS): FileAction.CREATE,
    (True, State.SAME, PlannedOwner.NO): FileAction.DELETE,
    (True, State.OTHER, PlannedOwner.NO): codes.EDITED_AND_GONE,
    (True, State.ABSENT, PlannedOwner.NO): FileAction.FORGET,
    # A file that mcpgen owned in another version, and that belongs to the user in this version.
    (True, State.ABSENT, PlannedOwner.USERS): FileAction.CREATE,
    (True, State.SAME, PlannedOwner.USERS): FileAction.LEAVE,
    (True, State.OTHER, PlannedOwner.USERS): FileAction.LEAVE,
}
"""The action for a file. A file with the planned content is kept before the table is asked: nothing
would be overwritten."""


def plan(project: Project, lock: Lock | None, disk: ProjectSnapshot) -> WritePlan:
    """The actions for every file of the project and of the lock (None: no lock)."""
    lock = lock or Lock()
    planned = {file.path: file for file in project.files}
    hashes = {
        file.path: file_digest(file.text.encode())
        for file in project.files
        if file.owner is not Owner.USER
    }
    changes: list[FileChange] = []
    conflicts: list[Conflict] = []
    for path in sorted({*planned, *lock.files}):
        outcome = _decide_change(path, planned.get(path), hashes.get(path), lock, disk)
        if isinstance(outcome, FileChange):
            changes.append(outcome)
        else:
            conflicts.append(outcome)
    ours = (FileAction.CREATE, FileAction.REPLACE, FileAction.KEEP)
    return WritePlan(
        tuple(changes),
        tuple(conflicts),
        {
            change.path: hashes[change.path]
            for change in changes
            if change.action in ours and change.path in hashes
        },
        tuple(path for path in lock.ejected if path in disk.files or path in disk.occupied),
    )


def with_text(plan: WritePlan, path: str, text: str) -> WritePlan:
    """The plan with a new text for a file of the user."""
    changed = FileChange(FileAction.REPLACE, path, text, path)
    changes = tuple(changed if change.path == path else change for change in plan.changes)
    return replace(plan, changes=changes)


def report_conflicts(plan: WritePlan, folder: str, diagnostics: Diagnostics) -> None:
    """Reports the plan's conflicts, and the ejected files left alone; messages call the project's
    folder `folder`."""
    for conflict in plan.conflicts:
        obstacle = conflict.obstacle
        at = Location(file_name(folder, obstacle.path if obstacle else conflict.path))
        what = obstacle.what if obstacle else ""
        name = shlex.quote(file_name(folder, conflict.path))
        diagnostics.add(conflict.code, at, path=conflict.path, obstacle=what, file=name)
    for path in plan.ejected:
        diagnostics.add(codes.EJECTED, Location(file_name(folder, path)))


def file_name(folder: str, path: str) -> str:
    """The path of a project's file in messages: `folder/path`, or `path` alone in the current
    folder."""
    if path == ".":
        return folder
    return path if folder in ("", ".") else f"{folder}/{path}"


def _decide_change(
    path: str, file: File | None, expected: str | None, lock: Lock, disk: ProjectSnapshot
) -> FileChange | Conflict:
    """The action for a file; `expected` is the hash of the text of a file owned by mcpgen."""
    text = file.text if file else None
    if not is_inside(path):
        return Conflict(codes.OUTSIDE, path, text)
    if path in lock.ejected and (path in disk.files or path in disk.occupied):
        return FileChange(FileAction.LEAVE, path, text)
    wanted = _planned_owner(file, path in lock.files)
    if wanted is PlannedOwner.USERS and path in disk.occupied:
        return FileChange(FileAction.LEAVE, path, text)
    if obstacle := disk.blocked.get(path) or disk.occupied.get(path):
        return Conflict(codes.OBSTACLE, path, text, obstacle)
    if expected is not None and disk.files.get(path) == expected:
        return FileChange(FileAction.KEEP, path, text)
    rule = RULES[path in lock.files, _state(path, lock, disk), wanted]
    return (
        FileChange(rule, path, text) if isinstance(rule, FileAction) else Conflict(rule, path, text)
    )


def _planned_owner(file: File | None, is_locked: bool) -> PlannedOwner:
    if file is None:
        return PlannedOwner.NO
    is_ours = file.owner is Owner.MCPGEN or (is_locked and file.owner is Owner.UNLESS_PRESENT)
    return PlannedOwner.OURS if is_ours else PlannedOwner.USERS


def _state(path: str, lock: Lock, disk: ProjectSnapshot) -> State:
    if path not in disk.files:
        return State.ABSENT
    return State.SAME if disk.files[path] == lock.files.get(path) else State.OTHER


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
    old = _text_lines(_text_on_disk(folder / change.path))
    new = _text_lines(change.text)
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


def _text_lines(text: str | None) -> list[str]:
    return (text or "").splitlines()
