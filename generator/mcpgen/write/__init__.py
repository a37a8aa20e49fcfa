"""Project + lock + disk → changes (pure) → disk, all or nothing."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import write as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.write import staging
from mcpgen.write.folder_lock import folder_lock
from mcpgen.write.lock import NAME, Lock, read_lock
from mcpgen.write.package_move import add_move_findings, lock_after_move, move_package
from mcpgen.write.plan import (
    Conflict,
    FileAction,
    FileChange,
    WritePlan,
    file_name,
    plan,
    report_conflicts,
    unified_diff,
    with_text,
)
from mcpgen.write.snapshot import Obstacle, ProjectSnapshot, file_digest, snapshot
from mcpgen.write.staging import Move, StagedFile

SHAPERS = ("black", "datamodel-code-generator", "jinja2")
"""Distributions with versions that can change the generated files."""


def input_name(path: Path, folder: Path) -> str:
    """The name of an input in the lock: relative to the project's folder, POSIX."""
    try:
        return Path(os.path.relpath(path.absolute(), folder.absolute())).as_posix()
    except ValueError:
        # Windows: the paths are on different drives, so no relative path exists.
        return path.absolute().as_posix()


def hash_inputs(folder: Path, names: Iterable[str]) -> dict[str, str] | None:
    """The SHA-256 of each input named by the lock; None if an input cannot be read."""
    try:
        return {name: hash_of((folder / name).read_bytes()) for name in names}
    except (OSError, ValueError):
        return None


def hash_of(content: bytes) -> str:
    """The SHA-256 of an input in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def inputs_digest(inputs: Mapping[str, str], options: Mapping[str, str | bool]) -> str:
    """A SHA-256 in hexadecimal digits over the inputs, the options of the build, and mcpgen
    itself."""
    facts = [sorted(inputs.items()), sorted(options.items()), generator_hash()]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def is_current(lock: Lock, folder: Path, options: Mapping[str, str | bool]) -> bool:
    """True if a build with these options would leave the project unchanged.

    Reads every input and every file that mcpgen owns, and nothing else.
    """
    inputs = hash_inputs(folder, lock.inputs) if lock.digest else None
    if inputs is None or inputs_digest(inputs, options) != lock.digest:
        return False
    return snapshot(folder, lock.files).files == lock.files


@cache
def generator_hash() -> str:
    """A hash over mcpgen's code, templates and runtime, and the versions of `SHAPERS`."""
    package = Path(__file__).parent.parent
    # A wheel has the templates and the runtime in the package.
    beside = [package.parent.parent / name for name in ("templates", "runtime/mcpgen_runtime")]
    hasher = hashlib.sha256()
    for root in (package, *(folder for folder in beside if folder.is_dir())):
        for path in sorted(_source_files(root)):
            hasher.update(path.encode() + b"\0")
            with open(f"{root}/{path}", "rb", buffering=0) as file:
                hasher.update(file_digest(file.read()).encode())
    for name in SHAPERS:
        hasher.update(f"{name}=={_installed_version(name)}\0".encode())
    return hasher.hexdigest()


def _source_files(root: Path) -> Iterator[str]:
    """The files below a folder, as relative POSIX paths, without compiled Python files."""
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != "__pycache__"]
        above = Path(folder).relative_to(root).as_posix()
        for name in names:
            if not name.endswith(".pyc"):
                yield name if above == "." else f"{above}/{name}"


def _installed_version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""


def eject_files(lock: Lock, paths: Sequence[str], lock_name: str, diagnostics: Diagnostics) -> Lock:
    """The lock with the files owned by the user; the same lock if mcpgen does not own a file.

    `paths` are relative to the project's folder. Adds NOT_IN_LOCK. A file ejected already stays
    ejected.
    """
    unknown = [path for path in paths if path not in lock.files and path not in lock.ejected]
    for path in unknown:
        hint = closest_match(path, lock.files)
        nearest = f"; {hint}" if hint else ""
        at = Location(lock_name, ("files",))
        diagnostics.add(codes.NOT_IN_LOCK, at, path=path, nearest=nearest)
    if unknown:
        return lock
    kept = {path: hashed for path, hashed in lock.files.items() if path not in paths}
    return replace(lock, files=kept, ejected=tuple(sorted({*lock.ejected, *paths})))


@contextmanager
def apply_plan(
    plan: WritePlan, folder: Path, *, move: Move = os.replace
) -> Iterator[Callable[[Lock], None]]:
    """Carries out the plan while the body of the `with` statement runs.

    The body gets a function that writes the lock as the last change. If the body raises, also
    KeyboardInterrupt, every change is undone; at the end of the body the changes are final. The
    plan must have no conflicts, and the caller must have held the folder's `folder_lock` since
    before the plan was made. Raises OSError if the disk refuses, with nothing changed.
    """
    staging.has_corner(folder)  # Raises before there is anything to undo.
    moves = plan.moves
    turns = [StagedFile(change.path, change.action is not FileAction.CREATE) for change in moves]
    turns.append(StagedFile(NAME, (folder / NAME).exists()))
    texts = [None if change.action is FileAction.DELETE else change.text for change in moves]

    def seal(lock: Lock) -> None:
        staging.add_text(folder, len(moves), lock.text)
        staging.take_turn(folder, len(moves), turns[-1], move)

    try:
        staging.stage(folder, turns, texts)
        for number, change in enumerate(moves):
            if change.permissions_of:
                staging.copy_permissions(folder, number, change.permissions_of)
        for number, turn in enumerate(turns[:-1]):
            staging.take_turn(folder, number, turn, move)
        yield seal
    except BaseException:
        staging.undo(folder)
        raise
    staging.finish(folder)
    for change in moves:
        if change.action is FileAction.DELETE:
            staging.prune(folder, change.path.rpartition("/")[0])


def recover(folder: Path) -> bool:
    """Undoes a build that was killed in the middle. Returns True if there was such a build.

    The caller holds the folder's `folder_lock`, so no build is running. Raises FileExistsError if
    something else has the name of a build's staging folder.
    """
    return staging.undo(folder)


def write_lock(lock: Lock, folder: Path) -> None:
    """Replaces the lock in a folder without other changes."""
    empty = WritePlan((), (), lock.files, lock.ejected)
    with apply_plan(empty, folder) as seal:
        seal(lock)


def require_writable(folder: Path) -> None:
    """Raises OSError if the folder cannot be made or written into; changes nothing."""
    place = next(path for path in (folder, *folder.parents) if path.exists())
    if not place.is_dir():
        raise NotADirectoryError(20, "is a file, not a folder", str(place))
    if not os.access(place, os.W_OK | os.X_OK):
        raise PermissionError(13, "cannot be written to", str(place))


__all__ = [
    "NAME",
    "Conflict",
    "FileAction",
    "FileChange",
    "Lock",
    "Obstacle",
    "ProjectSnapshot",
    "WritePlan",
    "add_move_findings",
    "apply_plan",
    "eject_files",
    "file_name",
    "folder_lock",
    "generator_hash",
    "hash_inputs",
    "hash_of",
    "input_name",
    "inputs_digest",
    "is_current",
    "lock_after_move",
    "move_package",
    "plan",
    "read_lock",
    "recover",
    "report_conflicts",
    "require_writable",
    "snapshot",
    "unified_diff",
    "with_text",
    "write_lock",
]
