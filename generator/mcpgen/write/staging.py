"""A build's own corner of the project's folder: new files before their turn, old ones after it.

The corner alone says how to undo the build, so one that was killed is undone by the next:
`journal.json` lists the files in the order of their turns and whether each existed before, and has
the corner's inode, which no clone or copy of the corner has; `new/N` is there until file N had its turn, and `old/N` holds what stood in its place.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mcpgen.write.paths import is_inside
from mcpgen.write.snapshot import barrier

NAME = ".mcpgen-build"

FOLDERS = ("new", "old")
FILES = ("journal.part", "journal.json")
"""All that a build puts into its corner."""

Move = Callable[[str, str], object]
"""Renames a file over whatever is at its new place: `os.replace`, or what a test puts there."""


@dataclass(frozen=True, slots=True)
class StagedFile:
    """A file that is created, replaced or deleted. `existed` is about the time before the build."""

    path: str
    existed: bool


def has_corner(folder: Path) -> bool:
    """Whether the folder has the corner of a build that was killed.

    Raises FileExistsError if what has the corner's name was not made by a build, such as a symbolic
    link: we would write through it, and delete what it holds.
    """
    corner = folder / NAME
    if not os.path.lexists(corner):
        return False
    if not _is_plain_folder(corner) or not all(map(_is_ours, corner.iterdir())):
        reason = "was not made by mcpgen, which needs this name while it builds; remove it"
        raise FileExistsError(17, reason, str(corner))
    return True


def stage(folder: Path, turns: Sequence[StagedFile], texts: Sequence[str | None]) -> None:
    """Writes the new texts and the journal into a new corner; nothing else changes.

    Raises FileExistsError if something has the corner's name, also a symbolic link to nowhere.
    """
    corner = folder / NAME
    corner.mkdir()
    for name in FOLDERS:
        (corner / name).mkdir()
    for number, text in enumerate(texts):
        if text is not None:
            add_text(folder, number, text)
    folders = _absent_folders(folder, turns)
    files = [[turn.path, turn.existed] for turn in turns]
    journal = {"corner": corner.stat().st_ino, "files": files, "folders": folders}
    (corner / "journal.part").write_text(json.dumps(journal), encoding="utf-8")
    os.replace(corner / "journal.part", corner / "journal.json")
    for name in folders:
        (folder / name).mkdir()


def add_text(folder: Path, number: int, text: str) -> None:
    """Writes the new text of file `number` into the corner."""
    with open(os.path.join(folder, NAME, "new", str(number)), "wb") as file:
        file.write(text.encode())


def take_turn(folder: Path, number: int, turn: StagedFile, move: Move = os.replace) -> None:
    """Puts the old file into the corner and the new one, if there is one, into its place."""
    # Plain texts: a large project has so many files that making paths of them would take seconds.
    corner, place = os.path.join(folder, NAME), os.path.join(folder, turn.path)
    if not turn.existed and os.path.exists(place):
        raise FileExistsError(17, "appeared while the project was built", place)
    if turn.existed:
        move(place, os.path.join(corner, "old", str(number)))
    new = os.path.join(corner, "new", str(number))
    if os.path.exists(new):
        move(new, place)


def finish(folder: Path) -> None:
    """Makes what was done final. Raises FileExistsError if the corner was exchanged meanwhile."""
    if has_corner(folder):
        (folder / NAME / "journal.json").unlink()
        shutil.rmtree(folder / NAME)


def undo(folder: Path) -> bool:
    """Puts everything back as it was before the build whose corner is in the folder.

    Returns whether there was one. Raises OSError when the disk refuses, or when the corner is not a
    build's; it stays then.
    """
    corner = folder / NAME
    if not has_corner(folder):
        return False
    turns, folders = _journal(corner)
    for number, turn in reversed(list(enumerate(turns))):
        old, new, place = corner / "old" / str(number), corner / "new" / str(number), turn.path
        if not is_inside(place) or barrier(folder, place):
            continue
        if old.exists():
            os.replace(old, folder / place)
        elif not turn.existed and not new.exists():
            (folder / place).unlink(missing_ok=True)
    for name in reversed(folders):
        if is_inside(name) and not barrier(folder, name):
            prune(folder, name, above=False)
    shutil.rmtree(corner)
    return True


def prune(folder: Path, name: str, *, above: bool = True) -> None:
    """Removes a folder of the project, and those above it, as far as they hold nothing but the
    byte code that Python left there."""
    place = folder / name
    while place != folder and place.is_dir():
        kept = [entry.name for entry in place.iterdir()]
        if kept == ["__pycache__"]:
            shutil.rmtree(place / "__pycache__")
        elif kept:
            return
        place.rmdir()
        if not above:
            return
        place = place.parent


def make_folder(folder: Path) -> list[Path]:
    """Makes the folder and those above it; returns the ones that were not there, outermost first."""
    absent = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return absent[::-1]


def remove_folders(made: Sequence[Path]) -> None:
    """Removes folders that `make_folder` made, unless somebody has put something there."""
    with suppress(OSError):
        for place in reversed(made):
            place.rmdir()


def _is_plain_folder(place: Path) -> bool:
    return place.is_dir() and not place.is_symlink()


def _is_ours(entry: Path) -> bool:
    """Whether something in the corner may have been put there by a build."""
    if entry.name in FOLDERS:
        return _is_plain_folder(entry)
    return entry.name in FILES and entry.is_file() and not entry.is_symlink()


def _absent_folders(folder: Path, turns: Sequence[StagedFile]) -> list[str]:
    """The folders that the files need and the project does not have yet, outermost first."""
    needed: set[str] = set()
    for turn in turns:
        parts = turn.path.split("/")[:-1]
        needed |= {"/".join(parts[: depth + 1]) for depth in range(len(parts))}
    return [name for name in sorted(needed) if not (folder / name).is_dir()]


def _journal(corner: Path) -> tuple[list[StagedFile], list[str]]:
    """The changes that the corner's build planned; nothing if it had not come that far.

    Raises OSError for a journal that cannot be read, or that another folder's build wrote: a journal
    that comes with a repository could put any file into any place below the folder.
    """
    try:
        tree = json.loads((corner / "journal.json").read_bytes())
        if tree.get("corner") != corner.stat().st_ino:
            reason = (
                "came with a copy or a clone of the project, so no build can be undone with it; "
                "delete the folder, and restore the project's files from version control"
            )
            raise OSError(None, reason, str(corner))
        turns = [StagedFile(str(path), existed is True) for path, existed in tree["files"]]
        return turns, [str(name) for name in tree["folders"]]
    except FileNotFoundError:
        return [], []
    except (ValueError, KeyError, TypeError, AttributeError):
        reason = "an interrupted build left a journal that cannot be read; delete the folder"
        raise OSError(None, reason, str(corner)) from None
