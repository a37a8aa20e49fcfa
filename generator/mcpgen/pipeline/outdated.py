"""Finds the projects below a folder whose copy of the runtime has known defects."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from mcpgen import write
from mcpgen.diagnostics import Diagnostics
from mcpgen.emit.render import runtime_folder
from mcpgen.pipeline.all_projects import find_projects


@dataclass(frozen=True, slots=True)
class Advisory:
    """A known defect of the runtime. `affected` is a version specifier (PEP 440), `fixed` the first version
    without the defect."""

    id: str
    affected: str
    fixed: str
    summary: str


@dataclass(frozen=True, slots=True)
class RuntimeCopy:
    """The runtime of a project: the version of the copy, `""` for a project that depends on the package, with
    the advisories that affect this version."""

    folder: str
    version: str
    advisories: tuple[Advisory, ...]


def read_advisories(path: Path | None = None) -> tuple[Advisory, ...]:
    """The advisories of a JSON file; by default those that this mcpgen carries.

    Raises OSError for a file that cannot be read, and ValueError for another content than a list of advisories.
    """
    path = path or runtime_folder() / "mcpgen_runtime" / "advisories.json"
    try:
        return tuple(Advisory(**entry) for entry in json.loads(path.read_text("utf-8")))
    except TypeError as error:
        raise ValueError(f"{path} is no list of advisories: {error}") from None


def runtime_copies(folder: str, advisories: tuple[Advisory, ...]) -> list[RuntimeCopy]:
    """The runtime of every project at or below a folder, in order of the folders. A project whose lock cannot
    be read has version `""`."""
    copies = []
    for project in find_projects(folder):
        lock = write.read_lock(Path(project), project, Diagnostics())
        version = lock.runtime if lock else ""
        affecting = tuple(advisory for advisory in advisories if _affects(advisory, version))
        copies.append(RuntimeCopy(project, version, affecting))
    return copies


def _affects(advisory: Advisory, version: str) -> bool:
    from packaging.specifiers import SpecifierSet

    return bool(version) and SpecifierSet(advisory.affected).contains(version, prereleases=True)
