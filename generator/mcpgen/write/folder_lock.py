"""Locks a project's folder, so that only one build runs at a time."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from mcpgen.write import staging

try:
    import fcntl
except ImportError:  # Windows has no flock(2); two builds at once are not told apart there.
    fcntl = None  # type: ignore[assignment]

LOCK_FILE = ".mcpgen-build.lock"
"""The file to lock where the folder cannot be locked; removed at the end of the build."""

_UNSUPPORTED = {errno.EBADF, errno.EINVAL, errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP}
"""Errors of flock(2) on file systems that cannot lock this kind of descriptor."""

Waiting = Callable[[], AbstractContextManager[object]]
"""A context manager entered while another build holds the folder."""


@contextmanager
def folder_lock(folder: Path, waiting: Waiting = nullcontext) -> Iterator[None]:
    """Holds the folder, made if absent, until the body of the `with` statement ends.

    Waits inside `waiting()` as long as another build holds the folder. Folders made here are
    removed at the end if empty. Raises OSError if the folder cannot be made.
    """
    if folder.is_symlink() and not folder.exists():
        yield  # No folder can be made at a dangling link; the plan reports the link.
        return
    new_folders = staging.make_folder(folder)
    handle = lock_file = None
    try:
        handle, lock_file = _lock_folder(folder, waiting)
        yield
    finally:
        # Before the lock is released: a waiting build would use a folder that is removed after it.
        if lock_file:
            lock_file.unlink(missing_ok=True)
        staging.remove_folders(new_folders)
        if handle is not None:
            os.close(handle)


def _lock_folder(folder: Path, waiting: Waiting) -> tuple[int | None, Path | None]:
    """The descriptor with the lock, and the lock file to remove afterwards.

    A lock on the folder leaves no file behind, but NFS locks only descriptors open for writing, and
    a folder cannot be opened for writing; there, a file in the folder is locked. Without support
    for both, the build runs unlocked, as on Windows.
    """
    if fcntl is None:
        return None, None
    handle = _acquire(folder, folder, os.O_RDONLY, waiting)
    if handle is not None:
        return handle, None
    lock_file = folder / LOCK_FILE
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW
    return _acquire(lock_file, folder, flags, waiting), lock_file


def _acquire(path: Path, folder: Path, flags: int, waiting: Waiting) -> int | None:
    """A descriptor of the path (the folder or a file in the folder) with an exclusive lock; None if
    the file system has no such lock."""
    while True:
        staging.make_folder(folder)
        handle = os.open(path, flags, 0o600)
        try:
            _wait_for_lock(handle, waiting)
            if _is_at(handle, path):
                return handle
        except OSError as error:
            os.close(handle)
            if error.errno in _UNSUPPORTED:
                return None
            raise OSError(error.errno, error.strerror, str(path)) from None
        except BaseException:
            os.close(handle)
            raise
        # The build that held the lock has removed the path: a lock on a removed file excludes no
        # build.
        os.close(handle)


def _wait_for_lock(handle: int, waiting: Waiting) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        with waiting():
            fcntl.flock(handle, fcntl.LOCK_EX)


def _is_at(handle: int, path: Path) -> bool:
    """True if the path still leads to the open file of the descriptor."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False
