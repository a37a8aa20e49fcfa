"""Checks the files of the user in a project: dependencies in `pyproject.toml` and overrides in
`hooks.py`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from difflib import SequenceMatcher
from functools import cache
from importlib import metadata
from pathlib import Path

from mcpgen import write
from mcpgen.config import NAME as CONFIG_NAME
from mcpgen.config import Config
from mcpgen.config.tables.project import RuntimeMode
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import config as config_codes
from mcpgen.diagnostics.codes import write as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.emit.runtime import runtime_requirements, runtime_version
from mcpgen.ir.project import Project
from mcpgen.ir.server import Server

PYPROJECT = "pyproject.toml"
RUNTIME = "mcpgen-runtime"

_EXTRA = re.compile(r"extra == ['\"]([a-z]+)['\"]")
"""The marker of a requirement in an extra."""

_COMBINED = frozenset({"all", "bench", "dev"})
"""Extras of mcpgen with packages of other extras, or without a package for projects."""

_DISTRIBUTION = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")

_RUNTIME_RANGE = re.compile(
    r'"(?P<requirement>mcpgen-runtime(?:\[[a-z,]+\])?'
    r'(?P<versions>>=(?P<major>\d+)\.(?P<minor>\d+)\.\d+,<(?P=major)\.(?P<end>\d+)))"'
)
"""A requirement of the runtime with a range of versions as builds write it."""

_PINNED = re.compile(r"^([a-z0-9-]+)==([^ ;\\]+)", re.MULTILINE)
"""A package and the version in a lock file."""


def read_pyproject(folder: Path) -> str:
    """The text of `pyproject.toml`, `""` for an absent or unreadable file. Line ends stay as they are."""
    return _text_or_empty(folder / PYPROJECT)


def with_runtime_range(content: str, name: str, diagnostics: Diagnostics) -> str:
    """The text of `pyproject.toml` whose requirement of the runtime admits the version of this mcpgen,
    from the text `content`. A range that an earlier build wrote is replaced, an edited requirement
    stays. Adds CHANGED_REQUIREMENTS at the file `name`."""
    match = _RUNTIME_RANGE.search(content)
    version = runtime_version()
    if not match or int(match["end"]) != int(match["minor"]) + 1:
        return content
    if _is_met(match["requirement"], {RUNTIME: version}):
        return content
    versions = runtime_requirements(())[0].removeprefix(RUNTIME)
    diagnostics.add(codes.CHANGED_REQUIREMENTS, Location(name), cause=f"{RUNTIME} {version}")
    return content[: match.start("versions")] + versions + content[match.end("versions") :]


def switched_pyproject(
    content: str, server: Server, config: Config, name: str, diagnostics: Diagnostics
) -> str:
    """The text of `pyproject.toml` after a switch of `runtime`, from the text `content` for the other
    mode: the lines in which both modes differ are replaced, the user's lines stay. Returns `content`
    if one of these lines was edited. Adds CHANGED_REQUIREMENTS at the file `name`."""
    # Loaded here: an unchanged build renders no file.
    from mcpgen.emit.project import pyproject_text

    is_vendored = config.runtime is RuntimeMode.VENDORED
    other_mode = RuntimeMode.PACKAGE if is_vendored else RuntimeMode.VENDORED
    before = pyproject_text(server, replace(config, runtime=other_mode))
    switched = _with_difference(content, before, pyproject_text(server, config))
    if switched is None:
        return content
    cause = f'`runtime = "{config.runtime.value}"`'
    diagnostics.add(codes.CHANGED_REQUIREMENTS, Location(name), cause=cause)
    return switched


def _with_difference(text: str, before: str, after: str) -> str | None:
    """The text with the difference between two other texts; None unless each replaced sequence of lines
    is in the text once. New lines end as the lines of the text."""
    if "\r\n" in text:
        before, after = (other.replace("\n", "\r\n") for other in (before, after))
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    for kind, start, end, new_start, new_end in SequenceMatcher(None, old, new).get_opcodes():
        if kind == "equal":
            continue
        replaced = "".join(old[start:end])
        if not replaced or f"\n{text}".count(f"\n{replaced}") != 1:
            return None
        text = text.replace(replaced, "".join(new[new_start:new_end]), 1)
    return text


def report_missing_dependencies(
    project: Project, content: str, name: str, diagnostics: Diagnostics
) -> None:
    """Reports distributions of the server without an entry in `pyproject.toml`, and an entry for
    another minor version of the runtime. `content` is the file's text, `name` its name in messages. Adds
    MISSING_DISTRIBUTION and OTHER_RUNTIME_REQUIRED."""
    present = _dependencies(content)
    pyproject = next((file.text for file in project.files if file.path == PYPROJECT), "")
    if present is None:
        return
    for distribution, requirement in (_dependencies(pyproject) or {}).items():
        if distribution not in present:
            diagnostics.add(
                codes.MISSING_DISTRIBUTION,
                Location(name),
                distribution=distribution,
                requirement=requirement,
            )
        elif distribution == RUNTIME and not _is_met(
            present[distribution], {RUNTIME: runtime_version()}
        ):
            diagnostics.add(
                codes.OTHER_RUNTIME_REQUIRED,
                Location(name),
                present=present[distribution],
                version=runtime_version(),
                requirement=requirement,
            )


def report_unlocked_requirements(
    project: Project,
    folder: Path,
    content: str,
    config: Config,
    name: str,
    diagnostics: Diagnostics,
) -> None:
    """Reports requirements of the `pyproject.toml` with the text `content` without a matching version in a
    lock file in `folder`. `name` is the file's path in messages. Adds UNLOCKED_REQUIREMENT and
    MISSING_LOCK."""
    lock = config.deployment.lock
    if lock and not (folder / lock).is_file():
        at = config.at("deploy", "lock") or Location(lock)
        diagnostics.add(config_codes.MISSING_LOCK, at, path=lock)
    texts = {file.path: file.text for file in project.files}
    if content == texts.get(PYPROJECT, content):
        return
    locked = texts.get("requirements.lock", "") + (_text_or_empty(folder / lock) if lock else "")
    if not locked:
        return
    pinned = dict(_PINNED.findall(locked))
    for requirement in (_dependencies(content) or {}).values():
        if not _is_met(requirement, pinned):
            diagnostics.add(
                config_codes.UNLOCKED_REQUIREMENT, Location(name), requirement=requirement
            )


def _is_met(requirement: str, pinned: Mapping[str, str]) -> bool:
    """True if a pinned version meets the requirement, and for invalid requirements: pip reports
    invalid requirements."""
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        parsed = Requirement(requirement)
    except InvalidRequirement:
        return True
    version = pinned.get(_distribution_name(requirement))
    return version is not None and parsed.specifier.contains(version, prereleases=True)


def missing_extras(folder: Path) -> dict[str, str]:
    """Returns distributions required by the project in `folder`, provided only by an extra of
    mcpgen and not installed; with the extra's name, sorted by distribution."""
    extra_of = _extras()
    required = _dependencies(read_pyproject(folder)) or {}
    return {
        distribution: extra_of[distribution]
        for distribution in sorted(required)
        if distribution in extra_of and not _is_installed(distribution)
    }


