"""Files of a project change hands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mcpgen import write
from mcpgen.diagnostics import Diagnostics
from mcpgen.pipeline.outcome import Outcome, Status


def project_of(path: Path) -> Path | None:
    """The folder of the project that a file belongs to; None if it belongs to none."""
    above = path.absolute().parents
    return next((folder for folder in above if (folder / write.NAME).is_file()), None)


def eject(folder: Path, paths: Sequence[str]) -> Outcome:
    """Hands files of the project in `folder`, by path relative to it, to the user.

    All of them or none. Raises OSError if the lock cannot be written.
    """
    diagnostics = Diagnostics()
    with write.folder_lock(folder):
        write.recover(folder)
        lock = write.read_lock(folder, write.NAME, diagnostics)
        if lock is not None:
            ejected = write.eject(lock, paths, write.NAME, diagnostics)
            if ejected != lock:
                write.write_lock(ejected, folder)
    status = Status.FAILED if diagnostics.failed else Status.BUILT
    return Outcome(status, str(folder), diagnostics=tuple(diagnostics.sorted()))
