"""Moves the user's files when a package is renamed, and mends their imports of the package."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import write as codes
from mcpgen.ir.project import Owner, Project
from mcpgen.write.lock import Lock
from mcpgen.write.plan import Conflict, FileAction, FileChange, WritePlan, file_name
from mcpgen.write.snapshot import Obstacle, ProjectSnapshot, barrier, is_inside

PYPROJECT = "pyproject.toml"

_IGNORED = {"__pycache__", ".DS_Store"}
_HEADER = re.compile(r"\s*\[{1,2}\s*([\w.\-]+)\s*\]{1,2}\s*(?:#.*)?$")
_NAMING = ("project.scripts", "project.gui-scripts", "project.entry-points", "tool")
"""The tables of `pyproject.toml` with names of packages; `project` has names of distributions."""


@dataclass(frozen=True, slots=True)
class PackageMove:
    """The plan with the user's files: by path the moved files, and the files mended in place.
    `naming` are the positions where a file still has the old name."""

    plan: WritePlan
    moved: tuple[str, ...]
    mended: tuple[str, ...]
    naming: tuple[Location, ...]


def lock_after_move(lock: Lock, package: str, disk: ProjectSnapshot) -> Lock:
    """The lock with the new paths of files that the user has moved to the new package already."""

    def now(path: str) -> str:
        target = _moved_path(path, lock.package, package)
        return target if path not in disk.files and target in disk.files else path

    files = {now(path): hashed for path, hashed in lock.files.items()}
    return replace(lock, files=files, ejected=tuple(sorted(map(now, lock.ejected))))


def move_package(
    plan: WritePlan, project: Project, lock: Lock, folder: Path, package: str
) -> PackageMove:
    """Adds the moves and changes of the user's files to a plan for a renamed package.

    Files below the old package move; these files, `pyproject.toml`, ejected files and the user's
    own tests are mended where they import or name the package. A file that cannot be moved is a
    conflict. Raises OSError for a file that cannot be read.
    """
    old = lock.package
    changes = {change.path: change for change in plan.changes}
    conflicts = list(plan.conflicts)
    files, ejected = dict(plan.files), set(plan.ejected)
    moved: list[str] = []
    mended: list[str] = []
    naming: list[Location] = []
    modules = _modules(project, lock, folder, package)
    for path in sorted(set(_users_files(project, lock, folder, package))):
        target = _moved_path(path, old, package)
        text = _file_text(folder, path)
        if target != path:
            obstacle = _move_obstacle(folder, path, target, text)
            if obstacle:
                conflicts.append(Conflict(codes.IMMOVABLE, path, None, obstacle))
                continue
        if text is None:
            continue
        new_text = _mend(path, text, old, package, modules)
        if target != path:
            changes[target] = FileChange(FileAction.CREATE, target, new_text, path)
            changes[path] = FileChange(FileAction.DELETE, path)
            files.pop(target, None)
            moved.append(path)
        elif new_text != text:
            changes[path] = FileChange(FileAction.REPLACE, path, new_text, path)
            mended.append(path)
        if path in ejected:
            ejected = ejected - {path} | {target}
        if at := _find_name(target, new_text, old):
            naming.append(at)
    plan = WritePlan(
        tuple(changes[path] for path in sorted(changes)),
        tuple(conflicts),
        files,
        tuple(sorted(ejected)),
    )
    return PackageMove(plan, tuple(moved), tuple(mended), tuple(naming))


def add_move_findings(
    move: PackageMove, old: str, package: str, at: Location, folder: str, diagnostics: Diagnostics
) -> None:
    """Reports the new name of the package at `at`, the position of the name in the configuration,
    and the files that still have the old name; messages call the project's folder `folder`."""
    files = f"; moves: {_first_four_paths(move.moved)}" if move.moved else ""
    files += f"; changes: {_first_four_paths(move.mended)}" if move.mended else ""
    diagnostics.add(codes.OTHER_PACKAGE, at, before=old, package=package, files=files)
    for place in move.naming:
        location = replace(place, file=file_name(folder, place.file))
        diagnostics.add(codes.OLD_PACKAGE_NAMED, location, before=old, package=package)


def _first_four_paths(paths: tuple[str, ...]) -> str:
    shown = ", ".join(f"`{path}`" for path in paths[:4])
    return f"{shown} and {len(paths) - 4} more" if len(paths) > 4 else shown


