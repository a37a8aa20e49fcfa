"""Builds sources from texts, and parses the sources."""

from __future__ import annotations

import hashlib

from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.source import Document, RequirementSource, Syntax
from mcpgen.openspec.model.requirements import Requirements
from mcpgen.openspec.parse import MergedSpec, apply_deltas, parse_requirements


def document(text: str, name: str = "spec.md") -> Document:
    """Returns a document as built by `read`."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    digest = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
    return Document(name, name, Syntax.MARKDOWN, text, None, digest)


def spec(text: str) -> tuple[Requirements | None, Diagnostics]:
    """Parses a spec; returns requirements and diagnostics."""
    diagnostics = Diagnostics()
    source = RequirementSource("x", document(text), (), None, "")
    return parse_requirements(source, diagnostics), diagnostics


def delta(text: str) -> tuple[Requirements | None, Diagnostics]:
    """Parses a delta without a spec; returns requirements and diagnostics."""
    diagnostics = Diagnostics()
    source = RequirementSource("x", None, (document(text),), None, "")
    return parse_requirements(source, diagnostics), diagnostics


def change(main: str | None, text: str, capability: str = "x") -> RequirementSource:
    """Returns a source of an optional spec and a delta to apply."""
    spec_document = None if main is None else document(main)
    return RequirementSource(
        capability, spec_document, (document(text, "delta.md"),), None, "", "c"
    )


def view(
    main: str | None, text: str, capability: str = "x"
) -> tuple[MergedSpec | None, Diagnostics]:
    """Applies a delta to a spec; returns merged spec and diagnostics."""
    diagnostics = Diagnostics()
    return apply_deltas(change(main, text, capability), diagnostics), diagnostics


def outline(requirements: Requirements | None) -> list[str]:
    """Returns requirement names, each followed by indented scenario names with step counts."""
    rows = []
    for requirement in requirements.requirements if requirements else ():
        kind = f"{requirement.change.value} " if requirement.change else ""
        was = f" (was {requirement.was})" if requirement.was else ""
        rows.append(f"{kind}{requirement.name}{was}")
        rows += [f"  {scenario.name} ({len(scenario.steps)})" for scenario in requirement.scenarios]
    return rows


def names(diagnostics: Diagnostics) -> list[str]:
    """Returns the code names of the diagnostics, sorted."""
    return sorted(diagnostic.code.name for diagnostic in diagnostics)
