"""Bytes from the disk, bounded, and only from where they may come."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

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
