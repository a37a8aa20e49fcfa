"""Follows the references between the files of a specification, each file once."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from mcpgen.diagnostics import Code, Location, Severity
from mcpgen.diagnostics.codes import read as codes
from mcpgen.ir.document_urls import is_remote, remote_key
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
    resolve_uri,
    target_of,
)


def follow(
    first: Document,
    folders: SpecRoot | None,
    remote: AllowedHosts,
    findings: Findings,
    source: str = "",
) -> dict[str, Document]:
    """Every document that references reach from the first one, by key, in the order reached. One
    that was redirected stands under both URLs.

    `folders` is None when the first document came from standard input; `remote` fetches from the
    hosts that are allowed. `source` is the URL of the first document, or `""`. What cannot be reached is an error at the reference; where the build can
    do without it, a warning. What a schema names with its `$id` need not be reached.

    Adds MG120–MG122, MG130–MG136 and whatever reading a document adds.
    """
    follower = _Follower(first, folders, remote, findings, source)
    while follower.waiting:
        follower.visit(follower.waiting.popleft())
    follower.tell_unreached()
    return follower.documents


@dataclass(frozen=True, slots=True)
class _Unreached:
    """A reference to what was not found where it leads, and the finding it becomes."""

    code: Code
    reference: Reference
    at: Location
    origin: Document
    facts: dict[str, str] = field(default_factory=dict)


class _Follower:
    """The documents so far, those whose references are still to be followed, and what they cost.

    `_unusable` are the keys of files that were read but hold no document; `_faulty` are the names of
    those whose text has a fault, and where it stands, by the key.
    """

    def __init__(
        self,
        first: Document,
        folders: SpecRoot | None,
        remote: AllowedHosts,
        findings: Findings,
        source: str,
    ) -> None:
        self.documents = {first.key: first}
        self.waiting = deque([first])
        self._folders = folders
        self._remote = remote
        self._source = source
        self._unreached: list[_Unreached] = []
        self._findings = findings
        self._unusable: set[str] = set()
        self._faulty: dict[str, tuple[str, str]] = {}
        self._spent = False
        self._bytes = len(first.text)

    def visit(self, origin: Document) -> None:
        """Follows the references of one document, until a budget is spent."""
        if not any(may_lead_away(text) for text in (origin.text, *origin.overlays)):
            return
        for reference in external_references(origin.tree, first=not origin.key):
            if self._spent:
                return
            at = Location(origin.name, reference.path)
            target = target_of(reference.text, origin.key)
            if isinstance(target, ReferenceRefused) and target.code is codes.REMOTE_REFERENCE:
                self._unreached.append(_Unreached(target.code, reference, at, origin))
            elif isinstance(target, ReferenceRefused):
                self._refused(target.code, reference, at, **target.facts)
            elif is_remote(target):
                if target not in self.documents and target not in self._unusable:
                    self._fetch(target, reference, at, origin)
                self._tell_faulty(target, reference, at)
            elif self._folders is None:
                self._refused(codes.REFERENCE_FROM_STDIN, reference, at)
            else:
                if not self._is_known(target, self._folders):
                    self._reach(target, reference, at, self._folders, origin)
                self._tell_faulty(target, reference, at)

    def tell_unreached(self) -> None:
        """Tells what could not be reached, unless a schema has that name."""
        if not self._unreached:
            return
        known = identifiers(self.documents.values())
        for each in self._unreached:
            url = each.reference.text.partition("#")[0]
            if url not in known and resolve_uri(known.get(each.origin.key, ""), url) not in known:
                self._refused(each.code, each.reference, each.at, **each.facts)

    def _is_known(self, key: str, folders: SpecRoot) -> bool:
        return key in self.documents or key in self._unusable or key == folders.first

    def _fetch(self, key: str, reference: Reference, at: Location, origin: Document) -> None:
        """Fetches the document at a URL, or says at the reference why it is not fetched."""
        if self._is_full(key, at):
            return
        match self._remote.fetch(key):
            case Fetched(content, url):
                if url not in self.documents:
                    self._take(url, url, content, at)
                if url in self.documents:
                    self.documents.setdefault(key, self.documents[url])
                else:
                    self._unusable.add(key)
                if url in self._faulty:
                    self._faulty[key] = self._faulty[url]
            case HostNotAllowed():
                self._unreached.append(_Unreached(codes.REMOTE_REFERENCE, reference, at, origin))
            case FetchError(reason):
                self._refused(codes.UNFETCHED_REFERENCE, reference, at, reason=reason)

    def _is_full(self, key: str, at: Location) -> bool:
        """Whether no more documents may be read; told once."""
        if len(self.documents) + len(self._unusable) < limits.DOCUMENTS:
            return False
        self._stop(codes.TOO_MANY_FILES, key, at, limit=f"{limits.DOCUMENTS:,}")
        return True

    def _reach(
        self, key: str, reference: Reference, at: Location, folders: SpecRoot, origin: Document
    ) -> None:
        """Reads the document with that key, or says at the reference why it cannot be read."""
        if self._is_full(key, at):
            return
        name = folders.name_of(key)
        match folders.content_of(key):
            case bytes() as content:
                self._take(key, name, content, at)
            case FileOutside():
                self._refused(codes.OUTSIDE_REFERENCE, reference, at)
            case FileMissing() if url := self._at_source(reference, origin):
                self._fetch(url, reference, at, origin)
                if url in self.documents:
                    self.documents[key] = self.documents[url]
                elif url in self._faulty:
                    self._faulty[key] = self._faulty[url]
            case FileMissing():
                facts = {"path": name}
                self._unreached.append(
                    _Unreached(codes.MISSING_REFERENCE, reference, at, origin, facts)
                )
            case PathIsFolder():
                reason = "it is a folder"
                self._refused(codes.UNREADABLE_REFERENCE, reference, at, path=name, reason=reason)
            case FileUnreadable(reason):
                self._refused(codes.UNREADABLE_REFERENCE, reference, at, path=name, reason=reason)
            case FileTooLarge():
                self._unusable.add(key)
                limit = limits.format_bytes(limits.FILE_BYTES)
                self._findings.add(codes.FILE_TOO_LARGE, Location(name), limit=limit)

    def _at_source(self, reference: Reference, origin: Document) -> str:
        """The URL of a relative reference of the fetched document, if its host is allowed, or `""`."""
        if origin.key or not self._source:
            return ""
        url = remote_key(reference.text, self._source)
        return url if url and self._remote.allows(url) else ""

    def _take(self, key: str, name: str, content: bytes, at: Location) -> None:
        self._bytes += len(content)
        if self._bytes > limits.TOTAL_BYTES:
            self._stop(
                codes.TOTAL_TOO_LARGE, key, at, limit=limits.format_bytes(limits.TOTAL_BYTES)
            )
            return
        reached = load_document(content, name, key, self._findings)
        if reached is None:
            self._unusable.add(key)
            self._faulty[key] = (name, self._findings.soften(name))
            return
        self.documents[key] = reached
        self.waiting.append(reached)

    def _tell_faulty(self, key: str, reference: Reference, at: Location) -> None:
        """Tells at the reference that the text of the file it leads to has a fault: like a missing
        file, the fault stands in the way of what needs the reference, and of nothing else."""
        if key in self._faulty:
            name, place = self._faulty[key]
            reason = f"its text has a fault {place}".rstrip()
            self._refused(codes.UNREADABLE_REFERENCE, reference, at, path=name, reason=reason)

    def _stop(self, code: Code, key: str, at: Location, *, limit: str) -> None:
        """Reports a spent budget once and follows nothing more."""
        self._findings.add(code, at, limit=limit)
        self._unusable.add(key)
        self._spent = True
        self.waiting.clear()

    def _refused(self, code: Code, reference: Reference, at: Location, **facts: str) -> None:
        folder = self._folders.called if self._folders else ""
        facts = {"folder": folder, "reference": reference.text, **facts}
        severity = Severity.WARNING if reference.optional else None
        self._findings.add(code, at, severity=severity, **facts)
