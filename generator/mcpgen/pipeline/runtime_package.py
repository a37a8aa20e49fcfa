"""The runtime as a package: makes the wheel of `mcpgen-runtime`, and finds projects whose copy has known
defects.

The wheel is pure Python, so no build backend is needed: https://packaging.python.org/en/latest/specifications/binary-distribution-format/
"""

from __future__ import annotations

import base64
import hashlib
import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from mcpgen import write
from mcpgen.diagnostics import Diagnostics
from mcpgen.emit.render import runtime_folder
from mcpgen.pipeline.all_projects import find_projects

_DATE = (1980, 1, 1, 0, 0, 0)
"""The same for every file, so that equal sources give equal wheels."""

_WHEEL = "Wheel-Version: 1.0\nGenerator: mcpgen\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def write_runtime_wheel(folder: Path) -> Path:
    """Writes the wheel into a folder, which is made if needed; returns the path of the wheel."""
    source = runtime_folder()
    project = tomllib.loads((source / "pyproject.toml").read_text("utf-8"))["project"]
    name = f"mcpgen_runtime-{project['version']}"
    files = dict(_wheel_files(source, project, f"{name}.dist-info"))
    records = [
        f"{path},sha256={_record_digest(content)},{len(content)}" for path, content in files.items()
    ]
    record = f"{name}.dist-info/RECORD"
    files[record] = "\n".join([*records, f"{record},,", ""]).encode()
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"{name}-py3-none-any.whl"
    with ZipFile(wheel, "w", ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = ZipInfo(path, _DATE)
            entry.external_attr = 0o644 << 16
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, content)
    return wheel


def _wheel_files(source: Path, project: dict[str, Any], info: str) -> Iterator[tuple[str, bytes]]:
    """The files of the wheel but `RECORD`, by path, in order."""
    for path in sorted((source / "mcpgen_runtime").rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(source).as_posix(), path.read_bytes()
    readme = (source / project["readme"]).read_text("utf-8")
    yield f"{info}/METADATA", _wheel_metadata(project, readme).encode()
    yield f"{info}/WHEEL", _WHEEL.encode()
    yield f"{info}/licenses/LICENSE", (source / "LICENSE").read_bytes()


def _wheel_metadata(project: dict[str, Any], readme: str) -> str:
    """`METADATA`: https://packaging.python.org/en/latest/specifications/core-metadata/"""
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"License-Expression: {project['license']}",
        "License-File: LICENSE",
        f"Keywords: {','.join(project['keywords'])}",
        *(f"Classifier: {classifier}" for classifier in project["classifiers"]),
        f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {requirement}" for requirement in project["dependencies"]),
    ]
    for extra, requirements in sorted(project["optional-dependencies"].items()):
        lines.append(f"Provides-Extra: {extra}")
        lines += [
            f"Requires-Dist: {_with_extra(requirement, extra)}" for requirement in requirements
        ]
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", readme])


def _with_extra(requirement: str, extra: str) -> str:
    """A requirement that holds for an extra only."""
    bare, _, marker = requirement.partition(";")
    condition = f"({marker.strip()}) and extra == '{extra}'" if marker else f"extra == '{extra}'"
    return f"{bare.strip()} ; {condition}"


def _record_digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


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
