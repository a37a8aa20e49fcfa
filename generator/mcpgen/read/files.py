"""Reads files in bounded size: named by the user, by a specification, or by `mcpgen.toml`."""

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
    """The operating system's reason for a failed read."""

    reason: str


class FileTooLarge:
    """A file above `limits.FILE_BYTES`."""


class FileOutside:
    """A file outside the allowed folder once symbolic links are resolved."""


class FileMissing:
    """A path without a file."""


class PathIsFolder:
    """A path of a folder."""


ReadResult = bytes | FileUnreadable | FileTooLarge | FileMissing | PathIsFolder
"""Bytes of a file, or why the file was not read."""


def read_user_file(path: Path) -> ReadResult:
    """Reads a file that the user named."""
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
        # Python refuses a path with a NUL character before it asks the operating system.
        return FileMissing()
    return FileTooLarge() if len(content) > limits.FILE_BYTES else content


def read_file_inside(path: str, folder: str) -> ReadResult | FileOutside:
    """Reads a file that a specification named, if the file lies in `folder`, a real path.

    The check and the opening use the same resolved path, so a symbolic link cannot lead outside.
    Only regular files are opened: a FIFO would block the build.
    """
    real = os.path.realpath(path)
    try:
        if os.path.commonpath((real, folder)) != folder:
            return FileOutside()
    except ValueError:
        # Windows: the paths are on different drives.
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
    return read_user_file(Path(real))


@dataclass(frozen=True, slots=True)
class SpecRoot:
    """Folder of the first document, and the folder that references must not leave.

    `base`: folder of the first document as the user typed the path. `first`: file name of the first
    document. `allowed`: real path of the allowed folder; `label`: the allowed folder in messages.
    `has_root`: true if the user named the allowed folder. Documents are identified by keys: paths
    relative to `base`, with `/`.
    """

    base: str
    first: str
    allowed: str
    label: str
    has_root: bool

    @classmethod
    def of(cls, name: str, root: str | None) -> SpecRoot:
        """Folders for a first document at path `name`; `root` names a larger allowed folder."""
        base, first = posixpath.split(name)
        folder = root if root is not None else base
        return cls(base, first, os.path.realpath(folder), folder or ".", root is not None)

    def name_of(self, key: str) -> str:
        """Path of a document in messages, normalized, with `/`."""
        return posixpath.normpath(posixpath.join(self.base, key))

    def read_document(self, key: str) -> ReadResult | FileOutside:
        """Reads the document with the given key, if the file lies in the allowed folder."""
        if not self.has_root and key.split("/")[0] == "..":
            # Refused even if the path leads back into the folder.
            return FileOutside()
        return read_file_inside(os.path.join(self.base, *key.split("/")), self.allowed)


MAX_CONFIG_FILE_BYTES = 1024 * 1024
"""Bytes per file. Every server that ships the file holds the content in memory."""


def read_config_files(
    folder: Path, locations: Mapping[str, Location], diagnostics: Diagnostics
) -> dict[str, bytes]:
    """Reads files that `mcpgen.toml` names; returns contents by path relative to `folder`.

    `locations` maps each path to the place that names the file. Adds UNREADABLE_ATTACHMENT for a
    file outside `folder`, a missing file or a file above 1 MiB. Raises OSError for an existing file
    that cannot be read.
    """
    contents: dict[str, bytes] = {}
    root = folder.resolve()
    for path, at in locations.items():
        file = root / path
        reason, hint = "", "name a file below the folder of mcpgen.toml"
        if not file.resolve().is_relative_to(root):
            reason = "it lies outside of the folder of mcpgen.toml"
        elif not file.is_file():
            reason, hint = "there is no file at this path", _similar_file_hint(file) or hint
        elif file.stat().st_size > MAX_CONFIG_FILE_BYTES:
            reason = f"it has more than {MAX_CONFIG_FILE_BYTES} bytes"
        else:
            contents[path] = file.read_bytes()
            continue
        diagnostics.add(codes.UNREADABLE_ATTACHMENT, at, path=path, reason=reason, nearest=hint)
    return contents


def _similar_file_hint(file: Path) -> str:
    """Hint with the most similar file name in the same folder, or `""`."""
    names = sorted(entry.name for entry in file.parent.glob("*") if entry.is_file())
    return closest_match(file.name, names)
