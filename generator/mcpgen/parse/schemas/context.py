"""State of the normalization of one schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from mcpgen.diagnostics import Code, Diagnostics, Location
from mcpgen.ir.source import Document, Json
from mcpgen.parse.dialects import DialectRules
from mcpgen.parse.node import Path

MAX_DEPTH = 100
"""Levels of nested schemas; the deepest real document of the corpus has fewer than thirty."""


@dataclass
class FindingTally:
    """Findings reported once with the number of places, at the first place."""

    _counted: dict[tuple[Code, str], tuple[Location, dict[str, str], int]] = field(
        default_factory=dict
    )

    def count(self, code: Code, keyword: str, at: Location, **facts: str) -> None:
        """Counts a place of a finding about a keyword."""
        first, first_facts, number = self._counted.get((code, keyword), (at, facts, 0))
        self._counted[code, keyword] = (first, first_facts, number + 1)

    def report(self, diagnostics: Diagnostics) -> None:
        """Adds each finding, with ` (in N places)` for more than one place."""
        for (code, keyword), (at, facts, number) in self._counted.items():
            times = f" (in {number} places)" if number > 1 else ""
            diagnostics.add(code, at, severity=None, keyword=keyword, times=times, **facts)


class Referrer(Protocol):
    """Resolves references between schemas to names of definitions."""

    def definition(self, context: NormalizeContext, reference: str, path: Path) -> str | None:
        """Name of the schema behind a reference; None after an error."""

    def keys(self, context: NormalizeContext, reference: str, path: Path) -> list[str] | None:
        """Keys of the mapping behind a reference; None if there is no mapping."""

    def dynamic(
        self, context: NormalizeContext, keyword: str, reference: str, path: Path
    ) -> str | None:
        """Name of the target of a dynamic reference at its static position; None after an error."""

    def mapped(self, context: NormalizeContext, target: str, path: Path) -> str | None:
        """Name of the schema in an entry of a discriminator's `mapping`, or None."""

    def family(self, context: NormalizeContext, path: Path) -> dict[str, str]:
        """Definitions that inherit from the schema at a path, then the schema itself, by
        discriminator value; empty without subtypes."""


@dataclass
class NormalizeContext:
    """State while normalizing one schema.

    `uses`: names of referenced definitions, in order. `fault`: first reason for an unusable schema,
    or `""`; `faults`: locations of all reasons. `depth`: number of enclosing schemas. `composed`:
    all schemas with `allOf` of the API, with locations.
    """

    document: Document
    rules: DialectRules
    keywords: Mapping[str, Keyword]
    referrer: Referrer
    diagnostics: Diagnostics
    tally: FindingTally
    compositions: list[tuple[dict[str, Json], Location]]
    uses: dict[str, None] = field(default_factory=dict)
    fault: str = ""
    faults: list[Location] = field(default_factory=list)
    depth: int = 0

    def at(self, path: Path) -> Location:
        """Location of a path in the current document."""
        return Location(self.document.name, path)

    def warn(self, code: Code, path: Path, **facts: object) -> None:
        """Adds a finding; the schema stays usable."""
        self.diagnostics.add(code, self.at(path), severity=None, **facts)

    def fail(self, code: Code, path: Path, *, is_reported: bool = False, **facts: object) -> None:
        """Marks the schema as unusable and adds the error, unless an earlier stage reported the
        error."""
        if not is_reported:
            self.diagnostics.add(code, self.at(path), severity=None, **facts)
        self.faults.append(self.at(path))
        self.fault = self.fault or code.message.format(**facts)


Keyword = Callable[[NormalizeContext, dict[str, Json], str, Json, Path], None]
"""Normalizes one keyword: (context, normalized schema so far, keyword, value, path of the schema).
"""
