"""Follows the references between the files of a specification, each file once."""

from __future__ import annotations

from collections import deque

from mcpgen.diagnostics import Code, Location, Severity
from mcpgen.diagnostics.codes import read as codes
from mcpgen.ir.source import Document
from mcpgen.read import limits
from mcpgen.read.document import document
from mcpgen.read.files import Folder, Missing, Outside, TooLarge, Unreadable
from mcpgen.read.findings import Findings
from mcpgen.read.folders import Folders
from mcpgen.read.references import Reference, may_lead_away, references
from mcpgen.read.target import Refusal, target_of


def follow(first: Document, folders: Folders | None, findings: Findings) -> dict[str, Document]:
    """Every document that references reach from the first one, by key, in the order reached.

    `folders` is None when the first document came from standard input. What cannot be reached is
    an error at the reference; where the build can do without it, a warning.

    Adds MG120–MG122, MG130–MG135 and whatever reading a document adds.
    """
    follower = _Follower(first, folders, findings)
    while follower.waiting:
        follower.visit(follower.waiting.popleft())
    return follower.documents


class _Follower:
    """The documents so far, those whose references are still to be followed, and what they cost.

    `_unusable` are the keys of files that were read but hold no document.
    """

    def __init__(self, first: Document, folders: Folders | None, findings: Findings) -> None:
        self.documents = {first.key: first}
        self.waiting = deque([first])
        self._folders = folders
        self._findings = findings
        self._unusable: set[str] = set()
        self._spent = False
        self._bytes = len(first.text)

    def visit(self, origin: Document) -> None:
        """Follows the references of one document, until a budget is spent."""
        if not may_lead_away(origin.text):
            return
        for reference in references(origin.tree, first=not origin.key):
            if self._spent:
                return
            at = Location(origin.name, reference.path)
            target = target_of(reference.text, origin.key)
            if isinstance(target, Refusal):
                self._refused(target.code, reference, at, **target.facts)
            elif self._folders is None:
                self._refused(codes.REFERENCE_FROM_STDIN, reference, at)
            elif not self._is_known(target, self._folders):
                self._reach(target, reference, at, self._folders)

    def _is_known(self, key: str, folders: Folders) -> bool:
        return key in self.documents or key in self._unusable or key == folders.first

    def _reach(self, key: str, reference: Reference, at: Location, folders: Folders) -> None:
        """Reads the document with that key, or says at the reference why it cannot be read."""
        if len(self.documents) + len(self._unusable) >= limits.DOCUMENTS:
            self._stop(codes.TOO_MANY_FILES, key, at, limit=f"{limits.DOCUMENTS:,}")
            return
        name = folders.name_of(key)
        match folders.content_of(key):
            case bytes() as content:
                self._take(key, name, content, at)
            case Outside():
                self._refused(codes.OUTSIDE_REFERENCE, reference, at)
            case Missing():
                self._refused(codes.MISSING_REFERENCE, reference, at, path=name)
            case Folder():
                reason = "it is a folder"
                self._refused(codes.UNREADABLE_REFERENCE, reference, at, path=name, reason=reason)
            case Unreadable(reason):
                self._refused(codes.UNREADABLE_REFERENCE, reference, at, path=name, reason=reason)
            case TooLarge():
                self._unusable.add(key)
                limit = limits.spoken(limits.FILE_BYTES)
                self._findings.add(codes.FILE_TOO_LARGE, Location(name), limit=limit)

    def _take(self, key: str, name: str, content: bytes, at: Location) -> None:
        self._bytes += len(content)
        if self._bytes > limits.TOTAL_BYTES:
            self._stop(codes.TOTAL_TOO_LARGE, key, at, limit=limits.spoken(limits.TOTAL_BYTES))
            return
        reached = document(content, name, key, self._findings)
        if reached is None:
            self._unusable.add(key)
            return
        self.documents[key] = reached
        self.waiting.append(reached)

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
