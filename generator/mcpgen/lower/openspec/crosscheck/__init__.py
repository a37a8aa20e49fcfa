"""The text and its companion held against each other, both ways."""

from __future__ import annotations

from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.companion import Companion
from mcpgen.ir.requirements import Requirements
from mcpgen.lower.openspec.crosscheck.bindings import check_bindings
from mcpgen.lower.openspec.crosscheck.tools import check_surface
from mcpgen.lower.openspec.extraction import Facts

__all__ = ["crosscheck"]


def crosscheck(
    requirements: Requirements, companion: Companion, facts: Facts, diagnostics: Diagnostics
) -> None:
    """Tells what the companion says against the text, and what it lacks. Adds MG745–MG760."""
    check_surface(companion, facts, diagnostics)
    check_bindings(requirements, companion, diagnostics)
