"""Hands a file that mcpgen owns to the user."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import write as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.write.lock import Lock


def eject_files(lock: Lock, paths: Sequence[str], lock_name: str, diagnostics: Diagnostics) -> Lock:
    """The lock with the files owned by the user; the same lock if mcpgen does not own a file.

    `paths` are relative to the project's folder. Adds NOT_IN_LOCK. A file ejected already stays
    ejected.
    """
    unknown = [path for path in paths if path not in lock.files and path not in lock.ejected]
    for path in unknown:
        hint = closest_match(path, lock.files)
        nearest = f"; {hint}" if hint else ""
        at = Location(lock_name, ("files",))
        diagnostics.add(codes.NOT_IN_LOCK, at, path=path, nearest=nearest)
    if unknown:
        return lock
    kept = {path: hashed for path, hashed in lock.files.items() if path not in paths}
    return replace(lock, files=kept, ejected=tuple(sorted({*lock.ejected, *paths})))
