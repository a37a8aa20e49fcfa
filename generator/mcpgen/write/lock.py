"""`mcpgen.lock`: the files that mcpgen owns in a project, and the published tool names."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from mcpgen import __version__
from mcpgen.config.key_spec import JsonSchema
from mcpgen.config.schema import DIALECT
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import write as codes
from mcpgen.write.snapshot import is_inside

NAME = "mcpgen.lock"
"""The file's name in a project's folder."""

FORMAT = 1
"""Grows when an older mcpgen would misread the lock."""


@dataclass(frozen=True, slots=True)
class Lock:
    """The facts of the last build.

    `mcpgen` is the version of the generator. `digest` is over all inputs of the project, or `""` if
    the next build shall compare everything; `verified`: the project has passed the smoke test.
    `name` and `package` are the project's, kept when the API's title changes. `inputs` are the
    files read, by path relative to the folder (POSIX), with the hash of each file. `files` are the
    files owned by mcpgen, with hashes. `tools` maps operations to tool names, and `operation_ids`
    to the former operationIds. `ejected` are files handed from mcpgen to the user. `runtime` is the
    version of the runtime copied into the project, `""` for a project that depends on the package.
    """

    mcpgen: str = ""
    digest: str = ""
    verified: bool = False
    name: str = ""
    package: str = ""
    inputs: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    tools: Mapping[str, str] = field(default_factory=dict)
    ejected: tuple[str, ...] = ()
    operation_ids: Mapping[str, str] = field(default_factory=dict)
    runtime: str = ""

    @property
    def text(self) -> str:
        """The file's text: JSON with a fact per line, in an order derived only from the facts."""
        tree = {
            "format": FORMAT,
            "mcpgen": self.mcpgen,
            "runtime": self.runtime,
            "digest": self.digest,
            "verified": self.verified,
            "name": self.name,
            "package": self.package,
            "inputs": dict(sorted(self.inputs.items())),
            "files": dict(sorted(self.files.items())),
            "tools": dict(sorted(self.tools.items())),
            "operation_ids": dict(sorted(self.operation_ids.items())),
            "ejected": sorted(self.ejected),
        }
        # ASCII: operations are spec text, and invisible characters would deceive a reviewer.
        return json.dumps(tree, indent=2) + "\n"

    def is_newer(self, version: str) -> bool:
        """True if a later mcpgen than `version` has built, as PEP 440 orders versions."""
        return _is_later_version(self.mcpgen, version)

    def has_newer_runtime(self, version: str) -> bool:
        """True if the project has a copy of a later runtime than `version`."""
        return bool(self.runtime) and _is_later_version(self.runtime, version)

    def promises(self, other: Lock) -> bool:
        """True if both locks have the same facts about the project, whatever the build, the inputs
        and the runtime."""
        return self == replace(
            other,
            mcpgen=self.mcpgen,
            digest=self.digest,
            verified=self.verified,
            inputs=self.inputs,
            operation_ids=self.operation_ids,
            runtime=self.runtime,
        )


def read_lock(folder: Path, name: str, diagnostics: Diagnostics) -> Lock | None:
    """The lock in a folder, called `name` in messages; None for an absent or unusable lock.

    Adds BROKEN_LOCK and NEWER_LOCK; raises OSError for a file that cannot be read.
    """
    try:
        content = (folder / NAME).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        tree = json.loads(content)
    except json.JSONDecodeError as error:
        at = Location(name, (), error.lineno, error.colno)
        diagnostics.add(codes.BROKEN_LOCK, at, reason=f"it is not JSON: {error.msg}")
        return None
    except (UnicodeDecodeError, RecursionError):
        diagnostics.add(codes.BROKEN_LOCK, Location(name), reason="it is not JSON")
        return None
    if isinstance(tree, dict) and type(tree.get("format")) is int and tree["format"] > FORMAT:
        version = tree.get("mcpgen")
        version = version if isinstance(version, str) and version.isprintable() else "of later"
        diagnostics.add(codes.NEWER_LOCK, Location(name, ("format",)), version=version[:40])
        return None
    if isinstance(tree, dict):
        # Locks of mcpgen 0.1 lack both members.
        tree.setdefault("operation_ids", {})
        tree.setdefault("runtime", "")
    for where, what, holds, *_ in FACTS:
        if not (isinstance(tree, dict) and where in tree and holds(tree[where])):
            at = Location(name, (where,))
            diagnostics.add(codes.BROKEN_LOCK, at, reason=f"`{where}` is not {what}")
            return None
    return Lock(
        tree["mcpgen"],
        tree["digest"],
        tree["verified"],
        tree["name"],
        tree["package"],
        tree["inputs"],
        tree["files"],
        tree["tools"],
        tuple(sorted(tree["ejected"])),
        tree["operation_ids"],
        tree["runtime"],
    )


