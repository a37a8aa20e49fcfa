"""Reads requirements: a spec, a delta, or a spec with the delta of a change, and the companion."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path, PurePath

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.diagnostics.codes import read as read_codes
from mcpgen.ir.source import Document, RequirementSource, Syntax
from mcpgen.openspec.model.markdown import SPACE, fenced_lines
from mcpgen.openspec.read.folder import (
    OpenSpecFolder,
    OpenSpecSelection,
    select_capabilities,
    select_capability,
)
from mcpgen.read import limits
from mcpgen.read.decode import decode_text
from mcpgen.read.document import load_document
from mcpgen.read.files import (
    FileMissing,
    FileOutside,
    FileTooLarge,
    FileUnreadable,
    PathIsFolder,
    ReadResult,
    read_file_inside,
)
from mcpgen.read.findings import Findings

COMPANION = "mcp.yaml"
"""File name of the companion beside a `spec.md`."""

_LAYOUT = re.compile(
    r"(?P<folder>(?:.*/)?openspec|.*(?=/changes/))(?:/changes/(?P<change>[^/]+))?/specs/(?P<capability>.+)/spec\.md"
)
"""The path of a spec or a delta in an OpenSpec folder."""

_HEADING = rf"[{SPACE}]*(?:##[{SPACE}]+)?"
_OF_DELTA = re.compile(
    rf"{_HEADING}(?:added|modified|removed|renamed) requirements[{SPACE}]*\Z", re.I | re.A
)
_OF_SPEC = re.compile(rf"{_HEADING}requirements[{SPACE}]*\Z", re.I | re.A)


def read_requirements(
    spec: str, diagnostics: Diagnostics, *, change: str = "", capability: str = ""
) -> RequirementSource | None:
    """Reads the requirements at `spec`; None with an error if unreadable.

    `spec` is a spec or delta file, an OpenSpec folder, or the parent of an OpenSpec folder. For a
    folder, `capability` selects the spec (optional if unique) and `change` the delta; for a file,
    `capability` is the name. Files outside the file's folder or the OpenSpec folder are never read.
    Adds MG101–MG105, MG107–MG116, MG123–MG125 and MG710–MG712.
    """
    findings = Findings(diagnostics)
    source = _read_requirement_source(spec, findings, change, capability)
    findings.close()
    return source


def read_capabilities(
    spec: str, diagnostics: Diagnostics, *, change: str = "", capability: str = ""
) -> tuple[RequirementSource, ...]:
    """Reads every capability at `spec`, sorted by name; empty with an error if one is unreadable.

    Arguments as for `read_requirements`, but `capability` may have several names with commas, and
    without a name every capability of a folder is read.
    """
    findings = Findings(diagnostics)
    folder = OpenSpecFolder.at(Path(spec)) if spec != "-" and os.path.isdir(spec) else None
    if folder is None:
        sources = [_read_requirement_source(spec, findings, change, capability)]
    else:
        selected = select_capabilities(folder, change, capability, findings)
        sources = [_of_selection(folder, selection, change, findings) for selection in selected]
    findings.close()
    readable = tuple(source for source in sources if source is not None)
    return readable if len(readable) == len(sources) else ()


def read_neighbors(
    spec: str, source: RequirementSource, *, change: str = ""
) -> list[RequirementSource]:
    """Reads the other capabilities of the OpenSpec folder of `source`, sorted by name.

    `spec` and `change` are the arguments with which `source` was read. A file without the layout of
    OpenSpec has no neighbors; a neighbor that cannot be read is left out, since a command of its own
    reports the reason.
    """
    folder, own = None, source.capability
    if os.path.isdir(spec):
        folder = OpenSpecFolder.at(Path(spec))
    elif layout := _layout_of(spec):
        folder = OpenSpecFolder.at(Path(layout["folder"]))
        change, own = layout["change"] or "", layout["capability"]
    if folder is None:
        return []
    findings = Findings(Diagnostics())
    selected = select_capabilities(folder, change, "", findings)
    sources = [
        _of_selection(folder, selection, change, findings)
        for selection in selected
        if selection.capability != own
    ]
    return [neighbor for neighbor in sources if neighbor is not None]


def _layout_of(spec: str) -> re.Match[str] | None:
    return _LAYOUT.fullmatch(Path(os.path.abspath(spec)).as_posix())


def _read_requirement_source(
    spec: str, findings: Findings, change: str, capability: str
) -> RequirementSource | None:
    name = PurePath(spec).as_posix()
    if spec == "-":
        reason = (
            "requirements are not read from standard input, since `mcp.yaml` is beside their file"
        )
        _report_unreadable(findings, name, reason, "give the path of `spec.md` in place of `-`")
        return None
    if not os.path.isdir(spec):
        return _lone(name, findings, change, capability)
    folder = OpenSpecFolder.at(Path(spec))
    if folder is None:
        findings.add(codes.NO_OPENSPEC_FOLDER, Location(name), path=name, what="no OpenSpec files")
        return None
    selection = select_capability(folder, change, capability, findings)
    return _of_selection(folder, selection, change, findings) if selection else None


def _of_selection(
    folder: OpenSpecFolder, selection: OpenSpecSelection, change: str, findings: Findings
) -> RequirementSource | None:
    """Reads the files of a capability: the companion is beside the delta, else beside the spec."""
    inside = os.path.realpath(folder.path)
    paths = [path for path in (selection.spec, selection.delta) if path is not None]
    documents = [_markdown(path.as_posix(), inside, findings) for path in paths]
    read = [document for document in documents if document is not None]
    if len(read) < len(paths):
        return None
    companion = next(
        (
            candidate
            for path in reversed(paths)
            if (candidate := _companion(path, inside, findings))
        ),
        None,
    )
    deltas = tuple(read[-1:]) if selection.delta else ()
    main = read[0] if selection.spec else None
    return _source(selection.capability, main, deltas, companion, change if deltas else "")


def _lone(name: str, findings: Findings, change: str, capability: str) -> RequirementSource | None:
    """Reads a single file, a spec or a delta, and its companion."""
    if change:
        hint = "name the folder `openspec` instead of a file in it"
        findings.add(
            codes.UNKNOWN_IN_OPENSPEC,
            Location(name),
            path=name,
            kind="change",
            name=change,
            known=hint,
        )
        return None
    path = Path(name)
    real = os.path.realpath(name)
    document = _markdown(name, os.path.dirname(real), findings)
    if document is None:
        return None
    companion = _companion(path, os.path.realpath(path.parent), findings)
    layout = _layout_of(name)
    stem = path.stem if path.name.lower() != "spec.md" else Path(os.path.abspath(name)).parent.name
    capability = capability or (layout["capability"] if layout else stem)
    if _is_delta(document.text):
        return _source(capability, None, (document,), companion, "")
    return _source(capability, document, (), companion, "")


def _is_delta(text: str) -> bool:
    """Returns whether a text has a delta section and no `Requirements` section."""
    lines = text.split("\n")
    headings = [line for line, code in zip(lines, fenced_lines(lines), strict=True) if not code]
    return any(map(_OF_DELTA.match, headings)) and not any(map(_OF_SPEC.match, headings))


def _companion(spec: Path, inside: str, findings: Findings) -> Document | None:
    """Reads the companion beside a `spec.md`, if present."""
    name = (spec.parent / COMPANION).as_posix()
    content = read_file_inside(name, inside)
    if isinstance(content, FileMissing):
        return None
    read = _bytes(content, name, inside, findings)
    return None if read is None else load_document(read, name, COMPANION, findings)


def _markdown(name: str, inside: str, findings: Findings) -> Document | None:
    """Reads a Markdown file as a document without a tree."""
    content = _bytes(read_file_inside(name, inside), name, inside, findings)
    text = None if content is None else decode_text(content, name, findings)
    if content is None or text is None:
        return None
    digest = hashlib.sha256(content).hexdigest()
    return Document(name, PurePath(name).name, Syntax.MARKDOWN, text, None, digest)


def _bytes(
    content: ReadResult | FileOutside, name: str, inside: str, findings: Findings
) -> bytes | None:
    """Returns the bytes of a file, or None with an error."""
    at = Location(name)
    match content:
        case bytes():
            return content
        case FileMissing():
            findings.add(read_codes.MISSING_FILE, at, path=name)
        case PathIsFolder():
            hint = "replace the folder by a file, or rename the folder"
            _report_unreadable(findings, name, "it is a folder", hint)
        case FileUnreadable(reason):
            _report_unreadable(findings, name, reason, read_codes.CHECK_PERMISSIONS)
        case FileTooLarge():
            findings.add(
                read_codes.FILE_TOO_LARGE, at, limit=limits.format_bytes(limits.FILE_BYTES)
            )
        case FileOutside():
            reason = "it leads out of the folder that may be read"
            hint = "replace the link by a copy of the file"
            _report_unreadable(findings, name, reason, hint)
    return None


def _report_unreadable(findings: Findings, name: str, reason: str, hint: str) -> None:
    findings.add(read_codes.UNREADABLE_FILE, Location(name), path=name, reason=reason, hint=hint)


def _source(
    capability: str,
    main: Document | None,
    deltas: tuple[Document, ...],
    companion: Document | None,
    change: str,
) -> RequirementSource:
    """Returns the source, with a digest over all files."""
    documents = [document for document in (main, *deltas, companion) if document is not None]
    content = "".join(f"{document.key}\0{document.sha256}\n" for document in documents)
    digest = hashlib.sha256(content.encode()).hexdigest()
    return RequirementSource(capability, main, deltas, companion, digest, change)
