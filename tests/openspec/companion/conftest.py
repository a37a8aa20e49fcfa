"""Fixtures that parse companions written in tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from mcpgen.diagnostics import Diagnostic, Diagnostics
from mcpgen.ir.source import Document
from mcpgen.openspec.companion import parse_companion
from mcpgen.openspec.model.companion import Companion
from mcpgen.read.document import load_document
from mcpgen.read.findings import Findings


@dataclass(frozen=True)
class Read:
    """Result of parsing a companion: value and diagnostics."""

    result: Companion | None
    found: list[Diagnostic]
    document: Document

    @property
    def companion(self) -> Companion:
        """The companion; asserts success without diagnostics."""
        assert self.result is not None
        assert not self.found, self.found
        return self.result

    @property
    def told(self) -> list[tuple[str, str]]:
        """Code names and JSON pointers of the diagnostics, sorted."""
        return sorted((one.code.name, one.at.pointer) for one in self.found)


def read_of(text: str) -> Read:
    """Parses the text of a companion."""
    diagnostics = Diagnostics()
    written = load_document(text.encode(), "mcp.yaml", "mcp.yaml", Findings(diagnostics))
    assert written is not None, list(diagnostics)
    return Read(parse_companion(written, diagnostics), list(diagnostics), written)


@pytest.fixture
def read() -> Callable[[str], Read]:
    """Parses the text of a companion after adding the version."""
    return lambda text: read_of(f"mcpgen: 1\n{text}")


@pytest.fixture
def bare() -> Callable[[str], Read]:
    """Parses exactly the given text."""
    return read_of
