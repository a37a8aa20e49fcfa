"""What `emit` returns: the files of a project, in memory."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Owner(StrEnum):
    """Who may change a file: mcpgen rewrites its own at every build, the user's are written once."""

    MCPGEN = "mcpgen"
    USER = "user"


@dataclass(frozen=True, slots=True)
class File:
    """One file: a POSIX path relative to the project's folder, and its text (LF, UTF-8)."""

    path: str
    text: str
    owner: Owner


@dataclass(frozen=True, slots=True)
class Project:
    """The files in order of path; paths are unique, also when case is ignored.

    `tools` maps each operation (`GET /pets/{id}`) to the tool name the project promises.
    """

    files: tuple[File, ...]
    tools: dict[str, str]
