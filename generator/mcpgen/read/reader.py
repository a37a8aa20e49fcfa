"""Reads a specification: the first document, its overlays, and every referenced file."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path, PurePath

from mcpgen.diagnostics import Diagnostics, Location, Severity
from mcpgen.diagnostics.codes import config as config_codes
from mcpgen.diagnostics.codes import read as codes
from mcpgen.ir.source import Document, Source
from mcpgen.read import limits
from mcpgen.read.document import load_document
from mcpgen.read.fetch import AllowedHosts
from mcpgen.read.files import (
    FileMissing,
    FileTooLarge,
    FileUnreadable,
    PathIsFolder,
    ReadResult,
    SpecRoot,
    read_user_file,
)
from mcpgen.read.findings import Findings
from mcpgen.read.format_detection import detect_tree_format, dialect_of, report_foreign_format
from mcpgen.read.load_references import load_references
from mcpgen.read.yaml_scalars import kind_name

STDIN = "<stdin>"
"""Standard input in messages."""

ADDRESS = re.compile(r"https?://", re.IGNORECASE)
"""Beginning of a URL, named where a file is expected."""


def read(
    spec: str,
    diagnostics: Diagnostics,
    *,
    stdin: bytes | None = None,
    root: str | None = None,
    overlays: Sequence[str] = (),
    allow_remote: Sequence[str] = (),
    source: str = "",
) -> Source | None:
    """Reads the specification at `spec`; None if the first document cannot be used.

    `spec`: a path as the user typed it, or `-` for the bytes in `stdin`.
    `root`: folder that references must not leave; default is the folder of `spec`.
    `overlays`: paths of overlays, applied to the first document in order, before its references are loaded.
    `allow_remote`: hosts from which references are fetched; no other host is contacted.
    `source`: URL from which the first document was fetched, or `""`. Relative references without a local file are fetched from there if the host is allowed.

    A reference that cannot be loaded is an error at its place; reading goes on. Adds MG1xx.
    """
    findings = Findings(diagnostics)
    specification = _read_source(
        spec, findings, stdin, root, overlays, AllowedHosts(allow_remote), source
    )
    findings.close()
    return specification


def _read_source(
    spec: str,
    findings: Findings,
    stdin: bytes | None,
    root: str | None,
    overlays: Sequence[str],
    remote: AllowedHosts,
    source: str,
) -> Source | None:
    name = STDIN if spec == "-" else PurePath(spec).as_posix()
    content = _read_named_file(spec, name, findings, stdin)
    first = None if content is None else load_document(content, name, "", findings)
    if first is None:
        return None
    if type(first.tree) is not dict:
        if not report_foreign_format(detect_tree_format(first.tree), Location(name), findings):
            findings.add(codes.ROOT_NOT_A_MAPPING, Location(name), found=kind_name(first.tree))
        return None
    first, overlay_documents, has_errors = _apply_overlays(first, overlays, findings)
    dialect = dialect_of(first.tree, Location(name), findings)
    if dialect is None:
        return None
    folders = None if spec == "-" else SpecRoot.of(name, root)
    documents = (
        {first.key: first}
        if has_errors
        else load_references(first, folders, remote, findings, source)
    )
    digest = _combined_digest(
        [*documents.items(), *((overlay.name, overlay) for overlay in overlay_documents)]
    )
    return Source(first, documents, dialect, digest, overlay_documents, has_errors)


def _apply_overlays(
    first: Document, overlays: Sequence[str], findings: Findings
) -> tuple[Document, tuple[Document, ...], bool]:
    """The first document with overlays applied, the overlays, and true if an overlay has an error."""
    if not overlays:
        return first, (), False
    if find_spec("jsonpath") is None:
        findings.add(config_codes.OVERLAYS_MISSING, Location(PurePath(overlays[0]).as_posix()))
        return first, (), True
    # Imported here: only builds with overlays need python-jsonpath, an extra.
    from mcpgen.read.overlay import apply_overlays

    errors_before = findings.count(Severity.ERROR)
    read_overlays = []
    for path in overlays:
        name = PurePath(path).as_posix()
        content = _read_named_file(path, name, findings, None)
        overlay = None if content is None else load_document(content, name, name, findings)
        if overlay is not None:
            read_overlays.append(overlay)
    is_complete = len(read_overlays) == len(overlays)
    repaired, origin = apply_overlays(first, read_overlays if is_complete else (), findings)
    findings.set_origin_finder(first.name, origin.of)
    has_errors = findings.count(Severity.ERROR) > errors_before
    return repaired, tuple(read_overlays), has_errors


def _read_named_file(spec: str, name: str, findings: Findings, stdin: bytes | None) -> bytes | None:
    """Bytes of a file that the user named, or None after a finding."""
    at = Location(name)
    match _limit_stdin(stdin or b"") if spec == "-" else read_user_file(Path(spec)):
        case bytes() as content:
            return content
        case FileMissing() if ADDRESS.match(spec):
            findings.add(codes.UNFETCHED_SPECIFICATION, Location(spec), url=spec)
        case FileMissing():
            findings.add(codes.MISSING_FILE, at, path=name)
        case PathIsFolder():
            findings.add(codes.NOT_A_FILE, at, path=name)
        case FileUnreadable(reason):
            hint = codes.CHECK_PERMISSIONS
            findings.add(codes.UNREADABLE_FILE, at, path=name, reason=reason, hint=hint)
        case FileTooLarge():
            findings.add(codes.FILE_TOO_LARGE, at, limit=limits.format_bytes(limits.FILE_BYTES))
    return None


def _limit_stdin(content: bytes) -> ReadResult:
    return FileTooLarge() if len(content) > limits.FILE_BYTES else content


def _combined_digest(documents: Iterable[tuple[str, Document]]) -> str:
    """SHA-256 of all documents, from keys and digests."""
    digest = hashlib.sha256()
    for key, read_document in documents:
        digest.update(f"{key}\0{read_document.sha256}\n".encode())
    return digest.hexdigest()
