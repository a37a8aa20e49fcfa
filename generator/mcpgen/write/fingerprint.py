"""A fingerprint of the inputs of a project: an unchanged project is recognized without a build."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from mcpgen.write.lock import Lock
from mcpgen.write.snapshot import file_digest, snapshot

SHAPERS = ("black", "datamodel-code-generator", "jinja2")
"""Distributions with versions that can change the generated files."""


def input_name(path: Path, folder: Path) -> str:
    """The name of an input in the lock: relative to the project's folder, POSIX."""
    try:
        return Path(os.path.relpath(path.absolute(), folder.absolute())).as_posix()
    except ValueError:
        # Windows: the paths are on different drives, so no relative path exists.
        return path.absolute().as_posix()


def hash_inputs(folder: Path, names: Iterable[str]) -> dict[str, str] | None:
    """The SHA-256 of each input named by the lock; None if an input cannot be read."""
    try:
        return {name: hash_of((folder / name).read_bytes()) for name in names}
    except (OSError, ValueError):
        return None


def hash_of(content: bytes) -> str:
    """The SHA-256 of an input."""
    return hashlib.sha256(content).hexdigest()


def inputs_digest(inputs: Mapping[str, str], options: Mapping[str, str | bool]) -> str:
    """A hash over the inputs, the options of the build, and mcpgen itself."""
    facts = [sorted(inputs.items()), sorted(options.items()), generator_hash()]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def is_current(lock: Lock, folder: Path, options: Mapping[str, str | bool]) -> bool:
    """True if a build with these options would leave the project unchanged.

    Reads every input and every file that mcpgen owns, and nothing else.
    """
    inputs = hash_inputs(folder, lock.inputs) if lock.digest else None
    if inputs is None or inputs_digest(inputs, options) != lock.digest:
        return False
    return snapshot(folder, lock.files).files == lock.files


@cache
def generator_hash() -> str:
    """A hash over mcpgen's code, templates and runtime, and the versions of `SHAPERS`."""
    package = Path(__file__).parent.parent
    # A wheel has the templates and the runtime in the package.
    beside = [package.parent.parent / name for name in ("templates", "runtime/mcpgen_runtime")]
    hasher = hashlib.sha256()
    for root in (package, *(folder for folder in beside if folder.is_dir())):
        for path in sorted(_source_files(root)):
            hasher.update(path.encode() + b"\0")
            with open(f"{root}/{path}", "rb", buffering=0) as file:
                hasher.update(file_digest(file.read()).encode())
    for name in SHAPERS:
        hasher.update(f"{name}=={_installed_version(name)}\0".encode())
    return hasher.hexdigest()


def _source_files(root: Path) -> Iterator[str]:
    """The files below a folder, as relative POSIX paths, without compiled Python files."""
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != "__pycache__"]
        above = Path(folder).relative_to(root).as_posix()
        for name in names:
            if not name.endswith(".pyc"):
                yield name if above == "." else f"{above}/{name}"


def _installed_version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""
