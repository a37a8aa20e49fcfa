"""The collector of one reading: passes findings on and caps those of one kind in one file."""

from __future__ import annotations

from collections.abc import Callable

from mcpgen.diagnostics import Code, Diagnostics, Location, Severity
from mcpgen.diagnostics.codes import read as codes
from mcpgen.read import limits


class Findings:
    """Diagnostics with a cap: a hostile file makes at most `limits.LISTED` findings of a kind."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self._diagnostics = diagnostics
        self._counts: dict[tuple[Code, str], int] = {}

    def add(
        self, code: Code, at: Location, *, severity: Severity | None = None, **facts: object
    ) -> None:
        """Records `code` at `at`, or only counts it when many of its kind stand in this file."""
        count = self._counts.get((code, at.file), 0) + 1
        self._counts[code, at.file] = count
        if count <= limits.LISTED:
            short = {name: str(fact)[: limits.FACT] for name, fact in facts.items()}
            self._diagnostics.add(code, at, severity=severity, **short)

    def trace(self, file: str, origin: Callable[[Location], Location]) -> None:
        """From now on, what is found in `file` stands where `origin` says."""
        self._diagnostics.trace(file, origin)

    def soften(self, file: str) -> str:
        """Turns the errors in a file into warnings; returns where the first one stands, in words, or
        `""`."""
        first = self._diagnostics.soften_file(file)
        if first is None or not first.at.line:
            return ""
        return f"at line {first.at.line}, column {first.at.column}"

    def count(self, severity: Severity) -> int:
        """How many findings of a severity there are."""
        return sum(found.severity is severity for found in self._diagnostics)

    def skips(self, code: Code, file: str) -> bool:
        """Whether enough of the kind stand in the file already; then one more is only counted.

        Spares the caller finding the place of what would not be listed.
        """
        count = self._counts.get((code, file), 0)
        if count < limits.LISTED:
            return False
        self._counts[code, file] = count + 1
        return True

    def close(self) -> None:
        """Says how many findings were counted but not listed.

        Adds MG150.
        """
        for (code, file), count in self._counts.items():
            if count > limits.LISTED:
                self._diagnostics.add(
                    codes.MORE_OF_THE_SAME,
                    Location(file),
                    name=code.name,
                    count=count - limits.LISTED,
                )
