"""Brings the companions of an archived change to the specs that the change became part of."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mcpgen.diagnostics import Diagnostics
from mcpgen.openspec.bind.yaml_insert import CannotInsert, replace_scalar, yaml_scalar
from mcpgen.openspec.companion import parse_companion, schema_files
from mcpgen.openspec.read.folder import OpenSpecFolder
from mcpgen.openspec.read.requirements import COMPANION
from mcpgen.read.document import load_document
from mcpgen.read.findings import Findings


@dataclass(frozen=True, slots=True)
class ArchivedCompanions:
    """The companions of an archived change.

    `texts` are the files to write, by path. `conflicts` are paths of other files in their place.
    `folder` is the folder of the archived change, `schemas` the schemas beside the companions.
    """

    folder: str
    texts: dict[str, str]
    conflicts: tuple[str, ...] = ()
    schemas: Mapping[str, str] = field(default_factory=dict)


def archived_companions(spec: str, change: str) -> ArchivedCompanions | None:
    """Returns the companions of an archived change; None if the change is not archived.

    `openspec archive` moves the folder of a change one level down, so relative paths of OpenAPI
    documents are read from the folder before the archiving, and written from the folder of the spec.
    """
    folder = OpenSpecFolder.at(Path(spec)) if os.path.isdir(spec) else None
    if folder is None or not change or change in folder.changes():
        return None
    archived = folder.archived(change)
    if not archived:
        return None
    texts: dict[str, str] = {}
    conflicts = []
    specs = folder.specs()
    for delta in sorted(archived[-1].glob(f"specs/**/{COMPANION}")):
        capability = delta.parent.relative_to(archived[-1] / "specs").as_posix()
        if capability not in specs or delta.is_symlink():
            continue
        before = folder.path / "changes" / change / "specs" / capability
        target = specs[capability].parent / COMPANION
        text = _with_paths(delta, before.as_posix(), target.parent.as_posix())
        if not target.exists():
            texts[target.as_posix()] = text
        elif target.read_text(encoding="utf-8", errors="replace") != text:
            conflicts.append(target.as_posix())
    return ArchivedCompanions(archived[-1].as_posix(), texts, tuple(conflicts), schema_files(texts))


def _with_paths(path: Path, before: str, after: str) -> str:
    """Returns the text of a companion with the paths of OpenAPI documents seen from `after`."""
    content = path.read_bytes()
    text = content.decode("utf-8", errors="replace")
    findings = Findings(Diagnostics())
    document = load_document(content, path.as_posix(), COMPANION, findings)
    findings.close()
    companion = parse_companion(document, Diagnostics()) if document else None
    for tool in companion.tools if companion else ():
        if tool.upstream is None:
            continue
        target = posixpath.normpath(posixpath.join(before, tool.upstream.document))
        place = ("tools", tool.name, "upstream", "openapi")
        moved = os.path.relpath(target, after).replace(os.sep, "/")
        mended = replace_scalar(text, place, yaml_scalar(moved))
        text = text if isinstance(mended, CannotInsert) else mended
    return text


def without_change(text: str, line: int) -> str:
    """Returns the text of `mcpgen.toml` without the line of `change`; lines count from 1."""
    lines: Sequence[str] = text.splitlines(keepends=True)
    if not 0 < line <= len(lines) or not lines[line - 1].lstrip().startswith("change"):
        return text
    return "".join((*lines[: line - 1], *lines[line:]))
