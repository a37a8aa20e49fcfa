"""What a project was made from, so that an unchanged one is recognised without building it."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from mcpgen.write.lock import Lock
from mcpgen.write.paths import file_digest
from mcpgen.write.snapshot import snapshot

SHAPERS = ("black", "datamodel-code-generator", "jinja2")
"""Distributions whose version can change what is generated."""


def input_name(path: Path, folder: Path) -> str:
    """How the lock calls a file that was read: relative to the project's folder, POSIX."""
    try:
        return Path(os.path.relpath(path.absolute(), folder.absolute())).as_posix()
    except ValueError:
        # Windows: the two are on different drives, and no relative path leads from one to another.
        return path.absolute().as_posix()


def hash_inputs(folder: Path, names: Iterable[str]) -> dict[str, str] | None:
    """The SHA-256 of each input that the lock names; None if one of them cannot be read."""
    try:
        return {name: hash_of((folder / name).read_bytes()) for name in names}
    except (OSError, ValueError):
        return None


def hash_of(content: bytes) -> str:
    """The SHA-256 of a file that a project was made from."""
    return hashlib.sha256(content).hexdigest()


def inputs_digest(inputs: Mapping[str, str], options: Mapping[str, str | bool]) -> str:
    """One hash over the inputs, the options of the build, and mcpgen itself."""
    facts = [sorted(inputs.items()), sorted(options.items()), generator_hash()]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def is_current(lock: Lock, folder: Path, options: Mapping[str, str | bool]) -> bool:
    """Whether the project in the folder is what a build with these options would make.

    Reads every input and every file that mcpgen owns, and nothing else.
    """
    inputs = hash_inputs(folder, lock.inputs) if lock.digest else None
    if inputs is None or inputs_digest(inputs, options) != lock.digest:
        return False
    return snapshot(folder, lock.files).files == lock.files


@cache
def generator_hash() -> str:
    """A hash over mcpgen's code and templates, and the versions of what shapes its output."""
    package = Path(__file__).parent.parent
    shipped = package / "templates"
    templates = shipped if shipped.is_dir() else package.parent.parent / "templates"
    hasher = hashlib.sha256()
    for root in (package, templates):
        for path in sorted(_files(root)):
            hasher.update(path.encode() + b"\0")
            with open(f"{root}/{path}", "rb", buffering=0) as file:
                hasher.update(file_digest(file.read()).encode())
    for name in SHAPERS:
        hasher.update(f"{name}=={_version(name)}\0".encode())
    return hasher.hexdigest()


def _files(root: Path) -> Iterator[str]:
    """The files below a folder, relative to it in POSIX, but not what Python has compiled."""
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != "__pycache__"]
        above = Path(folder).relative_to(root).as_posix()
        for name in names:
            if not name.endswith(".pyc"):
                yield name if above == "." else f"{above}/{name}"


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""
