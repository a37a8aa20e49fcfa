"""One finding about the user's input, and the collector every stage writes to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A place in one file: the file and the path of keys that leads to the value.

    `file` is the path as messages print it (POSIX separators). `path` holds the raw keys and
    indexes from the document's root, `()` for the root itself. `line` and `column` count from 1
    and are set only where a reader already knows them (a syntax error); everywhere else they are
    0 and looked up from `path` when, and only when, the location is printed.
    """

    file: str
    path: tuple[str, ...] = ()
    line: int = 0
    column: int = 0

    def __truediv__(self, key: str | int) -> Location:
        """The place of the child `key` of this value."""
        return Location(self.file, (*self.path, str(key)), self.line, self.column)

    @property
    def pointer(self) -> str:
        """The path as a JSON Pointer (RFC 6901); `""` for the root."""
        return "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in self.path)


class Severity(StrEnum):
    """How much a finding weighs: an error ends the build, a warning is told, a note informs."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of finding, as a row of the table of codes.

    `id` is stable and never reused; `name` is how people say it; `message` is one sentence with
    `{fields}`; `hint` says one thing to do, or is empty; `explanation` is what `mcpgen explain`
    prints: what it means, why it matters, how to mend it.
    """

    id: str
    name: str
    severity: Severity
    message: str
    hint: str = ""
    explanation: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A code with the facts of one occurrence; immutable and sortable by place, then code."""

    code: Code
    at: Location
    message: str
    hint: str
    severity: Severity

    def sort_key(self) -> tuple[str, int, int, tuple[str, ...], str, str]:
        """Order of printing: file, known line, path in the document, code, message."""
        return (
            self.at.file,
            self.at.line,
            self.at.column,
            self.at.path,
            self.code.id,
            self.message,
        )


class Diagnostics:
    """The one mutable value that crosses a stage: findings in the order they were made.

    `told` counts how often something was told, what had been told before included.
    """

    def __init__(self) -> None:
        self._found: list[Diagnostic] = []
        self._seen: set[Diagnostic] = set()
        self._members: dict[str, Callable[[Location], Location]] = {}
        self._origins: dict[str, Callable[[Location], Location]] = {}
        self.told = 0

    def follow(self, file: str, find: Callable[[Location], Location]) -> None:
        """Passes each later location in `file` through `find`, which follows references: a path may lead
        through schemas that are joined from others."""
        self._members[file] = find

    def trace(self, file: str, origin: Callable[[Location], Location]) -> None:
        """From now on, what is found in `file` stands where `origin` says: a tree may hold values
        that were written in other files."""
        self._origins[file] = origin

    def place(self, at: Location) -> Location:
        """Where something that is found at a place was written."""
        if at.line:
            return at
        for steps in (self._members, self._origins):
            if at.file in steps:
                at = steps[at.file](at)
        return at

    def add(
        self, code: Code, at: Location, *, severity: Severity | None = None, **facts: object
    ) -> None:
        """Records `code` at `at`; `facts` fill the `{fields}` of its message and hint.

        The same finding at the same place is kept once. Raises KeyError for a missing fact.
        """
        message, hint = _filled(code.message, facts), _filled(code.hint, facts)
        self.keep(Diagnostic(code, self.place(at), message, hint, severity or code.severity))

    def adopt(self, findings: Iterable[Diagnostic]) -> None:
        """Records what was found elsewhere, where nobody knew in which files values are written."""
        for found in findings:
            place = self.place(found.at)
            self.keep(found if place is found.at else replace(found, at=place))

    def taken(self) -> tuple[Diagnostic, ...]:
        """The findings so far, of which nothing is left here."""
        found = tuple(self._found)
        self._found.clear()
        self._seen.clear()
        return found

    def keep(self, found: Diagnostic) -> None:
        """Records a finding that was made elsewhere; the same one is kept once."""
        self.told += 1
        if found not in self._seen:
            self._seen.add(found)
            self._found.append(found)

    def soften(self, codes: frozenset[Code], places: frozenset[Location] | None = None) -> None:
        """Turns the errors of these codes into warnings; with `places`, only those found there."""
        if places is not None and not places:
            return
        written = None if places is None else {self.place(at) for at in places}
        self._found = [
            (
                replace(found, severity=Severity.WARNING)
                if found.severity is Severity.ERROR
                and found.code in codes
                and (written is None or found.at in written)
                else found
            )
            for found in self._found
        ]
        self._seen = set(self._found)

    def soften_file(self, file: str) -> Diagnostic | None:
        """Turns the errors in a file into warnings; returns the first of them, or None."""
        first = None
        for index, found in enumerate(self._found):
            if found.at.file == file and found.severity is Severity.ERROR:
                first = first or found
                self._found[index] = replace(found, severity=Severity.WARNING)
        self._seen = set(self._found)
        return first

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    @property
    def failed(self) -> bool:
        """Whether any finding is an error."""
        return any(found.severity is Severity.ERROR for found in self._found)

    def sorted(self) -> list[Diagnostic]:
        """The findings in order of printing; independent of the order they were made in."""
        return sorted(self._found, key=Diagnostic.sort_key)


def _filled(template: str, facts: dict[str, object]) -> str:
    """The template with its fields filled; facts are printed, never interpreted."""
    return template.format_map({name: str(fact) for name, fact in facts.items()})
