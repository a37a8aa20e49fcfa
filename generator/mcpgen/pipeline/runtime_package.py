"""The runtime as a package: makes the wheel of `mcpgen-runtime`, and finds projects whose runtime has known
defects.

The wheel is pure Python, so no build backend is needed: https://packaging.python.org/en/latest/specifications/binary-distribution-format/
"""

from __future__ import annotations

import base64
import hashlib
import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from mcpgen import write
from mcpgen.diagnostics import Diagnostics
from mcpgen.emit.render import runtime_folder
from mcpgen.pipeline.all_projects import find_projects
from mcpgen.pipeline.project_checks import PYPROJECT, locked_runtime, runtime_requirement

_DATE = (1980, 1, 1, 0, 0, 0)
"""The same for every file, so that equal sources give equal wheels."""

_LOWER_BOUNDS = frozenset({">=", "==", "~=", ">"})
"""The operators of a version specifier that exclude lower versions."""

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
class ProjectRuntime:
    """The runtime of a project, with the advisories that affect it.

    `version` is the version of the copy, or the version in the lock file of a project that depends on the
    package; `""` without such a lock file. The advisories then affect the lowest version that `requirement`,
    from `pyproject.toml`, admits. `error` says why the runtime is not known.
    """

    folder: str
    version: str = ""
    requirement: str = ""
    advisories: tuple[Advisory, ...] = ()
    error: str = ""


def read_advisories(path: Path | None = None) -> tuple[Advisory, ...]:
    """The advisories of a JSON file; by default those that this mcpgen carries.

    Raises OSError for a file that cannot be read, and ValueError for another content than a list of advisories.
    """
    from packaging.specifiers import SpecifierSet

    path = path or runtime_folder() / "mcpgen_runtime" / "advisories.json"
    try:
        advisories = tuple(Advisory(**entry) for entry in json.loads(path.read_text("utf-8")))
        for advisory in advisories:
            SpecifierSet(advisory.affected)
    except (TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"{path} is no list of advisories: {error}") from None
    return advisories


def project_runtimes(folder: str, advisories: tuple[Advisory, ...]) -> list[ProjectRuntime]:
    """The runtime of every project at or below a folder, in order of the folders."""
    runtimes = []
    for project in find_projects(folder):
        runtime = _project_runtime(project)
        affecting = tuple(each for each in advisories if _affects(each, runtime))
        runtimes.append(replace(runtime, advisories=affecting))
    return runtimes


def _project_runtime(project: str) -> ProjectRuntime:
    from packaging.version import InvalidVersion, Version

    diagnostics = Diagnostics()
    lock = write.read_lock(Path(project), project, diagnostics)
    if lock is None:
        return ProjectRuntime(project, error=next(iter(diagnostics)).message)
    version = lock.runtime
    requirement = runtime_requirement(Path(project))
    if not version and not requirement:
        return ProjectRuntime(project, error=f"neither a copy nor `{PYPROJECT}` has the runtime")
    try:
        version = version or locked_runtime(Path(project))
        Version(version or "0")
    except (InvalidVersion, OSError, ValueError) as error:
        return ProjectRuntime(project, error=str(error))
    return ProjectRuntime(project, version, "" if lock.runtime else requirement)


def _affects(advisory: Advisory, runtime: ProjectRuntime) -> bool:
    from packaging.requirements import Requirement
    from packaging.specifiers import SpecifierSet
    from packaging.version import Version

    version = runtime.version
    if not version and runtime.requirement:
        bounds = Requirement(runtime.requirement).specifier
        lower = [Version(bound.version) for bound in bounds if bound.operator in _LOWER_BOUNDS]
        version = str(max(lower, default=Version("0")))
    return bool(version) and SpecifierSet(advisory.affected).contains(version, prereleases=True)
