"""Reads a specification: its first document, and every file that a `$ref` reaches from it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path, PurePath

from mcpgen.diagnostics import Diagnostics, Location, Severity
from mcpgen.diagnostics.codes import extras
from mcpgen.diagnostics.codes import read as codes
from mcpgen.ir.source import Document, Source
from mcpgen.read import limits
from mcpgen.read.document import load_document
from mcpgen.read.fetch import AllowedHosts
from mcpgen.read.files import (
    Content,
    FileMissing,
    FileTooLarge,
    FileUnreadable,
    PathIsFolder,
    SpecRoot,
    content_of,
)
from mcpgen.read.findings import Findings
from mcpgen.read.format_detection import dialect_of, foreign_tree, report_foreign_format
from mcpgen.read.json_values import kind_name
from mcpgen.read.load_references import follow

STDIN = "<stdin>"
"""How messages call standard input."""

ADDRESS = re.compile(r"https?://", re.IGNORECASE)
"""How an address begins that was named where a file is expected."""


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
    """The specification that `spec` names, or None when its first document cannot be used.

    `spec` is a path as the user typed it, or `-` for the bytes in `stdin`. References are followed
    inside the first document's folder, or inside `root` when it is given. A reference that cannot
    be followed is an error at its place, but the rest is read all the same. `overlays` are paths
    too; they are applied to the first document, in order, before its references are followed.
    References to the hosts in `allow_remote` are fetched, and no others. `source` is the URL that
    the first document was fetched from, or `""`: what its relative references name and the folder
    does not hold is fetched from there, if its host is allowed.

    Adds MG1xx.
    """
    findings = Findings(diagnostics)
    found = _read(spec, findings, stdin, root, overlays, AllowedHosts(allow_remote), source)
    findings.close()
    return found


def _read(
    spec: str,
    findings: Findings,
    stdin: bytes | None,
    root: str | None,
    overlays: Sequence[str],
    remote: AllowedHosts,
    source: str,
) -> Source | None:
    name = STDIN if spec == "-" else PurePath(spec).as_posix()
    content = _first(spec, name, findings, stdin)
    first = None if content is None else load_document(content, name, "", findings)
    if first is None:
        return None
    if type(first.tree) is not dict:
        if not report_foreign_format(foreign_tree(first.tree), Location(name), findings):
            findings.add(codes.ROOT_NOT_A_MAPPING, Location(name), found=kind_name(first.tree))
        return None
    first, applied, spoilt = _repaired(first, overlays, findings)
    dialect = dialect_of(first.tree, Location(name), findings)
    if dialect is None:
        return None
    folders = None if spec == "-" else SpecRoot.of(name, root)
    documents = {first.key: first} if spoilt else follow(first, folders, remote, findings, source)
    digest = _digest([*documents.items(), *((each.name, each) for each in applied)])
    return Source(first, documents, dialect, digest, applied, spoilt)


def _repaired(
    first: Document, overlays: Sequence[str], findings: Findings
) -> tuple[Document, tuple[Document, ...], bool]:
    """The first document with its overlays applied, the overlays, and whether one has an error."""
    if not overlays:
        return first, (), False
    if find_spec("jsonpath") is None:
        findings.add(extras.OVERLAYS_MISSING, Location(PurePath(overlays[0]).as_posix()))
        return first, (), True
    # Imported here because queries take a library that other builds can do without.
    from mcpgen.read.overlay import overlaid

    before = findings.count(Severity.ERROR)
    read_overlays = []
    for path in overlays:
        name = PurePath(path).as_posix()
        content = _first(path, name, findings, None)
        each = None if content is None else load_document(content, name, name, findings)
        if each is not None:
            read_overlays.append(each)
    whole = len(read_overlays) == len(overlays)
    repaired, origin = overlaid(first, read_overlays if whole else (), findings)
    findings.trace(first.name, origin.of)
    spoilt = findings.count(Severity.ERROR) > before
    return repaired, tuple(read_overlays), spoilt


def _first(spec: str, name: str, findings: Findings, stdin: bytes | None) -> bytes | None:
    """The bytes of a file that the user named, or None when there are none."""
    at = Location(name)
    match _stdin(stdin or b"") if spec == "-" else content_of(Path(spec)):
        case bytes() as content:
            return content
        case FileMissing() if ADDRESS.match(spec):
            findings.add(codes.UNFETCHED_SPECIFICATION, Location(spec), url=spec)
        case FileMissing():
            findings.add(codes.MISSING_FILE, at, path=name)
        case PathIsFolder():
            findings.add(codes.NOT_A_FILE, at, path=name)
        case FileUnreadable(reason):
            findings.add(codes.UNREADABLE_FILE, at, path=name, reason=reason)
        case FileTooLarge():
            findings.add(codes.FILE_TOO_LARGE, at, limit=limits.format_bytes(limits.FILE_BYTES))
    return None


def _stdin(content: bytes) -> Content:
    """Standard input, under the budget of a file."""
    return FileTooLarge() if len(content) > limits.FILE_BYTES else content


def _digest(documents: Iterable[tuple[str, Document]]) -> str:
    """The SHA-256 over every document's key and content."""
    whole = hashlib.sha256()
    for key, read_document in documents:
        whole.update(f"{key}\0{read_document.sha256}\n".encode())
    return whole.hexdigest()
