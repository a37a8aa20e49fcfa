"""The requirements in a project's `pyproject.toml`, compared with the server's and with the installed packages."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from pathlib import Path

from mcpgen import write
from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import config as config_codes
from mcpgen.diagnostics.codes import write as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.project import Project
from mcpgen.ir.server import Server

PYPROJECT = "pyproject.toml"

_EXTRA = re.compile(r"extra == ['\"]([a-z]+)['\"]")
"""The marker of a requirement that belongs to an extra."""

_COMBINED = frozenset({"all", "bench", "dev"})
"""The extras of mcpgen that install the packages of others, or none that a project requires."""

_DISTRIBUTION = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")

_PINNED = re.compile(r"^([a-z0-9-]+)==([^ ;\\]+)", re.MULTILINE)
"""A package of a lock file, and its version."""


def report_missing_dependencies(
    project: Project, folder: Path, name: str, diagnostics: Diagnostics
) -> None:
    """Says which distributions the server needs and the file in its folder does not ask for; `name`
    is what messages call the file. Adds MISSING_DISTRIBUTION."""
    there = _dependencies(_content(folder / PYPROJECT))
    wanted = next((file.text for file in project.files if file.path == PYPROJECT), "")
    if there is None:
        return
    for distribution, requirement in (_dependencies(wanted) or {}).items():
        if distribution not in there:
            diagnostics.add(
                codes.MISSING_DISTRIBUTION,
                Location(name),
                distribution=distribution,
                requirement=requirement,
            )


def report_unlocked_requirements(
    project: Project, folder: Path, config: Config, name: str, diagnostics: Diagnostics
) -> None:
    """Tells which requirements of the `pyproject.toml` in `folder` no lock file meets; `name` is the
    path of the file in messages. Adds UNLOCKED_REQUIREMENT and MISSING_LOCK."""
    own = config.deployment.lock
    if own and not (folder / own).is_file():
        at = config.at("deploy", "lock") or Location(own)
        diagnostics.add(config_codes.MISSING_LOCK, at, path=own)
    texts = {file.path: file.text for file in project.files}
    content = _content(folder / PYPROJECT)
    if content == texts.get(PYPROJECT, content):
        return
    locked = texts.get("requirements.lock", "") + (_content(folder / own) if own else "")
    if not locked:
        return
    pinned = dict(_PINNED.findall(locked))
    for requirement in (_dependencies(content) or {}).values():
        if not _is_met(requirement, pinned):
            diagnostics.add(
                config_codes.UNLOCKED_REQUIREMENT, Location(name), requirement=requirement
            )


def _is_met(requirement: str, pinned: Mapping[str, str]) -> bool:
    """True if a pinned version meets the requirement; pip tells of one that is no requirement."""
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        wanted = Requirement(requirement)
    except InvalidRequirement:
        return True
    version = pinned.get(_named(requirement))
    return version is not None and wanted.specifier.contains(version, prereleases=True)


def missing_extras(folder: Path) -> dict[str, str]:
    """The distributions that the project in `folder` requires, that only an extra of mcpgen installs and
    that are not installed; each with the name of the extra, in order of name."""
    extra_of = _extras()
    required = _dependencies(_content(folder / PYPROJECT)) or {}
    return {
        distribution: extra_of[distribution]
        for distribution in sorted(required)
        if distribution in extra_of and not _is_installed(distribution)
    }


@cache
def _extras() -> dict[str, str]:
    """The extra of mcpgen that installs a distribution, by distribution; extras that combine others are
    not among them, nor are any where mcpgen runs without being installed."""
    try:
        declared = metadata.requires("mcpgen") or []
    except metadata.PackageNotFoundError:
        return {}
    found = ((_named(one), _EXTRA.search(one)) for one in declared)
    return {name: extra[1] for name, extra in found if extra and extra[1] not in _COMBINED}


def _is_installed(distribution: str) -> bool:
    try:
        metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return False
    return True


def _content(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError, UnicodeDecodeError):
        return ""


def _dependencies(text: str) -> Mapping[str, str] | None:
    """The requirements of a project by distribution; None where the file does not list them."""
    try:
        listed = tomllib.loads(text)["project"]["dependencies"]
    except (tomllib.TOMLDecodeError, KeyError, TypeError):
        return None
    if not isinstance(listed, list):
        return None
    return {_named(one): one for one in listed if isinstance(one, str)}


def _named(requirement: str) -> str:
    """The distribution of a requirement, as https://peps.python.org/pep-0503/ compares names."""
    match = _DISTRIBUTION.match(requirement)
    return re.sub(r"[-_.]+", "-", match[1]).lower() if match else ""


HOOKS = "hooks.py"


def report_unknown_hooks(
    server: Server, folder: Path, folder_name: str, package: str, diagnostics: Diagnostics
) -> None:
    """Finds the literal keys of `HOOKS` that are no tool of the server, without running the file.

    `package` is the folder of `hooks.py` in the project's folder, which messages call `folder_name`.
    Adds UNKNOWN_HOOK.
    """
    from mcpgen.smoke_test.inspect_project import hook_keys

    found = server.discovery.tools if server.discovery else ()
    names = [tool.name for tool in (*server.tools, *server.beside, *found)]
    file = write.file_name(folder_name, f"{package}/{HOOKS}")
    for key in hook_keys(folder / package / HOOKS):
        if key.name not in names:
            hint = closest_match(key.name, names) or "remove the entry"
            at = Location(file, (), key.line, key.column)
            diagnostics.add(codes.UNKNOWN_HOOK, at, name=key.name, hint=hint)
