"""The layout of an OpenSpec folder, and the choice of capabilities."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mcpgen.diagnostics import Location
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.read import limits
from mcpgen.read.findings import Findings

SPEC = "spec.md"
ARCHIVE = "archive"


@dataclass(frozen=True, slots=True)
class OpenSpecFolder:
    """A folder with a `spec.md` below `specs/` or `changes/`; `path` as typed."""

    path: Path

    @classmethod
    def at(cls, path: Path) -> OpenSpecFolder | None:
        """Returns the OpenSpec folder at `path` or at `path/openspec`."""
        for folder in (path, path / "openspec"):
            openspec = cls(folder)
            if folder.is_dir() and (
                openspec.specs() or any(map(openspec.deltas, openspec.changes()))
            ):
                return openspec
        return None

    def specs(self) -> Mapping[str, Path]:
        """Returns the specs by capability (`name` or `area/name`), sorted."""
        return _specs_below(self.path / "specs")

    def changes(self) -> list[str]:
        """Returns the names of changes that are not archived, sorted."""
        names = _folders_in(self.path / "changes")
        return sorted(name for name in names if name != ARCHIVE)

    def archived(self, change: str) -> list[Path]:
        """Returns the folders of an archived change, `archive/<date>-<change>`, oldest first."""
        folder = self.path / "changes" / ARCHIVE
        pattern = re.compile(rf"(?:\d{{4}}-\d\d-\d\d-)?{re.escape(change)}")
        return [folder / name for name in sorted(_folders_in(folder)) if pattern.fullmatch(name)]

    def deltas(self, change: str) -> Mapping[str, Path]:
        """Returns the deltas of a change by capability, sorted."""
        return _specs_below(self.path / "changes" / change / "specs")


def _specs_below(folder: Path) -> dict[str, Path]:
    """Finds every `spec.md` in subfolders, by relative path.

    As in OpenSpec, hidden folders are skipped and links to folders not followed. Visits at most
    `limits.DOCUMENTS` folders, down to `limits.DEPTH`.
    """
    specs: dict[str, Path] = {}
    stack: list[tuple[Path, tuple[str, ...]]] = [(folder, ())] if folder.is_dir() else []
    looked = 0
    while stack and looked < limits.DOCUMENTS:
        current, keys = stack.pop()
        looked += 1
        if keys and (current / SPEC).is_file():
            specs["/".join(keys)] = current / SPEC
        if len(keys) < limits.DEPTH:
            stack.extend((current / name, (*keys, name)) for name in _folders_in(current))
    return dict(sorted(specs.items()))


def _folders_in(folder: Path) -> list[str]:
    """Returns the names of subfolders; empty for a missing or unreadable folder."""
    try:
        with os.scandir(folder) as entries:
            return [
                entry.name
                for entry in entries
                if not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False)
            ]
    except OSError:
        return []


LISTED = 10
"""Maximum number of names in a hint."""


@dataclass(frozen=True, slots=True)
class OpenSpecSelection:
    """A capability with its spec, its delta, or both."""

    capability: str
    spec: Path | None
    delta: Path | None


def select_capabilities(
    folder: OpenSpecFolder, change: str, capability: str, findings: Findings
) -> list[OpenSpecSelection]:
    """Selects the files of capabilities, sorted by name; empty with an error.

    `capability` is a list of names with commas, `""` for every capability. With a change, its deltas
    are laid over the specs. Adds MG707, MG710 and MG711.
    """
    path = folder.path.as_posix()
    at = Location(path)
    if change and change not in folder.changes():
        if archived := folder.archived(change):
            findings.add(
                codes.ARCHIVED_CHANGE, at, path=path, name=change, folder=archived[-1].as_posix()
            )
        else:
            _unknown(findings, path, "change", change, folder.changes())
        return []
    specs = folder.specs()
    deltas = folder.deltas(change) if change else {}
    every = {*specs, *deltas}
    names = [name.strip() for name in capability.split(",") if name.strip()]
    for name in names:
        if name not in every:
            _unknown(findings, path, "capability", name, every)
            return []
    selected = list(dict.fromkeys(names)) or sorted(every)
    if not selected or (change and not deltas):
        what = f"no delta in the change `{change}`" if change else "no spec yet, only changes"
        findings.add(codes.NO_OPENSPEC_FOLDER, at, path=path, what=what)
        return []
    return [OpenSpecSelection(name, specs.get(name), deltas.get(name)) for name in selected]


def select_capability(
    folder: OpenSpecFolder, change: str, capability: str, findings: Findings
) -> OpenSpecSelection | None:
    """Selects the files of one capability; None with an error if ambiguous or unknown.

    With a change and without a name, the candidates are the capabilities of its deltas. Adds MG707,
    MG710, MG711 and MG712.
    """
    selected = select_capabilities(folder, change, capability, findings)
    if change and not capability:
        selected = [selection for selection in selected if selection.delta]
    if len(selected) > 1:
        path, names = folder.path.as_posix(), [selection.capability for selection in selected]
        at, listing = Location(path), _join_sorted(names)
        findings.add(codes.SEVERAL_CAPABILITIES, at, path=path, count=len(names), known=listing)
        return None
    return selected[0] if selected else None


def _unknown(findings: Findings, path: str, kind: str, name: str, names: Iterable[str]) -> None:
    listing = _join_sorted(names)
    own = {"change": "change", "capability": "spec"}[kind]
    hint = f"there are {listing}" if listing else f"the folder has no {own} yet: leave `{kind}` out"
    findings.add(
        codes.UNKNOWN_IN_OPENSPEC, Location(path), path=path, kind=kind, name=name, known=hint
    )


def _join_sorted(names: Iterable[str]) -> str:
    """Joins sorted names for a hint."""
    quoted = [f"`{name}`" for name in sorted(names)]
    more = f" and {len(quoted) - LISTED} more" if len(quoted) > LISTED else ""
    return ", ".join(quoted[:LISTED]) + more
