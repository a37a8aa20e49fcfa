"""Result of `emit`: the files of a project, in memory."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Owner(StrEnum):
    """Owner of a file: mcpgen rewrites its own files at every build; user files are written
    once."""

    MCPGEN = "mcpgen"
    USER = "user"
    UNLESS_PRESENT = "unless-present"
    """mcpgen's, unless the folder has such a file that mcpgen did not write: then the user's."""


USER_TEMPLATES = frozenset(
    {".gitignore", "mcpgen.toml", "package/hooks.py", "pyproject.toml", "tests/fixtures.py"}
)
"""The templates of files with the owner `USER`; `package/` stands for the folder of the package."""


@dataclass(frozen=True, slots=True)
class File:
    """One file: POSIX path relative to the project folder, and text (LF, UTF-8)."""

    path: str
    text: str
    owner: Owner


@dataclass(frozen=True, slots=True)
class Project:
    """Files in order of path, unique also case-insensitively.

    `tools`: tool name of each operation (`GET /pets/{id}`).
    """

    files: tuple[File, ...]
    tools: dict[str, str]
