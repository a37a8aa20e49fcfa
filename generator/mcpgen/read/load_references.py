"""Loads the files to which the references of a specification lead, each file once."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from mcpgen.diagnostics import Code, Location, Severity
from mcpgen.diagnostics.codes import read as codes
from mcpgen.ir.document_urls import is_remote, remote_key, resolve_uri
from mcpgen.ir.source import Document
from mcpgen.read import limits
from mcpgen.read.document import load_document
from mcpgen.read.fetch import AllowedHosts, Fetched, FetchError, HostNotAllowed
from mcpgen.read.files import (
    FileMissing,
    FileOutside,
    FileTooLarge,
    FileUnreadable,
    PathIsFolder,
    SpecRoot,
)
from mcpgen.read.findings import Findings
from mcpgen.read.references import (
    Reference,
    ReferenceRefused,
    external_references,
    identifiers,
    may_lead_away,
    resolve_reference,
)


def load_references(
    first: Document,
    root: SpecRoot | None,
    allowed_hosts: AllowedHosts,
    findings: Findings,
    source: str = "",
) -> dict[str, Document]:
    """Loads all referenced documents; returns documents by key, in the order found.

    A redirected document has two keys. `root` is None for a specification from standard input.
    `source` is the URL of the first document, or `""`. A document that cannot be loaded is an error
    at the reference, or a warning if the reference is optional (`Reference.optional`). An exceeded
    limit is always an error; a file that is too large is reported at the file. A reference to the
    `$id` of a loaded schema needs no file.

    Adds MG120–MG122, MG130–MG136 and the codes of `load_document`.
    """
    loader = _ReferenceLoader(first, root, allowed_hosts, findings, source)
    while loader.waiting:
        loader.load_from(loader.waiting.popleft())
    loader.report_unresolved()
    return loader.documents


@dataclass(frozen=True, slots=True)
class _UnresolvedReference:
    """A reference in `origin` without a file, to be reported unless a schema has the same `$id`.

    `facts`: values for the message of `code`.
    """

    code: Code
    reference: Reference
    at: Location
    origin: Document
    facts: dict[str, str] = field(default_factory=dict)


class _ReferenceLoader:
    """Documents loaded so far, and documents waiting for a scan.

    `_unusable`: keys that are not tried again. `_faulty`: by key, the name of a malformed file and
    the place of the first error, such as `at line 3, column 5`. `_bytes`: size of all documents.
    """

    def __init__(
        self,
        first: Document,
        root: SpecRoot | None,
        allowed_hosts: AllowedHosts,
        findings: Findings,
        source: str,
    ) -> None:
        self.documents = {first.key: first}
        self.waiting = deque([first])
        self._root = root
        self._allowed_hosts = allowed_hosts
        self._source = source
        self._unresolved: list[_UnresolvedReference] = []
        self._findings = findings
        self._unusable: set[str] = set()
        self._faulty: dict[str, tuple[str, str]] = {}
        self._is_exhausted = False
        # The size of the first document in UTF-8, because the original bytes are not kept.
        self._bytes = len(first.text.encode("utf-8", "surrogatepass"))

    def load_from(self, origin: Document) -> None:
        """Loads the documents to which `origin` refers, until a budget is exhausted."""
        if not any(may_lead_away(text) for text in (origin.text, *origin.overlays)):
            return
        # Only the first document has the key `""`.
        for reference in external_references(origin.tree, first=not origin.key):
            if self._is_exhausted:
                return
            at = Location(origin.name, reference.path)
            target = resolve_reference(reference.text, origin.key)
            if isinstance(target, ReferenceRefused) and target.code is codes.REMOTE_REFERENCE:
                self._unresolved.append(_UnresolvedReference(target.code, reference, at, origin))
            elif isinstance(target, ReferenceRefused):
                self._report(target.code, reference, at, **target.facts)
            elif is_remote(target):
                if target not in self.documents and target not in self._unusable:
                    self._fetch(target, reference, at, origin)
                self._report_faulty(target, reference, at)
            elif self._root is None:
                self._report(codes.REFERENCE_FROM_STDIN, reference, at)
            else:
                if not self._is_loaded(target, self._root):
                    self._load_file(target, reference, at, self._root, origin)
                self._report_faulty(target, reference, at)

    def report_unresolved(self) -> None:
        """Reports unresolved references, except references to the `$id` of a schema."""
        if not self._unresolved:
            return
        names = identifiers(self.documents.values())
        for unresolved in self._unresolved:
            url = unresolved.reference.text.partition("#")[0]
            if (
                url not in names
                and resolve_uri(names.get(unresolved.origin.key, ""), url) not in names
            ):
                self._report(
                    unresolved.code, unresolved.reference, unresolved.at, **unresolved.facts
                )

    def _is_loaded(self, key: str, root: SpecRoot) -> bool:
        """True if a file needs no loading. The first document has the key `""`, but a reference to
        the first document has the key `root.first`."""
        return key in self.documents or key in self._unusable or key == root.first

    def _fetch(self, key: str, reference: Reference, at: Location, origin: Document) -> None:
        """Fetches the document at a URL, or reports the reason at the reference."""
        if self._is_full(key, at):
            return
        match self._allowed_hosts.fetch(key):
            case Fetched(content, url):  # `url` is the URL after redirects.
                if url not in self.documents:
                    self._add_document(url, url, content, at)
                if url in self.documents:
                    self.documents.setdefault(key, self.documents[url])
                else:
                    self._unusable.add(key)
                if url in self._faulty:
                    self._faulty[key] = self._faulty[url]
            case HostNotAllowed():
                self._unresolved.append(
                    _UnresolvedReference(codes.REMOTE_REFERENCE, reference, at, origin)
                )
            case FetchError(reason):
                self._report(codes.UNFETCHED_REFERENCE, reference, at, reason=reason)

    def _is_full(self, key: str, at: Location) -> bool:
        """True if the limit of documents is reached. Reports the limit and ends the loading."""
        if len(self.documents) + len(self._unusable) < limits.DOCUMENTS:
            return False
        self._stop(codes.TOO_MANY_FILES, key, at, limit=f"{limits.DOCUMENTS:,}")
        return True

    def _load_file(
        self, key: str, reference: Reference, at: Location, root: SpecRoot, origin: Document
    ) -> None:
        """Reads the document with the given key, or reports the reason: for a file that is too large at
        the file, otherwise at the reference. `report_unresolved` reports a missing file."""
        if self._is_full(key, at):
            return
        name = root.name_of(key)
        match root.read_document(key):
            case bytes() as content:
                self._add_document(key, name, content, at)
            case FileOutside():
                self._report(codes.OUTSIDE_REFERENCE, reference, at)
            case FileMissing() if url := self._url_at_source(reference, origin):
                self._fetch(url, reference, at, origin)
                if url in self.documents:
                    self.documents[key] = self.documents[url]
                elif url in self._faulty:
                    self._faulty[key] = self._faulty[url]
            case FileMissing():
                facts = {"path": name}
                self._unresolved.append(
                    _UnresolvedReference(codes.MISSING_REFERENCE, reference, at, origin, facts)
                )
            case PathIsFolder():
                reason = "it is a folder"
                self._report(codes.UNREADABLE_REFERENCE, reference, at, path=name, reason=reason)
            case FileUnreadable(reason):
                self._report(codes.UNREADABLE_REFERENCE, reference, at, path=name, reason=reason)
            case FileTooLarge():
                self._unusable.add(key)
                limit = limits.format_bytes(limits.FILE_BYTES)
                self._findings.add(codes.FILE_TOO_LARGE, Location(name), limit=limit)

    def _url_at_source(self, reference: Reference, origin: Document) -> str:
        """Resolves a reference against the URL of the first document. Returns `""` for a reference in
        another document, a first document without a URL, and a host that is not allowed."""
        if origin.key or not self._source:
            return ""
        url = remote_key(reference.text, self._source)
        return url if url and self._allowed_hosts.allows(url) else ""

    def _add_document(self, key: str, name: str, content: bytes, at: Location) -> None:
        """Parses a loaded file; adds a document, or the file to `_faulty`."""
        self._bytes += len(content)
        if self._bytes > limits.TOTAL_BYTES:
            self._stop(
                codes.TOTAL_TOO_LARGE, key, at, limit=limits.format_bytes(limits.TOTAL_BYTES)
            )
            return
        document = load_document(content, name, key, self._findings)
        if document is None:
            self._unusable.add(key)
            # Errors in the file become warnings: `_report_faulty` reports the file at each reference.
            self._faulty[key] = (name, self._findings.soften(name))
            return
        self.documents[key] = document
        self.waiting.append(document)

    def _report_faulty(self, key: str, reference: Reference, at: Location) -> None:
        """Reports at the reference that the file is malformed, as for a missing file: only operations
        that use the reference are affected."""
        if key in self._faulty:
            name, place = self._faulty[key]
            reason = f"its text has a fault {place}".rstrip()
            self._report(codes.UNREADABLE_REFERENCE, reference, at, path=name, reason=reason)

    def _stop(self, code: Code, key: str, at: Location, *, limit: str) -> None:
        """Reports an exhausted budget once, and loads no further document."""
        self._findings.add(code, at, limit=limit)
        self._unusable.add(key)
        self._is_exhausted = True
        self.waiting.clear()

    def _report(self, code: Code, reference: Reference, at: Location, **facts: str) -> None:
        folder = self._root.label if self._root else ""
        facts = {"folder": folder, "reference": reference.text, **facts}
        severity = Severity.WARNING if reference.optional else None
        self._findings.add(code, at, severity=severity, **facts)