@cache
def _extras() -> dict[str, str]:
    """Returns the extra of mcpgen per distribution, without combined extras; empty if mcpgen runs
    without an installation."""
    try:
        declared = metadata.requires("mcpgen") or []
    except metadata.PackageNotFoundError:
        return {}
    pairs = (
        (_distribution_name(requirement), _EXTRA.search(requirement)) for requirement in declared
    )
    return {name: extra[1] for name, extra in pairs if extra and extra[1] not in _COMBINED}


def _is_installed(distribution: str) -> bool:
    try:
        metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return False
    return True


def _text_or_empty(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except (FileNotFoundError, NotADirectoryError, UnicodeDecodeError):
        return ""


def _dependencies(text: str) -> Mapping[str, str] | None:
    """Returns the requirements by distribution; None for a file without `project.dependencies`."""
    try:
        entries = tomllib.loads(text)["project"]["dependencies"]
    except (tomllib.TOMLDecodeError, KeyError, TypeError):
        return None
    if not isinstance(entries, list):
        return None
    return {
        _distribution_name(requirement): requirement
        for requirement in entries
        if isinstance(requirement, str)
    }


def _distribution_name(requirement: str) -> str:
    """Returns the normalized distribution name of a requirement, https://peps.python.org/pep-0503/."""
    match = _DISTRIBUTION.match(requirement)
    return re.sub(r"[-_.]+", "-", match[1]).lower() if match else ""


def runtime_requirement(folder: Path) -> str:
    """The requirement of the runtime in the `pyproject.toml` of a project, `""` without one."""
    return (_dependencies(read_pyproject(folder)) or {}).get(RUNTIME, "")


def locked_runtime(folder: Path) -> str:
    """The version of the runtime in the lock file that `deploy.lock` names, `""` without one. Raises
    OSError for an unreadable `mcpgen.toml`, and ValueError for an invalid one."""
    deploy = tomllib.loads((folder / CONFIG_NAME).read_text("utf-8")).get("deploy")
    name = deploy.get("lock") if isinstance(deploy, dict) else None
    locked = _text_or_empty(folder / name) if isinstance(name, str) else ""
    pinned: dict[str, str] = dict(_PINNED.findall(locked))
    return pinned.get(RUNTIME, "")


HOOKS = "hooks.py"


def report_questions(
    server: Server, folder: Path, folder_name: str, package: str, diagnostics: Diagnostics
) -> None:
    """Reports handlers that ask the client of a server without questions. Adds QUESTION_IN_HOOK."""
    from mcpgen.emit.extensions import asks_clients
    from mcpgen.smoke_test.inspect_project import asking_calls

    if asks_clients(server):
        return
    file = write.file_name(folder_name, f"{package}/{HOOKS}")
    for call in asking_calls(folder / package / HOOKS):
        at = Location(file, (), call.line, call.column)
        diagnostics.add(codes.QUESTION_IN_HOOK, at, name=f"call.{call.name}")


def report_unknown_hooks(
    server: Server, folder: Path, folder_name: str, package: str, diagnostics: Diagnostics
) -> None:
    """Reports literal keys of `HOOKS` without a tool of the same name, without running the file.

    `package` is the folder of `hooks.py` in the project; `folder_name` is the project's name in
    messages. Adds UNKNOWN_HOOK.
    """
    from mcpgen.smoke_test.inspect_project import hook_keys

    discovery_tools = server.discovery.tools if server.discovery else ()
    names = [tool.name for tool in (*server.tools, *server.builtin_tools, *discovery_tools)]
    file = write.file_name(folder_name, f"{package}/{HOOKS}")
    for key in hook_keys(folder / package / HOOKS):
        if key.name not in names:
            hint = closest_match(key.name, names) or "remove the entry"
            at = Location(file, (), key.line, key.column)
            diagnostics.add(codes.UNKNOWN_HOOK, at, name=key.name, hint=hint)
