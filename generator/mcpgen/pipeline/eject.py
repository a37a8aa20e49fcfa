"""Files of a project change hands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mcpgen import write
from mcpgen.diagnostics import Diagnostics
from mcpgen.pipeline.result import BuildResult, BuildStatus


def project_of(path: Path) -> Path | None:
    """The folder of the project that a file belongs to; None if it belongs to none."""
    above = path.absolute().parents
    return next((folder for folder in above if (folder / write.NAME).is_file()), None)


def eject_project_files(folder: Path, paths: Sequence[str]) -> BuildResult:
    """Hands files of the project in `folder`, by path relative to it, to the user.

    All of them or none. Raises OSError if the lock cannot be written.
    """
    diagnostics = Diagnostics()
    with write.folder_lock(folder):
        write.recover(folder)
        lock = write.read_lock(folder, write.NAME, diagnostics)
        if lock is not None:
            ejected = write.eject_files(lock, paths, write.NAME, diagnostics)
            if ejected != lock:
                write.write_lock(ejected, folder)
    status = BuildStatus.FAILED if diagnostics.failed else BuildStatus.BUILT
    return BuildResult(status, str(folder), diagnostics=tuple(diagnostics.sorted()))
