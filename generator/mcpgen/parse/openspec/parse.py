"""The requirements that a source holds."""

from __future__ import annotations

from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.requirements import Requirements
from mcpgen.ir.source import RequirementSource
from mcpgen.parse.openspec.delta_alone import delta_alone
from mcpgen.parse.openspec.lines import lines_of
from mcpgen.parse.openspec.main import main_spec


def parse_requirements(source: RequirementSource, diagnostics: Diagnostics) -> Requirements | None:
    """The requirements of a source: of its spec, of its delta, or of the spec that its deltas make
    of the one there is; None, with an error told, where there are none.

    Adds MG713–MG729.
    """
    if source.main is not None:
        return main_spec(lines_of(source.main), source.capability, diagnostics)
    return delta_alone(lines_of(source.deltas[0]), source.capability, diagnostics)