def _moved_path(path: str, old: str, package: str) -> str:
    """The new path of a file of the old package; every other path stays."""
    return package + path.removeprefix(old) if path.startswith(f"{old}/") else path


def _users_files(project: Project, lock: Lock, folder: Path, package: str) -> Iterator[str]:
    """The existing files of the user that may name the package."""
    generated = {file.path for file in project.files if file.owner is Owner.MCPGEN}
    for name in (lock.package, package, "tests"):
        for path in _walk_project(folder, name):
            is_code = name != "tests" or path.endswith(".py")
            if is_code and path not in lock.files and path not in generated:
                yield path
    for path in (PYPROJECT, *lock.ejected):
        if (folder / path).is_file():
            yield path


def _walk_project(folder: Path, name: str) -> Iterator[str]:
    """The files and links below a folder of the project, relative to the project."""
    for place, folders, names in os.walk(folder / name):
        links = [entry for entry in folders if os.path.islink(os.path.join(place, entry))]
        folders[:] = [entry for entry in folders if entry not in _IGNORED]
        for entry in (*names, *links):
            if entry not in _IGNORED:
                yield Path(place, entry).relative_to(folder).as_posix()


def _modules(project: Project, lock: Lock, folder: Path, package: str) -> frozenset[str]:
    """The names of the modules and folders directly in the package."""
    paths = [file.path for file in project.files]
    paths += [*_walk_project(folder, lock.package), *_walk_project(folder, package)]
    inside = (path.split("/") for path in paths)
    return frozenset(
        parts[1].partition(".")[0]
        for parts in inside
        if len(parts) > 1 and parts[0] in (package, lock.package)
    )


def _file_text(folder: Path, path: str) -> str | None:
    """The text of a file; None for an absent, binary or linked file."""
    place = folder / path
    if place.is_symlink() or not place.is_file() or barrier(folder, path):
        return None
    try:
        return place.read_bytes().decode()
    except UnicodeDecodeError:
        return None


def _move_obstacle(folder: Path, path: str, target: str, text: str | None) -> Obstacle | None:
    """The reason why a file cannot be moved, or None."""
    if os.path.lexists(folder / target):
        return Obstacle(path, f"`{target}` is there already")
    if not is_inside(path):
        return Obstacle(path, "its name is not portable")
    if text is None:
        return Obstacle(path, "it is not a text file")
    return None


def _mend(path: str, text: str, old: str, package: str, modules: frozenset[str]) -> str:
    """The text with the new name wherever the old name certainly means the package."""
    if path == PYPROJECT:
        return _mend_toml(text, old, package)
    if not path.endswith(".py") or _rebinds_name(text, old):
        return text
    inside = "|".join(sorted(map(re.escape, modules)))
    imports = re.compile(rf"^([ \t]*(?:from|import)[ \t]+){old}(?=[\s.,])", re.MULTILINE)
    dotted = re.compile(rf"(?<![\w.]){old}(?=\.(?:{inside})\b)")
    return dotted.sub(package, imports.sub(rf"\g<1>{package}", text))


def _rebinds_name(text: str, name: str) -> bool:
    """True if a module binds the name to something else, or cannot be parsed."""
    try:
        nodes = ast.walk(ast.parse(text))
    except (SyntaxError, ValueError):
        return True
    return any(
        (isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load))
        or (isinstance(node, ast.arg) and node.arg == name)
        for node in nodes
    )


def _mend_toml(text: str, old: str, package: str) -> str:
    """`pyproject.toml` with the new name in scripts and in the tables of tools."""
    table = ""
    lines = []
    for line in text.splitlines(keepends=True):
        if header := _HEADER.match(line):
            table = header[1]
        if any(table == name or table.startswith(f"{name}.") for name in _NAMING):
            line = re.sub(rf"""(["']){old}(?=["'.:/])""", rf"\g<1>{package}", line)
        lines.append(line)
    return "".join(lines)


def _find_name(path: str, text: str, old: str) -> Location | None:
    """The first position of the old name as a word in a text."""
    match = re.search(rf"\b{old}\b", text)
    if match is None:
        return None
    line = text.count("\n", 0, match.start()) + 1
    return Location(path, (), line, match.start() - text.rfind("\n", 0, match.start()))
