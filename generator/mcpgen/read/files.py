"""Bytes from the disk, bounded, and only from where they may come."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from mcpgen.frozen import frozen
from mcpgen.read import limits


@frozen
class Unreadable:
    """Why a file gave no bytes, in the operating system's words."""

    reason: str


class TooLarge:
    """A file over the budget of one file."""


class Outside:
    """A file whose real place, symbolic links followed, lies outside the allowed folder."""


class Missing:
    """A path where nothing is."""


class Folder:
    """A path where a folder is."""


Content = bytes | Unreadable | TooLarge | Missing | Folder


def content_of(path: Path) -> Content:
    """The bytes of a file that the user named."""
    try:
        if path.is_dir():
            return Folder()
        with path.open("rb") as file:
            content = file.read(limits.FILE_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return Missing()
    except OSError as error:
        return Unreadable(error.strerror or type(error).__name__)
    except ValueError:
        # A NUL in the path: the operating system cannot even be asked.
        return Missing()
    return TooLarge() if len(content) > limits.FILE_BYTES else content


def content_inside(path: str, folder: str) -> Content | Outside:
    """The bytes of a file that a specification named.

    `folder` is the real path of the allowed folder. The file is opened by its real path, after
    that has been found to lie inside; anything but a regular file is never opened.
    """
    real = os.path.realpath(path)
    if os.path.commonpath((real, folder)) != folder:
        return Outside()
    try:
        mode = os.stat(real).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return Missing()
    except OSError as error:
        return Unreadable(error.strerror or type(error).__name__)
    if stat.S_ISDIR(mode):
        return Folder()
    if not stat.S_ISREG(mode):
        return Unreadable("it is not a regular file")
    return content_of(Path(real))
