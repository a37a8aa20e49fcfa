"""The text and its companion held against each other, both ways."""

from __future__ import annotations

from mcpgen.diagnostics import Diagnostics
from mcpgen.openspec.lower.crosscheck.bindings import check_bindings
from mcpgen.openspec.lower.crosscheck.tools import check_surface
from mcpgen.openspec.lower.extraction import Facts
from mcpgen.openspec.model.companion import Companion
from mcpgen.openspec.model.requirements import Requirements

__all__ = ["crosscheck"]


def crosscheck(
    requirements: Requirements, companion: Companion, facts: Facts, diagnostics: Diagnostics
) -> None:
    """Tells what the companion says against the text, and what it lacks. Adds MG745–MG760."""
    check_surface(companion, facts, diagnostics)
    check_bindings(requirements, companion, diagnostics)
