"""Companions written by hand, and what is made of them."""

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
    """A companion as it was read, if it was, and the findings."""

    result: Companion | None
    found: list[Diagnostic]
    document: Document

    @property
    def companion(self) -> Companion:
        """The companion, which there must be, without a finding."""
        assert self.result is not None
        assert not self.found, self.found
        return self.result

    @property
    def told(self) -> list[tuple[str, str]]:
        """The names of the findings with the pointers to their places, in order of printing."""
        return sorted((one.code.name, one.at.pointer) for one in self.found)


def read_of(text: str) -> Read:
    """What is made of the text of a companion."""
    diagnostics = Diagnostics()
    written = load_document(text.encode(), "mcp.yaml", "mcp.yaml", Findings(diagnostics))
    assert written is not None, list(diagnostics)
    return Read(parse_companion(written, diagnostics), list(diagnostics), written)


@pytest.fixture
def read() -> Callable[[str], Read]:
    """What is made of the text of a companion, to which the version is added."""
    return lambda text: read_of(f"mcpgen: 1\n{text}")


@pytest.fixture
def bare() -> Callable[[str], Read]:
    """What is made of exactly this text."""
    return read_of
