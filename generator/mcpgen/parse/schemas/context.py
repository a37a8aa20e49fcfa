"""What the normalisation of one schema carries along."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from mcpgen.diagnostics import Code, Diagnostics, Location
from mcpgen.ir.source import Document, Json
from mcpgen.parse.dialects import DialectRules
from mcpgen.parse.node import Path

DEEPEST = 100
"""Levels of schemas inside schemas; the deepest of real documents has fewer than thirty."""


@dataclass
class FindingTally:
    """Findings that are told once with the number of their places, at the first of them."""

    _counted: dict[tuple[Code, str], tuple[Location, dict[str, str], int]] = field(
        default_factory=dict
    )

    def count(self, code: Code, keyword: str, at: Location, **facts: str) -> None:
        """Counts one more place of a finding about a keyword."""
        first, first_facts, number = self._counted.get((code, keyword), (at, facts, 0))
        self._counted[code, keyword] = (first, first_facts, number + 1)

    def report(self, diagnostics: Diagnostics) -> None:
        """Adds each finding, with ` (in N places)` where there are several."""
        for (code, keyword), (at, facts, number) in self._counted.items():
            times = f" (in {number} places)" if number > 1 else ""
            diagnostics.add(code, at, severity=None, keyword=keyword, times=times, **facts)


class Referrer(Protocol):
    """Turns the references of schemas into names of definitions."""

    def definition(self, context: NormalizeContext, reference: str, path: Path) -> str | None:
        """The name of the schema a reference means; None, with an error told, if there is none."""

    def keys(self, context: NormalizeContext, reference: str, path: Path) -> list[str] | None:
        """The keys of the mapping a reference means; None if there is none."""

    def dynamic(
        self, context: NormalizeContext, keyword: str, reference: str, path: Path
    ) -> str | None:
        """The name of the schema that a dynamic reference means where it stands, or None."""

    def mapped(self, context: NormalizeContext, target: str, path: Path) -> str | None:
        """The name of the schema that a discriminator's mapping names, or None."""

    def family(self, context: NormalizeContext, path: Path) -> dict[str, str]:
        """The definitions that inherit from the schema at a path, then its own, by the names that
        a discriminator has for them; none if no schema inherits from it."""


@dataclass
class NormalizeContext:
    """One schema on its way through the keywords.

    `uses` are the definitions it refers to, in order of appearance. `fault` is the first reason
    why it cannot be used, or `""`, and `faults` are the places of all. `depth` counts the schemas around the current one. `composed`
    collects those with an `allOf`, of all schemas, with their places.
    """

    document: Document
    rules: DialectRules
    keywords: Mapping[str, Keyword]
    referrer: Referrer
    diagnostics: Diagnostics
    tally: FindingTally
    composed: list[tuple[dict[str, Json], Location]]
    uses: dict[str, None] = field(default_factory=dict)
    fault: str = ""
    faults: list[Location] = field(default_factory=list)
    depth: int = 0

    def at(self, path: Path) -> Location:
        """The location of a path in the current document."""
        return Location(self.document.name, path)

    def warn(self, code: Code, path: Path, **facts: object) -> None:
        """Tells a finding that the schema survives."""
        self.diagnostics.add(code, self.at(path), severity=None, **facts)

    def fail(self, code: Code, path: Path, *, told: bool = False, **facts: object) -> None:
        """Marks the schema as unusable and tells the error, unless an earlier stage has."""
        if not told:
            self.diagnostics.add(code, self.at(path), severity=None, **facts)
        self.faults.append(self.at(path))
        self.fault = self.fault or code.message.format(**facts)


Keyword = Callable[[NormalizeContext, dict[str, Json], str, Json, Path], None]
"""Writes the normal form of one keyword: (walk, the schema so far, keyword, value, its path)."""
