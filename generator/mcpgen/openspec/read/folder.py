"""The layout of an OpenSpec folder: its specs, its changes, and the deltas of those."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mcpgen.read import limits

SPEC = "spec.md"
ARCHIVE = "archive"


@dataclass(frozen=True, slots=True)
class OpenSpecFolder:
    """A folder with `specs/` or `changes/` below it that hold a `spec.md`; `path` as it was typed."""

    path: Path

    @classmethod
    def at(cls, path: Path) -> OpenSpecFolder | None:
        """The OpenSpec folder that this is, or that lies in it as `openspec`."""
        for folder in (path, path / "openspec"):
            found = cls(folder)
            if folder.is_dir() and (found.specs() or any(map(found.deltas, found.changes()))):
                return found
        return None

    def specs(self) -> Mapping[str, Path]:
        """The specs by their capabilities (`name` or `area/name`), sorted."""
        return _specs_below(self.path / "specs")

    def changes(self) -> list[str]:
        """The names of the changes that are not archived, sorted."""
        names = _folders_in(self.path / "changes")
        return sorted(name for name in names if name != ARCHIVE)

    def archived(self, change: str) -> list[Path]:
        """The folders of an archived change, `archive/<date>-<change>`, oldest first."""
        folder = self.path / "changes" / ARCHIVE
        pattern = re.compile(rf"(?:\d{{4}}-\d\d-\d\d-)?{re.escape(change)}")
        return [folder / name for name in sorted(_folders_in(folder)) if pattern.fullmatch(name)]

    def deltas(self, change: str) -> Mapping[str, Path]:
        """The deltas of one of the changes by their capabilities, sorted."""
        return _specs_below(self.path / "changes" / change / "specs")


def _specs_below(folder: Path) -> dict[str, Path]:
    """Every `spec.md` below the folder, though not in it, by the path that leads to it.

    Hidden folders are skipped and links to folders not followed, as OpenSpec has it; no more than
    `limits.DOCUMENTS` folders are looked into, none below `limits.DEPTH`.
    """
    found: dict[str, Path] = {}
    waiting: list[tuple[Path, tuple[str, ...]]] = [(folder, ())] if folder.is_dir() else []
    looked = 0
    while waiting and looked < limits.DOCUMENTS:
        here, keys = waiting.pop()
        looked += 1
        if keys and (here / SPEC).is_file():
            found["/".join(keys)] = here / SPEC
        if len(keys) < limits.DEPTH:
            waiting.extend((here / name, (*keys, name)) for name in _folders_in(here))
    return dict(sorted(found.items()))


def _folders_in(folder: Path) -> list[str]:
    """The names of the folders in a folder; none of one that is not there or may not be read."""
    try:
        with os.scandir(folder) as entries:
            return [
                entry.name
                for entry in entries
                if not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False)
            ]
    except OSError:
        return []


def is_requirements(spec: str) -> bool:
    """Whether a path as the user typed it names requirements and not an API: a Markdown file, or a
    folder in the layout of OpenSpec."""
    path = Path(spec)
    if path.suffix.lower() in (".md", ".markdown"):
        return True
    return spec != "-" and path.is_dir() and OpenSpecFolder.at(path) is not None