def _is_later_version(version: str, other: str) -> bool:
    if version == other:
        return False
    # Loading `packaging` takes longer than reading the lock, and the versions are nearly always the same.
    from packaging.version import Version

    return Version(version) > Version(other)


def _is_string(value: Any) -> bool:
    return isinstance(value, str)


def _is_version(value: Any) -> bool:
    """True for a version in the notation of PEP 440, which messages can print."""
    if value == __version__:
        return True
    if not _is_string(value) or len(value) > 100 or value != value.strip():
        return False
    from packaging.version import InvalidVersion, Version

    try:
        return bool(Version(value))
    except InvalidVersion:
        return False


def _is_runtime(value: Any) -> bool:
    """True for a version, or `""` for a project without a copy of the runtime."""
    return value == "" or _is_version(value)


def _is_package(value: Any) -> bool:
    """True for a package name or `""`. The name is the folder of the files that a build may move."""
    return _is_string(value) and (not value or (value.isascii() and value.isidentifier()))


def _is_string_mapping(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())


def _are_paths(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(path, str) and is_inside(path) for path in value
    )


_TEXT: JsonSchema = {"type": "string"}
_TEXTS: JsonSchema = {"type": "object", "additionalProperties": _TEXT}
_LIST: JsonSchema = {"type": "array", "items": _TEXT}

FACTS: tuple[tuple[str, str, Callable[[Any], bool], JsonSchema, str], ...] = (
    (
        "format",
        f"{FORMAT}",
        lambda value: value == FORMAT,
        {"const": FORMAT},
        "The version of this format.",
    ),
    ("mcpgen", "a version", _is_version, _TEXT, "The version of mcpgen that built the project."),
    (
        "runtime",
        "a version",
        _is_runtime,
        _TEXT,
        "The version of the copied runtime; empty for a project that depends on the package.",
    ),
    (
        "digest",
        "a digest",
        _is_string,
        _TEXT,
        "Digest of all inputs; empty if the next build compares everything.",
    ),
    (
        "verified",
        "true or false",
        lambda value: isinstance(value, bool),
        {"type": "boolean"},
        "Whether the built server has passed its checks.",
    ),
    ("name", "a name", _is_string, _TEXT, "The project's name."),
    (
        "package",
        "the name of a package",
        _is_package,
        {"type": "string", "pattern": "^([A-Za-z_][A-Za-z0-9_]*)?$"},
        "The import name of the package.",
    ),
    (
        "inputs",
        "a table of hashes",
        _is_string_mapping,
        _TEXTS,
        "Hashes of the files read, by path.",
    ),
    (
        "files",
        "a table of hashes of files inside the project",
        lambda value: _is_string_mapping(value) and _are_paths(list(value)),
        _TEXTS,
        "Hashes of the files that mcpgen owns, by path.",
    ),
    (
        "tools",
        "a table of tool names",
        _is_string_mapping,
        _TEXTS,
        "Published tool names, by operation.",
    ),
    (
        "operation_ids",
        "a table of operationIds",
        _is_string_mapping,
        _TEXTS,
        "Former operationIds, by operation.",
    ),
    (
        "ejected",
        "a list of files inside the project",
        _are_paths,
        _LIST,
        "Files handed to the user by `mcpgen eject`.",
    ),
)
"""Every member of the lock: name, the value in messages, the check, the JSON Schema, and the
description. A path out of the folder is refused: builds may delete files of the lock."""


def lock_schema() -> JsonSchema:
    """The JSON Schema of `mcpgen.lock`. Locks of mcpgen 0.1 lack `runtime` and `operation_ids`."""
    return {
        "$schema": DIALECT,
        "$comment": "Generated by mcpgen.",
        "title": "mcpgen.lock",
        "description": "The files that mcpgen owns in a project, and the published tool names.",
        "type": "object",
        "required": [name for name, *_ in FACTS if name not in ("runtime", "operation_ids")],
        "properties": {
            name: {"description": meaning, **schema} for name, _, _, schema, meaning in FACTS
        },
    }
