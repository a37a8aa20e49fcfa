"""The paths that mcpgen may write, and a snapshot of a project's folder, as needed for a plan."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)
"""Names that are devices on Windows, with any suffix."""

PART = re.compile(r"[A-Za-z0-9_.\-]{1,128}")

HIDDEN = {".dockerignore", ".gitattributes", ".github", ".gitignore"}
"""The permitted names with a leading dot. Other such names belong to tools of the user (`.git`,
`.venv`, `.vscode`), and these tools may execute a file in their folders."""


@cache
def is_inside(path: str) -> bool:
    """True if a POSIX path stays inside the folder on every system, and leads into no hidden folder
    of another tool.

    Example: `is_inside("../a")` gives `False`.
    """
    parts = path.split("/")
    return len(path) <= 400 and all(
        PART.fullmatch(part)
        and not part.endswith(".")
        and not RESERVED.fullmatch(part)
        and (not part.startswith(".") or part in HIDDEN)
        for part in parts
    )


def file_digest(content: bytes) -> str:
    """The SHA-256 of a text file, the same for line ends of Unix and of Windows.

    Version control may rewrite line ends at checkout; such a change is not an edit.
    """
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n")
    return hashlib.sha256(content).hexdigest()


@dataclass(frozen=True, slots=True)
class Obstacle:
    """An entry that is neither a plain file nor a plain folder: the path (`.` is the project's
    folder itself), and the kind, in words."""

    path: str
    what: str


@dataclass(frozen=True, slots=True)
class ProjectSnapshot:
    """A snapshot by path: the hash of every requested file that exists, the obstacles in place of
    files, and the obstacles in place of folders."""

    files: Mapping[str, str] = field(default_factory=dict)
    occupied: Mapping[str, Obstacle] = field(default_factory=dict)
    blocked: Mapping[str, Obstacle] = field(default_factory=dict)


def snapshot(folder: Path, paths: Iterable[str]) -> ProjectSnapshot:
    """The entries at the paths in the folder, which may not exist. Follows no symbolic link.

    Raises OSError for a file that cannot be read.
    """
    files: dict[str, str] = {}
    occupied: dict[str, Obstacle] = {}
    blocked: dict[str, Obstacle] = {}
    parents: dict[str, Obstacle | None] = {}
    for path in filter(is_inside, paths):
        if obstacle := _in_the_way(folder, path.rpartition("/")[0] or ".", parents):
            blocked[path] = obstacle
            continue
        place = os.path.join(folder, path)
        mode = _mode(place)
        if stat.S_ISLNK(mode):
            occupied[path] = Obstacle(path, "a symbolic link")
        elif stat.S_ISDIR(mode):
            occupied[path] = Obstacle(path, "a folder that has the file's name")
        elif mode:
            with open(place, "rb", buffering=0) as file:
                files[path] = file_digest(file.read())
    return ProjectSnapshot(files, occupied, blocked)


def _mode(place: str) -> int:
    """The mode of the entry at a place, without following links; 0 for an absent entry."""
    try:
        return os.lstat(place).st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return 0


def barrier(folder: Path, path: str) -> Obstacle | None:
    """The obstacle among the folders above `path`, the project's own folder included, or None."""
    return _in_the_way(folder, path.rpartition("/")[0] or ".", {})


def _in_the_way(folder: Path, path: str, obstacles: dict[str, Obstacle | None]) -> Obstacle | None:
    """The obstacle at the folder `path` or at a folder above, or None."""
    if path not in obstacles:
        above = None if path == "." else path.rpartition("/")[0] or "."
        obstacles[path] = (_in_the_way(folder, above, obstacles) if above else None) or _itself(
            folder, path
        )
    return obstacles[path]


def _itself(folder: Path, path: str) -> Obstacle | None:
    """The obstacle at the folder `path` itself, or None."""
    place = folder / path
    if place.is_symlink():
        return Obstacle(path, "a symbolic link")
    if place.exists() and not place.is_dir():
        return Obstacle(path, "a file that has the folder's name")
    return None
