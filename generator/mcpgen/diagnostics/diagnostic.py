"""Diagnostics about the user's input, their locations, and the collector that every stage fills."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A place in one file, as a path of keys from the root of the document.

    `file`: path as messages print it, with POSIX separators. `path`: raw keys and indexes, `()` for
    the root. `line` and `column` count from 1; 0 means unknown. Only readers of syntax errors set
    them; for all other locations the position of `path` is looked up when the location is printed.
    """

    file: str
    path: tuple[str, ...] = ()
    line: int = 0
    column: int = 0

    def __truediv__(self, key: str | int) -> Location:
        """Location of the member `key`. Example: `Location("a.yaml") / "paths"` has the pointer
        `/paths`."""
        # A known position applies to members too; `find_written_location` keeps such locations.
        return Location(self.file, (*self.path, str(key)), self.line, self.column)

    @property
    def pointer(self) -> str:
        """The path as a JSON Pointer (RFC 6901); `""` for the root."""
        return "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in self.path)


class Severity(StrEnum):
    """An error fails the build; a warning and a note do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of diagnostic: one row in the table of codes.

    `id`: stable, never reused. `name`: lower-case words with hyphens. `message`: one sentence with
    `{fields}`. `hint`: one action, with `{fields}`. `explanation`: meaning and effect, for `mcpgen explain`.
    `remedy`: a fixed action for lists of codes, for a code whose `hint` consists of facts alone
    (such as `{hint}`).
    """

    id: str
    name: str
    severity: Severity
    message: str
    hint: str
    explanation: str = ""
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One occurrence of a code, with the facts filled in."""

    code: Code
    at: Location
    message: str
    hint: str
    severity: Severity

    def sort_key(self) -> tuple[str, int, int, tuple[str, ...], str, str]:
        """Order of output: file, known line and column, path, code, message."""
        return (
            self.at.file,
            self.at.line,
            self.at.column,
            self.at.path,
            self.code.id,
            self.message,
        )


class Diagnostics:
    """Collects diagnostics in order, each once; the only mutable value that crosses stages.

    `add_count`: number of diagnostics added so far, repeated ones included; a caller compares two
    values to see if a step reported anything.
    """

    def __init__(self) -> None:
        self._diagnostics: list[Diagnostic] = []
        self._seen: set[Diagnostic] = set()
        self._reference_finders: dict[str, Callable[[Location], Location]] = {}
        self._origin_finders: dict[str, Callable[[Location], Location]] = {}
        self.add_count = 0

    def set_reference_finder(self, file: str, find: Callable[[Location], Location]) -> None:
        """Registers `find` for later locations in `file`. `find` follows references, because
        `lower` reports paths through joined schemas, which exist in no document."""
        self._reference_finders[file] = find

    def set_origin_finder(self, file: str, origin: Callable[[Location], Location]) -> None:
        """Registers `origin` for later locations in `file`. `origin` finds the file of a value that
        an overlay inserted."""
        self._origin_finders[file] = origin

    def find_written_location(self, at: Location) -> Location:
        """Returns the location where the value at `at` was written: `at` translated by the
        registered finders, first references, then origins."""
        if at.line:
            return at
        for finders in (self._reference_finders, self._origin_finders):
            if at.file in finders:
                at = finders[at.file](at)
        return at

    def add(
        self, code: Code, at: Location, *, severity: Severity | None = None, **facts: object
    ) -> None:
        """Adds a diagnostic; `facts` fill the `{fields}` of message and hint.

        A repeated diagnostic is kept once. Raises KeyError for a missing fact.
        """
        message, hint = _fill_template(code.message, facts), _fill_template(code.hint, facts)
        location = self.find_written_location(at)
        self.add_diagnostic(Diagnostic(code, location, message, hint, severity or code.severity))

    def add_translated(self, findings: Iterable[Diagnostic]) -> None:
        """Adds diagnostics of another collector or process after translation of their locations."""
        for diagnostic in findings:
            at = self.find_written_location(diagnostic.at)
            self.add_diagnostic(diagnostic if at is diagnostic.at else replace(diagnostic, at=at))

    def take_all(self) -> tuple[Diagnostic, ...]:
        """Removes and returns all diagnostics."""
        diagnostics = tuple(self._diagnostics)
        self._diagnostics.clear()
        self._seen.clear()
        return diagnostics

    def add_diagnostic(self, diagnostic: Diagnostic) -> None:
        """Adds a finished diagnostic, once."""
        self.add_count += 1
        if diagnostic not in self._seen:
            self._seen.add(diagnostic)
            self._diagnostics.append(diagnostic)

    def soften(self, codes: frozenset[Code], places: frozenset[Location] | None = None) -> None:
        """Turns errors with these codes into warnings; with `places`, only errors at these
        locations."""
        if places is not None and not places:
            return
        locations = None if places is None else {self.find_written_location(at) for at in places}
        self._diagnostics = [
            (
                replace(diagnostic, severity=Severity.WARNING)
                if diagnostic.severity is Severity.ERROR
                and diagnostic.code in codes
                and (locations is None or diagnostic.at in locations)
                else diagnostic
            )
            for diagnostic in self._diagnostics
        ]
        self._seen = set(self._diagnostics)

    def soften_file(self, file: str) -> Diagnostic | None:
        """Turns errors in a file into warnings; returns the first of these errors, or None."""
        first = None
        for index, diagnostic in enumerate(self._diagnostics):
            if diagnostic.at.file == file and diagnostic.severity is Severity.ERROR:
                first = first or diagnostic
                self._diagnostics[index] = replace(diagnostic, severity=Severity.WARNING)
        self._seen = set(self._diagnostics)
        return first

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self._diagnostics)

    def __len__(self) -> int:
        return len(self._diagnostics)

    @property
    def failed(self) -> bool:
        """True if any diagnostic is an error."""
        return any(diagnostic.severity is Severity.ERROR for diagnostic in self._diagnostics)

    def sorted(self) -> list[Diagnostic]:
        """Diagnostics in order of output, independent of the order of addition."""
        return sorted(self._diagnostics, key=Diagnostic.sort_key)


def _fill_template(template: str, facts: dict[str, object]) -> str:
    """The template with its fields filled. Facts are never interpreted as templates."""
    return template.format_map({name: str(fact) for name, fact in facts.items()})
