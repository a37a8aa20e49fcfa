"""Bytes from the disk, bounded, and only from where they may come."""

from __future__ import annotations

import os
import posixpath
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import config as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.read import limits


@dataclass(frozen=True, slots=True)
class FileUnreadable:
    """Why a file gave no bytes, in the operating system's words."""

    reason: str


class FileTooLarge:
    """A file over the budget of one file."""


class FileOutside:
    """A file whose real place, symbolic links followed, lies outside the allowed folder."""


class FileMissing:
    """A path where nothing is."""


class PathIsFolder:
    """A path where a folder is."""


Content = bytes | FileUnreadable | FileTooLarge | FileMissing | PathIsFolder


def content_of(path: Path) -> Content:
    """The bytes of a file that the user named."""
    try:
        if path.is_dir():
            return PathIsFolder()
        with path.open("rb") as file:
            content = file.read(limits.FILE_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return FileMissing()
    except OSError as error:
        return FileUnreadable(error.strerror or type(error).__name__)
    except ValueError:
        # A NUL in the path: the operating system cannot even be asked.
        return FileMissing()
    return FileTooLarge() if len(content) > limits.FILE_BYTES else content


def content_inside(path: str, folder: str) -> Content | FileOutside:
    """The bytes of a file that a specification named.

    `folder` is the real path of the allowed folder. The file is opened by its real path, after
    that has been found to lie inside; anything but a regular file is never opened.
    """
    real = os.path.realpath(path)
    if os.path.commonpath((real, folder)) != folder:
        return FileOutside()
    try:
        mode = os.stat(real).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return FileMissing()
    except OSError as error:
        return FileUnreadable(error.strerror or type(error).__name__)
    if stat.S_ISDIR(mode):
        return PathIsFolder()
    if not stat.S_ISREG(mode):
        return FileUnreadable("it is not a regular file")
    return content_of(Path(real))


@dataclass(frozen=True, slots=True)
class SpecRoot:
    """Where the first document lies (`base`, as typed), its file name, the real path of the allowed
    folder and how messages call that."""

    base: str
    first: str
    allowed: str
    called: str
    wide: bool

    @classmethod
    def of(cls, name: str, root: str | None) -> SpecRoot:
        """The folders of a first document with that name; `root` widens what is allowed."""
        base, first = posixpath.split(name)
        called = root if root is not None else base
        return cls(base, first, os.path.realpath(called), called or ".", root is not None)

    def name_of(self, key: str) -> str:
        """How messages call the document with that key."""
        return posixpath.normpath(posixpath.join(self.base, key))

    def content_of(self, key: str) -> Content | FileOutside:
        """The bytes of the document with that key, if it lies in the allowed folder."""
        if not self.wide and key.split("/")[0] == "..":
            return FileOutside()
        return content_inside(os.path.join(self.base, *key.split("/")), self.allowed)


LARGEST = 1024 * 1024
"""The bytes of a file at most: every server that brings it along holds it in memory."""


def read_files(
    folder: Path, wanted: Mapping[str, Location], diagnostics: Diagnostics
) -> dict[str, bytes]:
    """The content of each file, by its path relative to the folder, which is not left; what cannot be
    read is told at the place that names it.

    Adds UNREADABLE_ATTACHMENT. Raises OSError for a file that is there and cannot be read.
    """
    found: dict[str, bytes] = {}
    root = folder.resolve()
    for path, at in wanted.items():
        given = root / path
        reason, hint = "", "name a file below the folder of mcpgen.toml"
        if not given.resolve().is_relative_to(root):
            reason = "it lies outside of the folder of mcpgen.toml"
        elif not given.is_file():
            reason, hint = "it is no file there", _nearest(given) or hint
        elif given.stat().st_size > LARGEST:
            reason = f"it has more than {LARGEST} bytes"
        else:
            found[path] = given.read_bytes()
            continue
        diagnostics.add(codes.UNREADABLE_ATTACHMENT, at, path=path, reason=reason, nearest=hint)
    return found


def _nearest(given: Path) -> str:
    """A hint with the file of the same folder whose name is most like the one that is missing."""
    names = sorted(each.name for each in given.parent.glob("*") if each.is_file())
    return closest_match(given.name, names)
