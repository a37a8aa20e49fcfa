"""Fixtures that parse companions written in tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import jsonschema_rs
import pytest

from mcpgen.diagnostics import Diagnostic, Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.ir.source import Document, Json
from mcpgen.openspec.companion import companion_schema, parse_companion
from mcpgen.openspec.model.companion import Companion
from mcpgen.read.document import load_document
from mcpgen.read.findings import Findings

VALIDATOR = jsonschema_rs.Draft202012Validator(companion_schema())
REFUSED_BY_SCHEMA = {
    codes.UNKNOWN_COMPANION_KEY,
    codes.MISSING_COMPANION_KEY,
    codes.COMPANION_TYPE,
    codes.RIVAL_KEYS,
}


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
        return sorted((diagnostic.code.name, diagnostic.at.pointer) for diagnostic in self.found)


def read_of(text: str) -> Read:
    """Parses the text of a companion."""
    diagnostics = Diagnostics()
    document = load_document(text.encode(), "mcp.yaml", "mcp.yaml", Findings(diagnostics))
    assert document is not None, list(diagnostics)
    result = parse_companion(document, diagnostics)
    assert_schema_agrees(document.tree, diagnostics)
    return Read(result, list(diagnostics), document)


def assert_schema_agrees(tree: Json, diagnostics: Diagnostics) -> None:
    """Asserts that the JSON Schema refuses a companion with a wrong key or type, and refuses no
    companion without a finding."""
    is_valid = VALIDATOR.is_valid(tree)
    wrong = [
        finding
        for finding in diagnostics
        # The type of a default or an example is a rule of the argument's own schema.
        if finding.code in REFUSED_BY_SCHEMA and "of the type" not in finding.message
    ]
    assert is_valid or list(diagnostics), tree
    assert not (is_valid and wrong), (tree, wrong)


@pytest.fixture
def read() -> Callable[[str], Read]:
    """Parses the text of a companion after adding the version."""
    return lambda text: read_of(f"mcpgen: 1\n{text}")


@pytest.fixture
def bare() -> Callable[[str], Read]:
    """Parses exactly the given text."""
    return read_of
