"""Carries out a plan: all of its changes, or none."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from mcpgen.write import lock as locks
from mcpgen.write import staging
from mcpgen.write.lock import Lock
from mcpgen.write.plan import Action, Plan
from mcpgen.write.staging import Add, Move, Turn, add_all

try:
    import fcntl
except ImportError:  # Windows has no such lock; two builds at once are not told apart there.
    fcntl = None  # type: ignore[assignment]


@contextmanager
def applied(
    plan: Plan, folder: Path, *, move: Move = os.replace, add: Add = add_all
) -> Iterator[Callable[[Lock], None]]:
    """The plan, carried out as long as the body of the `with` statement runs.

    The body gets a function that writes the lock, the last change of all. When the body raises,
    also KeyboardInterrupt, the folder is put back as it was; when it ends, the changes are final.
    The plan must have no conflicts. Raises OSError when the disk refuses, with nothing changed.
    """
    made = staging.make_folder(folder)
    try:
        with _alone(folder):
            yield from _carried_out(plan, folder, move, add)
    except BaseException:
        staging.remove_folders(made)
        raise


def recover(folder: Path) -> bool:
    """Undoes a build that was killed in the middle. Returns whether there was one.

    Raises BlockingIOError if that build is still at work, and FileExistsError if something else has
    the name of a build's corner.
    """
    if not staging.has_corner(folder):
        return False
    with _alone(folder):
        return staging.undo(folder)


def write_lock(lock: Lock, folder: Path) -> None:
    """Replaces the lock in a folder that is otherwise as it should be."""
    empty = Plan((), (), lock.files, lock.ejected)
    with applied(empty, folder) as seal:
        seal(lock)


def require_writable(folder: Path) -> None:
    """Raises OSError if the folder cannot be made or written into; changes nothing."""
    place = next(path for path in (folder, *folder.parents) if path.exists())
    if not place.is_dir():
        raise NotADirectoryError(20, "is a file, not a folder", str(place))
    if not os.access(place, os.W_OK | os.X_OK):
        raise PermissionError(13, "cannot be written to", str(place))


def _carried_out(
    plan: Plan, folder: Path, move: Move, add: Add
) -> Iterator[Callable[[Lock], None]]:
    """The changes, made before the body runs and undone if it raises."""
    staging.has_corner(folder)  # Raises before there is anything to undo.
    moves = plan.moves
    turns = [Turn(change.path, change.action is not Action.CREATE) for change in moves]
    turns.append(Turn(locks.NAME, (folder / locks.NAME).exists()))
    texts = [None if change.action is Action.DELETE else change.text for change in moves]

    def seal(lock: Lock) -> None:
        staging.add_text(folder, len(moves), lock.text)
        staging.take_turn(folder, len(moves), turns[-1], move)

    try:
        staging.stage(folder, turns, texts, add)
        for number, turn in enumerate(turns[:-1]):
            staging.take_turn(folder, number, turn, move)
        yield seal
    except BaseException:
        staging.undo(folder)
        raise
    staging.finish(folder)
    for change in moves:
        if change.action is Action.DELETE:
            staging.prune(folder, change.path.rpartition("/")[0])


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """The folder while no other build writes to it. Raises BlockingIOError if one does."""
    if fcntl is None:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            reason = "another build is writing to this folder"
            raise BlockingIOError(11, reason, str(folder)) from None
        yield
    finally:
        os.close(handle)
