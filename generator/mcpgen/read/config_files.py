"""The files beside a configuration that it brings along."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import config as codes

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
    near = get_close_matches(given.name, names, 1)
    return f"did you mean `{near[0]}`?" if near else ""
