"""The state of the normalization of one schema, and the services that all schemas of an API share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from mcpgen.diagnostics import Code, Diagnostics, Location
from mcpgen.ir.source import Document, Json
from mcpgen.parse.dialects import DialectRules
from mcpgen.parse.node import Path
from mcpgen.parse.schemas.closed_allof import Composition

MAX_DEPTH = 100
"""Levels of nested schemas, which bound the recursion; the deepest real document of the corpus has fewer
than thirty."""


@dataclass
class _CountedFinding:
    """A finding with the first place, the facts of the first place, and the number of places."""

    at: Location
    facts: Mapping[str, str]
    count: int = 0


class FindingTally:
    """Counts findings that are reported once, with the number of places, at the first place."""

    def __init__(self) -> None:
        self._findings: dict[tuple[Code, str], _CountedFinding] = {}

    def count(self, code: Code, subject: str, at: Location, **facts: str) -> None:
        """Counts a place of a finding. Places with the same code and subject share a finding; messages
        about keywords have the keyword as subject, and show the subject as `{keyword}`."""
        finding = self._findings.setdefault((code, subject), _CountedFinding(at, facts))
        finding.count += 1

    def report(self, diagnostics: Diagnostics) -> None:
        """Adds each finding; `{times}` of a message is ` (in N places)` for more than one place."""
        for (code, subject), finding in self._findings.items():
            times = f" (in {finding.count} places)" if finding.count > 1 else ""
            diagnostics.add(
                code, finding.at, severity=None, keyword=subject, times=times, **finding.facts
            )


class DefinitionNames(Protocol):
    """Resolves references between schemas to names of definitions (`#/$defs/NAME`).

    The methods `of_…` queue the schemas for normalization, and add the names of referenced schemas to
    `NormalizeContext.uses`. `path`: path in the context's document where the reference is written.
    """

    def of_reference(self, context: NormalizeContext, reference: str, path: Path) -> str | None:
        """Returns the name for the target of a `$ref`; None after an error."""

    def member_keys(
        self, context: NormalizeContext, reference: str, path: Path
    ) -> list[str] | None:
        """Returns the keys of the mapping behind a reference; None if there is no mapping."""

    def of_dynamic_reference(
        self, context: NormalizeContext, keyword: str, reference: str, path: Path
    ) -> str | None:
        """Returns the name for the static target of a `$dynamicRef` or `$recursiveRef`; None after an
        error."""

    def of_mapping_entry(self, context: NormalizeContext, target: str, path: Path) -> str | None:
        """Returns the name for an entry of a discriminator's `mapping`, a name or a reference; None if
        there is no such schema."""

    def of_subtypes(self, context: NormalizeContext, path: Path) -> dict[str, str]:
        """Returns the names of the definitions that inherit by `allOf` from the schema at a path, then
        of the schema itself, by discriminator value; empty without subtypes."""


@dataclass
class NormalizeContext:
    """State while normalizing one schema.

    Shared by all schemas of the API: `definition_names`, `diagnostics`, `tally`, `compositions` (all
    normalized schemas with `allOf`) and `keywords` (a field, because the functions in the table import
    this module). Of this schema: `uses`, names of referenced definitions in order; `fault_reason`, the
    first reason why the schema is unusable, or `""`; `fault_locations`, locations of all reasons;
    `depth`, number of enclosing schemas.
    """

    document: Document
    rules: DialectRules
    keywords: Mapping[str, KeywordNormalizer]
    definition_names: DefinitionNames
    diagnostics: Diagnostics
    tally: FindingTally
    compositions: list[Composition]
    uses: dict[str, None] = field(default_factory=dict)
    fault_reason: str = ""
    fault_locations: list[Location] = field(default_factory=list)
    depth: int = 0

    def at(self, path: Path) -> Location:
        """Returns the location of a path in the current document."""
        return Location(self.document.name, path)

    def warn(self, code: Code, path: Path, **facts: object) -> None:
        """Adds a finding; the schema stays usable."""
        self.diagnostics.add(code, self.at(path), severity=None, **facts)

    def fail(self, code: Code, path: Path, *, is_reported: bool = False, **facts: object) -> None:
        """Marks the schema as unusable and adds the error, unless an earlier stage reported the
        error."""
        if not is_reported:
            self.diagnostics.add(code, self.at(path), severity=None, **facts)
        self.fault_locations.append(self.at(path))
        self.fault_reason = self.fault_reason or code.message.format(**facts)


KeywordNormalizer = Callable[[NormalizeContext, dict[str, Json], str, Json, Path], None]
"""Normalizes one keyword: (context, normalized schema so far, keyword, value, path of the schema).
"""
