"""Collects the findings of one read, with a cap per code and file."""

from __future__ import annotations

from collections.abc import Callable

from mcpgen.diagnostics import Code, Diagnostics, Location, Severity
from mcpgen.diagnostics.codes import read as codes
from mcpgen.read import limits


class Findings:
    """Diagnostics with a cap: a hostile file gives at most `limits.LISTED` findings per code."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self._diagnostics = diagnostics
        self._counts: dict[tuple[Code, str], int] = {}

    def add(
        self, code: Code, at: Location, *, severity: Severity | None = None, **facts: object
    ) -> None:
        """Records a finding; beyond `limits.LISTED` findings of the same code and file, only
        counts."""
        count = self._counts.get((code, at.file), 0) + 1
        self._counts[code, at.file] = count
        if count <= limits.LISTED:
            short = {name: str(fact)[: limits.FACT] for name, fact in facts.items()}
            self._diagnostics.add(code, at, severity=severity, **short)

    def set_origin_finder(self, file: str, origin: Callable[[Location], Location]) -> None:
        """Registers `origin`, which finds the file of a value that an overlay inserted, for later
        locations in `file`."""
        self._diagnostics.set_origin_finder(file, origin)

    def soften(self, file: str) -> str:
        """Turns errors in a file into warnings; returns the place of the first error as words, or
        `""`."""
        first = self._diagnostics.soften_file(file)
        if first is None or not first.at.line:
            return ""
        return f"at line {first.at.line}, column {first.at.column}"

    def count(self, severity: Severity) -> int:
        """The number of findings with a severity."""
        return sum(diagnostic.severity is severity for diagnostic in self._diagnostics)

    def skips(self, code: Code, file: str) -> bool:
        """True if the cap for this code and file is reached; then counts one more finding.

        Saves the caller the search for a location that would not be shown.
        """
        count = self._counts.get((code, file), 0)
        if count < limits.LISTED:
            return False
        self._counts[code, file] = count + 1
        return True

    def close(self) -> None:
        """Reports the number of findings beyond the cap. Adds MG150."""
        for (code, file), count in self._counts.items():
            if count > limits.LISTED:
                self._diagnostics.add(
                    codes.MORE_OF_THE_SAME,
                    Location(file),
                    name=code.name,
                    total=count,
                    listed=limits.LISTED,
                )
