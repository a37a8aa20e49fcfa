"""The staging folder of a build in the project's folder: new files before the move, old files
after.

The staging folder suffices to undo the build, so the next build undoes a killed build.
`journal.json` lists the files in order, marks files that existed before, and has the folder's
inode, which differs in every clone or copy. `new/N` exists until file N is moved into place, and
`old/N` holds the replaced file.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mcpgen.write.snapshot import barrier, is_inside

NAME = ".mcpgen-build"

FOLDERS = ("new", "old")
FILES = ("journal.part", "journal.json")
"""The files that a build writes into the staging folder."""

Move = Callable[[str, str], object]
"""Renames a file over an existing file: `os.replace`, or a replacement in a test."""


@dataclass(frozen=True, slots=True)
class StagedFile:
    """A file to create, replace or delete. `existed`: the file existed before the build."""

    path: str
    existed: bool


def has_corner(folder: Path) -> bool:
    """True if the folder has the staging folder of a killed build.

    Raises FileExistsError if an entry with this name was not made by a build, such as a symbolic
    link: builds would write through the link, and delete the target's files.
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


def copy_permissions(folder: Path, number: int, path: str) -> None:
    """Gives new file `number` in the corner the permissions of a file in the folder."""
    shutil.copymode(folder / path, folder / NAME / "new" / str(number))


def take_turn(folder: Path, number: int, turn: StagedFile, move: Move = os.replace) -> None:
    """Moves the old file into the staging folder, and the new file, if any, into place. Raises
    FileExistsError for a new file whose place was taken meanwhile."""
    # Strings instead of paths: making `Path` objects for the files of a large project takes
    # seconds.
    corner, place = os.path.join(folder, NAME), os.path.join(folder, turn.path)
    if not turn.existed and os.path.exists(place):
        raise FileExistsError(17, "appeared while the project was built", place)
    if turn.existed:
        move(place, os.path.join(corner, "old", str(number)))
    new = os.path.join(corner, "new", str(number))
    if os.path.exists(new):
        move(new, place)


def finish(folder: Path) -> None:
    """Makes the changes final. Raises FileExistsError if the staging folder was replaced meanwhile."""
    if has_corner(folder):
        (folder / NAME / "journal.json").unlink()
        shutil.rmtree(folder / NAME)


def undo(folder: Path) -> bool:
    """Restores the state before the build with a staging folder in the folder.

    Returns True if there was such a build. Raises OSError if the disk refuses, or if the staging
    folder is not a build's; the folder then stays.
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
    """Removes a folder of the project and the folders above, if empty except for Python's byte
    code."""
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
    """Makes the folder and missing parents; returns the new folders, outermost first."""
    absent = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return absent[::-1]


def remove_folders(folders: Sequence[Path]) -> None:
    """Removes folders made by `make_folder`, unless a folder has entries."""
    with suppress(OSError):
        for place in reversed(folders):
            place.rmdir()


def _is_plain_folder(place: Path) -> bool:
    return place.is_dir() and not place.is_symlink()


def _is_ours(entry: Path) -> bool:
    """True if a build may have written the entry of the staging folder."""
    if entry.name in FOLDERS:
        return _is_plain_folder(entry)
    return entry.name in FILES and entry.is_file() and not entry.is_symlink()


def _absent_folders(folder: Path, turns: Sequence[StagedFile]) -> list[str]:
    """The missing folders of the files, outermost first."""
    needed: set[str] = set()
    for turn in turns:
        parts = turn.path.split("/")[:-1]
        needed |= {"/".join(parts[: depth + 1]) for depth in range(len(parts))}
    return [name for name in sorted(needed) if not (folder / name).is_dir()]


def _journal(corner: Path) -> tuple[list[StagedFile], list[str]]:
    """The changes planned by the build of the staging folder; empty without a journal.

    Raises OSError for a journal that cannot be read, or that a build in another folder wrote: a
    journal committed to a repository could put any file into any place below the folder.
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
