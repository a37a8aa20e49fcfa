"""Fixtures for requirements and companions written in tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from mcpgen.diagnostics import Diagnostic, Diagnostics
from mcpgen.ir.source import Document, RequirementSource, Syntax
from mcpgen.openspec.companion import parse_companion
from mcpgen.openspec.lower.crosscheck import crosscheck
from mcpgen.openspec.lower.extraction import Facts, facts_of
from mcpgen.openspec.model.requirements import Requirements
from mcpgen.openspec.parse import parse_requirements
from mcpgen.read.document import load_document
from mcpgen.read.findings import Findings

HEAD = "# T\n\n## Purpose\n\nA server that exists so that its text can be held against it.\n\n"


def requirements_of(text: str, file: str = "spec.md") -> Requirements:
    """Parses a text below `## Requirements`."""
    content = f"{HEAD}## Requirements\n\n{text}"
    document = Document(file, file, Syntax.MARKDOWN, content, None, "0" * 64)
    source = RequirementSource("cap", document, (), None, "0" * 64)
    result = parse_requirements(source, Diagnostics())
    assert result is not None
    return result


@dataclass(frozen=True)
class Held:
    """Diagnostics of a crosscheck of text and companion."""

    found: list[Diagnostic]

    @property
    def told(self) -> list[tuple[str, str, str]]:
        """Code names of the diagnostics, with file and line or pointer."""
        return sorted(
            (
                diagnostic.code.name,
                diagnostic.at.file,
                str(diagnostic.at.line or diagnostic.at.pointer),
            )
            for diagnostic in self.found
        )


@pytest.fixture
def requirements() -> Callable[..., Requirements]:
    """Parses requirements from a text."""
    return requirements_of


@pytest.fixture
def facts() -> Callable[[str], Facts]:
    """Extracts the facts of a text."""
    return lambda text: facts_of(requirements_of(text))


@pytest.fixture
def check_companion() -> Callable[[str, str], Held]:
    """Crosschecks the text of requirements and a companion."""

    def check(text: str, companion: str) -> Held:
        diagnostics = Diagnostics()
        requirements = requirements_of(text)
        content = f"mcpgen: 1\n{companion}".encode()
        document = load_document(content, "mcp.yaml", "mcp.yaml", Findings(diagnostics))
        assert document is not None
        parsed = parse_companion(document, diagnostics)
        assert parsed is not None
        assert not list(diagnostics)
        crosscheck(requirements, parsed, facts_of(requirements), diagnostics)
        return Held(list(diagnostics))

    return check
